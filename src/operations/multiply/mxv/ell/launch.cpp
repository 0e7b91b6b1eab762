// The matrix-vector kernels on ELLPACK storage: whole and in slices.
#include "src/operations/multiply/mxv/ell/ell.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Ell;
using formats::SlicePlan;

const SlicePlan& slice_plan(const DeviceMatrix& matrix, bool transposed) {
  return *find_slice_plan(matrix, transposed, 0);
}

const SlicePlan* find_slice_plan(const DeviceMatrix& matrix, bool transposed, uint64_t patience) {
  return matrix.derived_later(transposed, formats::OfPattern<SlicePlan>(), patience,
                              [](const Csr& rows) { return formats::begin_slices(rows); });
}

const Ell& sell_of(const DeviceMatrix& matrix, bool transposed) {
  const SlicePlan& plan = slice_plan(matrix, transposed);
  return matrix.derived(transposed, Ell::Sliced(),
                        [&](const Csr& rows) { return formats::make_sell(rows, plan); });
}

namespace {

const Ell& ell_of(const MatrixVectorRun& run, bool sliced) {
  const DeviceMatrix& matrix = run.call.matrix;
  const bool transposed = run.call.transpose_matrix;
  if (sliced) return sell_of(matrix, transposed);
  const uint64_t longest = matrix.row_lengths(transposed).longest;
  return matrix.derived(transposed, Ell::Whole(),
                        [&](const Csr& rows) { return formats::make_ell(rows, longest); });
}

}  // namespace

void pull_ell(const MatrixVectorRun& run, const Pull& pull, const Ell& ell) {
  CsrView positions;
  positions.columns = ell.column_indices.data();
  positions.values = ell.values.data();
  positions.rows = ell.rows;
  positions.columns_count = ell.columns;
  positions.entries = ell.entries;
  MxvEllArguments arguments;
  arguments.operands = operands_of(run, positions, pull.vector, pull.t, ell.bytes());
  arguments.ell = ell.view();
  launch_product(
      run, "mxv_ell.h", ell.sliced ? "mxv_sell" : "mxv_ell", formats::blocks_for(ell.rows), arguments,
      [&](const std::string& stem) {
        const std::string matrix =
            template_id("ell_rows", {ell.layout(), formats::index_type(ell.column_width),
                                     values_id(ell.type, run.reads_matrix(), ell.iso)});
        return template_id(stem, {product_id(run, pull, matrix), run.mask.name(), text_of(pull.full_result)});
      });
}

namespace {

/// One launch.
DeviceVector pull_by_ell(const MatrixVectorRun& run, bool sliced) {
  Pull pull(run);
  pull_ell(run, pull, ell_of(run, sliced));
  return std::move(pull.t);
}

}  // namespace

const MxvKernel mxv_ell = {
    {"mxv_ell"},
    {.cost = cost_of_ell,
     .plan = always([](const MatrixVectorRun& run) { return pull_by_ell(run, /*sliced=*/false); }),
     .numbers = NumbersId("ell"),
     .format = "ell",
     .derives = {typeid(Ell::Whole)}}};

const MxvKernel mxv_sell = {
    {"mxv_sell"},
    {.cost = [](const MxvProblem& p, const Hardware& h) { return cost_of_sell(p, h, "sell"); },
     .plan = always([](const MatrixVectorRun& run) { return pull_by_ell(run, /*sliced=*/true); }),
     .numbers = NumbersId("sell"),
     .format = "sell",
     .derives = {typeid(Ell::Sliced)}}};

}  // namespace cugrb::operations
