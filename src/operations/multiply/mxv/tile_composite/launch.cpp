// The matrix-vector product on tile-composite (cuda/kernels/mxv_tile_composite.h): gather u, the tiles, the
// cold part, and the sums that meet.
#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"

#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::TileComposite;
using runtime::Buffer;

namespace {

constexpr char mxv_tile_composite_header[] = "mxv_tile_composite.h";

/// u in the order of the format's places, as the multiply operator takes it.
struct Operands {
  Buffer reordered;
  const void* others = nullptr;
};

Operands gather(const MatrixVectorRun& run, const TileComposite& matrix, const Type& operand) {
  const DeviceVector& u = run.call.vector;
  const bool all_gathered = matrix.parameters.gathered >= run.columns(), in_place = u.type == operand;
  TileGatherArguments a;
  a.vector = u.view();
  a.gathered_columns = matrix.gathered_columns.as<uint32_t>();
  a.gathered = matrix.parameters.gathered;
  a.copied = all_gathered || in_place ? 0 : run.columns();
  Operands operands;
  operands.reordered = Buffer((a.gathered + a.copied) * operand.size);
  operands.others = in_place ? u.values.data() : operands.reordered.as<char>() + a.gathered * operand.size;
  a.reordered = operands.reordered.data();
  launch_product(run, mxv_tile_composite_header, "tile_gather",
                 formats::blocks_for(a.gathered + a.copied, TileGatherArguments::block_places), a,
                 [&](const std::string& stem) {
                   return template_id(stem, {values_id(u.type, true, false), operand.name});
                 });
  return operands;
}

const Type& operand_of(const MatrixVector& call) {
  return call.vector_first ? call.semiring.multiply.x : call.semiring.multiply.y;
}

/// The launches that sum rows in tiles and in the cold part.
class Parts {
 public:
  Parts(const MatrixVectorRun& run, const TileComposite& matrix, const Operands& u, const Buffer& sums)
      : blocks_of_cold_(
            matrix.steps == matrix.cold_step ? 0 : formats::blocks_for(matrix.parts.back().warps, 8)) {
    arguments_.matrix = matrix.view();
    arguments_.reordered = u.reordered.data();
    arguments_.others = u.others;
    arguments_.popular = uint32_t(matrix.parameters.gathered);
    arguments_.shares = matrix.shares.as<TileShare>();
    arguments_.cold = matrix.parts.back();
    arguments_.sums = sums.data();
    const auto template_id_of = [&](const std::string& stem) {
      const std::string values = values_id(run.call.matrix.type, run.reads_matrix(), matrix.iso);
      const std::string product =
          template_id("tile_product", {run.call.semiring.source, values, text_of(run.call.vector_first)});
      // Steps whose loads a warp has in flight: 2 to 8 measured within 4 %, bounded by the 64 registers of a
      // thread.
      const BinaryOp& multiply = run.call.semiring.multiply;
      const Type& loaded = run.call.vector_first ? multiply.y : multiply.x;
      return template_id(stem, {product, run.reads_matrix() && loaded.size >= 8 ? "2" : "4"});
    };
    tiles_ = &product_kernel<MxvTileCompositeArguments>(run, mxv_tile_composite_header, "mxv_tile_composite",
                                                        template_id_of);
    if (blocks_of_cold_ > 0)
      cold_ = &product_kernel<MxvTileCompositeArguments>(run, mxv_tile_composite_header,
                                                         "mxv_tile_composite_cold", template_id_of);
    shape_.overlaps = true;
    shape_.blocks = matrix.share_count;
    shape_.threads = matrix.parameters.warps_of_block * 32;
    shape_.shared_bytes = matrix.parameters.tile_columns * operand_of(run.call).size;
  }

  void launch_tiles() const { runtime::launch(runtime::device(), *tiles_, shape_, arguments_); }

  /// Not beside the tiles: a multiprocessor keeps the division of its memory as long as it holds any block,
  /// and the tiles leave little of it for a cache (H200: the product is 2 to 40 % slower when it overlaps).
  void launch_cold() const {
    if (blocks_of_cold_ > 0) formats::launch_blocks(*cold_, blocks_of_cold_, arguments_);
  }

