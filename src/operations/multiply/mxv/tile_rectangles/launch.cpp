// The matrix-vector product on the paper's tiles of packed rows (cuda/kernels/mxv_tile_rectangles.h): u in
// the order of the columns' lengths, then a launch for each tile and one for the sparser sub-matrix.
#include "src/operations/multiply/mxv/tile_rectangles/tile_rectangles.h"

#include "cuda/views/tile_composite.h"
#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::TileRectangles;
using runtime::Buffer;

namespace {

const Type& operand_of(const MatrixVector& call) {
  return call.vector_first ? call.semiring.multiply.x : call.semiring.multiply.y;
}

/// u by rank.
Buffer reorder(const MatrixVectorRun& run, const TileRectangles& matrix) {
  const DeviceVector& u = run.call.vector;
  const Type& operand = operand_of(run.call);
  Buffer reordered(u.length * operand.size);
  TileGatherArguments a;
  a.vector = u.view();
  a.gathered_columns = matrix.order.as<uint32_t>();
  a.gathered = u.length;
  a.reordered = reordered.data();
  launch_product(run, "mxv_tile_composite.h", "tile_gather",
                 formats::blocks_for(a.gathered, TileGatherArguments::block_places), a,
                 [&](const std::string& stem) {
                   return template_id(stem, {values_id(u.type, true, false), operand.name});
                 });
  return reordered;
}

DeviceVector pull_by_tile_rectangles(const MatrixVectorRun& run, size_t value_bytes,
                                     const formats::TileRectanglesParameters& parameters) {
  const bool transposed = run.call.transpose_matrix;
  run.call.matrix.by_rows(transposed);  // a use
  const TileRectangles& matrix = run.call.matrix.derived(
      transposed, TileRectangles::Key{value_bytes},
      [&](const formats::Csr& rows) { return formats::make_tile_rectangles(rows, parameters); });
  const Buffer reordered = reorder(run, matrix);
  DeviceVector t = new_result(run, /*known_pattern=*/false);
  t.present.fill(0);
  MxvTileRectanglesArguments a;
  a.workloads = matrix.workloads.as<TileRectangle>();
  a.rows = matrix.packed_rows.as<uint32_t>();
  a.columns = matrix.column_ranks.as<uint32_t>();
  a.values = matrix.values.data();
  a.reordered = reordered.data();
  a.mask = run.mask.view;
  a.result = t.view();
  for (size_t part = 0; part <= matrix.tiles(); ++part) {
    a.first = matrix.first_workload[part];
    a.count = matrix.first_workload[part + 1] - a.first;
    launch_product(run, "mxv_tile_rectangles.h", "mxv_tile_rectangles",
                   formats::blocks_for(a.count, formats::block_threads / 32), a,
                   [&](const std::string& stem) {
                     const std::string values = values_id(matrix.type, run.reads_matrix(), matrix.iso);
                     return template_id(stem, {template_id("tile_product", {run.call.semiring.source, values,
                                                                            text_of(run.call.vector_first)}),
                                               run.mask.name()});
                   });
  }
  return t;
}

}  // namespace

const MxvKernel mxv_tile_rectangles = {
    {"mxv_tile_rectangles", Role::reference},
    {.cost = cost_of_tile_rectangles,
     .plan = [](const MxvProblem& p, const Hardware& h) -> MxvLaunch {
       return {[bytes = p.matrix_value_bytes, parameters = plan_tile_rectangles(p, h)](
                   const MatrixVectorRun& run) { return pull_by_tile_rectangles(run, bytes, parameters); }};
     },
     .format = "tile_rectangles",
     .derives = {typeid(TileRectangles::Key)},
     .describe =
         [](const MatrixVectorRun& run, bool, MxvProblem& p) {
           if (run.call.matrix.find_derived(run.call.transpose_matrix,
                                            TileRectangles::Key{p.matrix_value_bytes}) != nullptr)
             p.ready_formats.insert(&mxv_tile_rectangles);
         }}};

}  // namespace cugrb::operations
