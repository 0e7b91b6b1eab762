// The matrix-vector product on tile-composite (cuda/kernels/mxv_tile_composite.h): gather u, the cold part by
// merge path, the tiles, and the sums that meet.
#include <cstdlib>
#include "src/formats/tile_composite.h"
#include "src/operations/mxv_pull.h"

namespace cugrb::operations {

using formats::TileComposite;
using runtime::Buffer;

namespace {

constexpr char header[] = "mxv_tile_composite.h";

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
  formats::launch_blocks(header, template_id("tile_gather", {values_id(u.type, true, false), operand.name}),
                         formats::blocks_for(a.gathered + a.copied, 1024), a, preamble_of(run));
  return operands;
}

/// What the tiles and the cold part sum, before it meets: by slot.
Buffer run_parts(const MatrixVectorRun& run, const TileComposite& matrix, const Operands& u,
                 size_t operand_bytes, size_t value_bytes) {
  Buffer sums(matrix.slots * value_bytes);
  MxvTileCompositeArguments a;
  a.matrix = matrix.view();
  a.reordered = u.reordered.data();
  a.others = u.others;
  a.popular = uint32_t(matrix.parameters.gathered);
  a.shares = matrix.shares.as<TileShare>();
  a.cold = matrix.parts.back();
  a.sums = sums.data();
  const std::string values = values_id(run.call.matrix.type, run.reads_matrix(), matrix.iso);
  const std::string product =
      template_id("tile_product", {run.call.semiring.source, values, text_of(run.call.vector_first)});
  // Steps whose loads a warp has in flight: 2 to 8 measured within 4 %, bounded by the 64 registers of a
  // thread.
  const Type& operand = run.call.vector_first ? run.call.semiring.multiply.y : run.call.semiring.multiply.x;
  const std::string ahead = run.reads_matrix() && operand.size >= 8 ? "2" : "4";
  runtime::LaunchShape shape;
  shape.blocks = matrix.share_count;
  shape.threads = matrix.parameters.warps_of_block * 32;
  shape.shared_bytes = matrix.parameters.tile_columns * operand_bytes;
  const jit::Request tiles{header, template_id("mxv_tile_composite", {product, ahead}), preamble_of(run)};
  runtime::launch(runtime::device(), jit::kernel(tiles), shape, a);
  if (matrix.steps > matrix.cold_step) {
    formats::launch_blocks(header, template_id("mxv_tile_composite_cold", {product, ahead}),
                           formats::blocks_for(a.cold.warps, 8), a, preamble_of(run));
  }
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
  formats::launch_blocks(header, name, formats::blocks_for(a.long_count, 8) + formats::blocks_for(a.rows), a,
                         preamble_of(run));
}

}  // namespace

DeviceVector pull_by_tile_composite(const MatrixVectorRun& run,
                                    const formats::TileCompositeParameters& parameters) {
  const bool transposed = run.call.transpose_matrix;
  const Type& operand = run.call.vector_first ? run.call.semiring.multiply.x : run.call.semiring.multiply.y;
  run.call.matrix.by_rows(transposed);  // a use
  const auto& matrix = run.call.matrix.derived<TileComposite>(
      transposed, formats::tile_composite_key(operand.size), [&](const formats::Csr& rows) {
        return formats::make_tile_composite(rows, formats::popularity_of(run.call.matrix, transposed),
                                            parameters);
      });
  const Operands u = gather(run, matrix, operand);
  const bool full_result = run.mask.allows_all && run.call.matrix.row_lengths(transposed).empty == 0;
  DeviceVector t = new_result(run, full_result);
  combine(run, matrix, run_parts(run, matrix, u, operand.size, t.type.size), t);
  return t;
}

}  // namespace cugrb::operations