 private:
  uint64_t blocks_of_cold_;
  MxvTileCompositeArguments arguments_;
  const runtime::Kernel *tiles_ = nullptr, *cold_ = nullptr;
  runtime::LaunchShape shape_;  ///< of the tiles
};

/// What the tiles and the cold part sum, before it meets: by slot.
Buffer run_parts(const MatrixVectorRun& run, const TileComposite& matrix, const Operands& u,
                 size_t value_bytes) {
  Buffer sums(matrix.slots * value_bytes);
  const Parts parts(run, matrix, u, sums);
  parts.launch_tiles();
  parts.launch_cold();
  return sums;
}

void combine(const MatrixVectorRun& run, const TileComposite& matrix, const Buffer& sums,
             const DeviceVector& t, bool full_result) {
  TileCombineArguments a;
  a.mask = run.mask.view;
  a.result = t.view();
  a.sums = sums.data();
  a.row_offsets = matrix.row_offsets.as<uint32_t>();
  a.row_slots = matrix.row_slots.as<uint32_t>();
  a.long_rows = matrix.long_rows.as<uint32_t>();
  a.long_count = matrix.long_count;
  a.rows = run.rows();
  const uint64_t blocks = formats::blocks_for(a.long_count, 8) + formats::blocks_for(a.rows);
  const runtime::Kernel& kernel = product_kernel<TileCombineArguments>(
      run, mxv_tile_composite_header, "tile_combine", [&](const std::string& stem) {
        return template_id(stem, {run.call.semiring.add.source, run.mask.name(), text_of(full_result)});
      });
  const bool after_tiles = matrix.steps == matrix.cold_step;  // for the same reason
  formats::launch_blocks(kernel, blocks, a, /*overlaps=*/!after_tiles);
}

/// u is full. The format is made at the first call. Three launches, four when there is a cold part.
DeviceVector pull_by_tile_composite(const MatrixVectorRun& run,
                                    const formats::TileCompositeParameters& parameters) {
  const bool transposed = run.call.transpose_matrix;
  const Type& operand = operand_of(run.call);
  run.call.matrix.by_rows(transposed);  // a use
  const TileComposite& matrix = run.call.matrix.derived(
      transposed, TileComposite::Key{operand.size},
      [&](const formats::Csr& rows) { return formats::make_tile_composite(rows, parameters); });
  const Operands u = gather(run, matrix, operand);
  const bool full_result = pattern_is_known(run);
  DeviceVector t = new_result(run, full_result);
  combine(run, matrix, run_parts(run, matrix, u, t.type.size), t, full_result);
  return t;
}

}  // namespace

const MxvKernel mxv_tile_composite = {
    {"mxv_tile_composite"},
    {.cost = cost_of_tile_composite,
     .plan = [](const MxvProblem& p, const Hardware& h) -> MxvLaunch {
       return {[parameters = plan_tile_composite(p, h)](const MatrixVectorRun& run) {
         return pull_by_tile_composite(run, parameters);
       }};
     },
     .numbers = NumbersId("tile_composite"),
     .format = "tile_composite",
     .derives = {typeid(TileComposite::Key)},
     .samples_columns = true,
     .describe =
         [](const MatrixVectorRun& run, bool, MxvProblem& p) {
           const TileComposite* made = run.call.matrix.find_derived(
               run.call.transpose_matrix, TileComposite::Key{operand_bytes(run.call)});
           if (p.tile_columns == 0 || made == nullptr) return;
           p.ready_formats.insert(&mxv_tile_composite);
           p.tiles_made = made->parameters.tiles;
         }}};

std::function<void()> tiles_alone(const MatrixVector& call, const TileComposite& matrix) {
  const PreparedMask mask{};
  const MatrixVectorRun run{call, mask};
  const Operands u = gather(run, matrix, operand_of(call));
  const Buffer sums(matrix.slots * call.semiring.add.type().size);
  return [parts = Parts(run, matrix, u, sums), u, sums] { parts.launch_tiles(); };
}

}  // namespace cugrb::operations
