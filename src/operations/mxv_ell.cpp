// The matrix-vector kernels on ELLPACK storage: whole and in slices.
#include "src/formats/ell.h"
#include "src/operations/mxv_pull.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Ell;
using formats::SlicePlan;

std::string ell_rows_id(const MatrixVectorRun& run, const Ell& ell) {
  return template_id("ell_rows", {ell.layout(), formats::index_type(ell.column_width),
                                  values_id(ell.type, run.reads_matrix(), ell.iso)});
}

CsrView positions_of(const Ell& ell) {
  CsrView view;
  view.columns = ell.column_indices.data();
  view.values = ell.values.data();
  view.rows = ell.rows;
  view.columns_count = ell.columns;
  view.entries = ell.entries;
  return view;
}

const SlicePlan& slice_plan(const DeviceMatrix& matrix, bool transposed) {
  return matrix.derived<SlicePlan>(transposed, "slices",
                                   [](const Csr& rows) { return formats::plan_slices(rows); });
}

namespace {

const Ell& ell_of(const MatrixVectorRun& run, bool sliced) {
  const DeviceMatrix& matrix = run.call.matrix;
  const bool transposed = run.call.transpose_matrix;
  if (sliced) {
    const SlicePlan& plan = slice_plan(matrix, transposed);
    return matrix.derived<Ell>(transposed, "sell",
                               [&](const Csr& rows) { return formats::make_sell(rows, plan); });
  }
  const uint64_t longest = matrix.row_lengths(transposed).longest;
  return matrix.derived<Ell>(transposed, "ell",
                             [&](const Csr& rows) { return formats::make_ell(rows, longest); });
}

}  // namespace

DeviceVector pull_by_ell(const MatrixVectorRun& run, bool sliced) {
  Pull pull(run);
  const Ell& ell = ell_of(run, sliced);
  const std::string product =
      product_id(run, ell_rows_id(run, ell), operand_id(pull.vector, run.reads_vector()));
  MxvEllArguments arguments;
  arguments.operands = operands_of(run, positions_of(ell), pull.vector, pull.t);
  arguments.ell = ell.view();
  formats::launch_blocks(
      "mxv_ell.h",
      template_id(sliced ? "mxv_sell" : "mxv_ell", {product, run.mask.name, text_of(pull.full_result)}),
      formats::blocks_for(ell.rows), arguments, preamble_of(run));
  return std::move(pull.t);
}

}  // namespace cugrb::operations
