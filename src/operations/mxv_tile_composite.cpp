// The matrix-vector product on tile-composite (cuda/kernels/mxv_tile_composite.h): gather u, the tiles, the
// cold part, and the sums that meet.
#include "src/operations/mxv_tile_composite.h"

#include "src/operations/mxv_pull.h"

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
  formats::launch_blocks(mxv_tile_composite_header,
                         template_id("tile_gather", {values_id(u.type, true, false), operand.name}),
                         formats::blocks_for(a.gathered + a.copied, 1024), a, preamble_of(run));
  return operands;
}

const Type& operand_of(const MatrixVector& call) {
  return call.vector_first ? call.semiring.multiply.x : call.semiring.multiply.y;
}

/// The launches that sum rows in tiles and in the cold part.
class Parts {
 public:
  Parts(const MatrixVectorRun& run, const TileComposite& matrix, const Operands& u, const Buffer& sums)
      : matrix_(matrix) {
    arguments_.matrix = matrix.view();
    arguments_.reordered = u.reordered.data();
    arguments_.others = u.others;
    arguments_.popular = uint32_t(matrix.parameters.gathered);
    arguments_.shares = matrix.shares.as<TileShare>();
    arguments_.cold = matrix.parts.back();
    arguments_.sums = sums.data();
    const std::string values = values_id(run.call.matrix.type, run.reads_matrix(), matrix.iso);
    product_ =
        template_id("tile_product", {run.call.semiring.source, values, text_of(run.call.vector_first)});
    // Steps whose loads a warp has in flight: 2 to 8 measured within 4 %, bounded by the 64 registers of a
    // thread.
    const BinaryOp& multiply = run.call.semiring.multiply;
    const Type& loaded = run.call.vector_first ? multiply.y : multiply.x;
    ahead_ = run.reads_matrix() && loaded.size >= 8 ? "2" : "4";
    preamble_ = preamble_of(run);
    tiles_ = &jit::kernel(
        {mxv_tile_composite_header, template_id("mxv_tile_composite", {product_, ahead_}), preamble_});
    shape_.blocks = matrix.share_count;
    shape_.threads = matrix.parameters.warps_of_block * 32;
    shape_.shared_bytes = matrix.parameters.tile_columns * operand_of(run.call).size;
  }

  void launch_tiles() const { runtime::launch(runtime::device(), *tiles_, shape_, arguments_); }

  void launch_cold() const {
    if (matrix_.steps == matrix_.cold_step) return;
    formats::launch_blocks(mxv_tile_composite_header,
                           template_id("mxv_tile_composite_cold", {product_, ahead_}),
                           formats::blocks_for(arguments_.cold.warps, 8), arguments_, preamble_);
  }

 private:
  const TileComposite& matrix_;
  MxvTileCompositeArguments arguments_;
  std::string product_, ahead_, preamble_;
  const runtime::Kernel* tiles_;
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
             const DeviceVector& t) {
  TileCombineArguments a;
  a.mask = run.mask.view;
  a.result = t.view();
  a.sums = sums.data();
  a.row_offsets = matrix.row_offsets.as<uint32_t>();
  a.row_slots = matrix.row_slots.as<uint32_t>();
  a.long_rows = matrix.long_rows.as<uint32_t>();
  a.long_count = matrix.long_count;
  a.rows = run.rows();
  const std::string name = template_id(
      "tile_combine", {run.call.semiring.add.source, run.mask.name, text_of(t.form == Form::full)});
  formats::launch_blocks(mxv_tile_composite_header, name,
                         formats::blocks_for(a.long_count, 8) + formats::blocks_for(a.rows), a,
                         preamble_of(run));
}

}  // namespace

DeviceVector pull_by_tile_composite(const MatrixVectorRun& run,
                                    const formats::TileCompositeParameters& parameters) {
  const bool transposed = run.call.transpose_matrix;
  const Type& operand = operand_of(run.call);
  run.call.matrix.by_rows(transposed);  // a use
  const auto& matrix = run.call.matrix.derived<TileComposite>(
      transposed, formats::tile_composite_key(operand.size), [&](const formats::Csr& rows) {
        return formats::make_tile_composite(rows, formats::popularity_of(run.call.matrix, transposed),
                                            parameters);
      });
  const Operands u = gather(run, matrix, operand);
  const bool full_result = run.mask.allows_all && run.call.matrix.row_lengths(transposed).empty == 0;
  DeviceVector t = new_result(run, full_result);
  combine(run, matrix, run_parts(run, matrix, u, t.type.size), t);
  return t;
}

std::function<void()> tiles_alone(const MatrixVector& call, const TileComposite& matrix) {
  const PreparedMask mask = prepare_mask({});
  const MatrixVectorRun run{call, mask};
  const Operands u = gather(run, matrix, operand_of(call));
  const Buffer sums(matrix.slots * call.semiring.add.type().size);
  return [parts = Parts(run, matrix, u, sums), u, sums] { parts.launch_tiles(); };
}

}  // namespace cugrb::operations
