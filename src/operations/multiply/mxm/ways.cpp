#include "src/operations/multiply/mxm/ways.h"

#include <algorithm>
#include <cmath>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxm/estimate.h"
#include "src/operations/multiply/mxm/rows/profile.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

namespace {

int missing_for(const MatrixMatrixRun& run, Way way) {
  return way == Way::dot     ? run.missing_for_dot()
         : way == Way::outer ? run.missing_for_outer()
                             : run.missing_for_rows();
}

/// Mean length of the rows that entries belong to, E(X^2)/E(X): in a skewed graph mostly of long rows.
double biased_length(const DeviceMatrix& matrix, bool transposed) {
  const formats::RowLengths lengths = matrix.row_lengths(transposed);
  return lengths.mean > 0 ? lengths.mean + lengths.deviation * lengths.deviation / lengths.mean : 0;
}

/// Where counting them would take a transposition first: each left entry (r,k) meets a row k of the right
/// factor, the long ones most.
double estimated_products(const MatrixMatrixRun& run) {
  return double(run.left_matrix().nvals()) * biased_length(run.right_matrix(), run.right_transposed());
}

/// A dot product's two rows belong to entries of the mask; for want of the mask's own rows, to entries.
selector::DotWork estimated_dot_work(const MatrixMatrixRun& run) {
  const double left = biased_length(run.left_matrix(), run.left_transposed());
  const double right = biased_length(run.right_matrix(), !run.right_transposed());
  const double longer = std::max(left, right), searches = std::min(left, right) * std::log2(2 + longer);
  const double mask = double(run.mask.matrix->nvals());
  if (left <= double(longest_searched_row) || searches < right) return {mask * searches, 0, searches / 8};
  return {0, mask * right, right / 16};
}

/// Of an entry, where values are read.
size_t value_bytes(const DeviceMatrix& matrix, bool read) {
  return read && !matrix.stored.iso ? matrix.type.size : 0;
}

/// What the kernels cost that take T's few rows or columns for vectors.
void describe_vectors(selector::MxmProblem& p, const MatrixMatrixRun& run) {
  p.vector_rows = run.rows();
  p.vector_right_entries = run.right_matrix().nvals();
  p.vector_entries = run.left_matrix().nvals();
  p.vector_mask_entries = run.mask.matrix == nullptr ? 0 : run.mask.matrix->nvals();
  p.vector_value_bytes = value_bytes(run.left_matrix(), run.reads_left());
  p.matrix_value_bytes = value_bytes(run.right_matrix(), run.reads_right());
}

/// `references`: they have their say, too, else `forced` alone.
selector::MxmProblem describe(const Ways& ways, const selector::Hardware& hardware, const Kernel* forced,
                              References references) {
  const MatrixMatrixRun& run = ways.rows;
  const MatrixMatrix& call = ways.call;
  const Monoid& add = call.semiring.add;
  selector::MxmProblem p;
  p.operation = "mxm " + call.semiring.name;
  p.rows = run.rows();
  p.columns = run.columns();
  p.inner = call.transpose_a ? call.a.rows : call.a.columns;
  p.left_entries = run.left_matrix().nvals();
  p.right_entries = run.right_matrix().nvals();
  const bool scales = ways.scale.refusal.empty();
  p.products_counted = bool(ways.profile.products) || scales;
  p.products = ways.profile.products ? double(ways.profile.totals.products)
               : scales              ? double(ways.scale.entries())
               : ways.bounded        ? ways.bounded->products
                                     : estimated_products(run);
  p.column_bytes = formats::bytes_of(formats::index_width(p.columns));
  p.value_bytes = value_bytes(call.a, call.semiring.multiply.reads_x) +
                  value_bytes(call.b, call.semiring.multiply.reads_y);
  p.result_bytes = run.type().size;
  p.usable_bytes = double(usable_bytes());
  p.stops_at_once = add.ends_at_once();
  describe_vectors(p, ways.vectors);
  p.mask = mask_use(ways.mask);
  if (p.mask == selector::MaskUse::selects) p.mask_entries = ways.mask.matrix->nvals();
  p.met = ways.profile.met();
  p.entries =
      scales ? selector::ResultEntries{selector::ResultEntries::Source::scaled_factor, p.products, p.products}
             : selector::uncounted_entries(p);
  const RowTotals& totals = ways.profile.totals;
  p.weights = ways.profile.products ? selector::RowWeights{double(totals.medium),     double(totals.heavy),
                                                           double(totals.heavy_rows), double(totals.heaviest),
                                                           double(totals.of_short),   double(totals.merged)}
                                    : selector::weights_by_means(p);
  for (const MxmKernel* kernel : mxm_kernels()) {
    const bool asked =
        kernel->role == Role::candidate || kernel == forced || references == References::listed;
    if (asked && kernel->describe) kernel->describe(ways, hardware, p);
  }
  return p;
}

}  // namespace

uint64_t transposed_entries(const MatrixMatrixRun& run, Way way) {
  const bool left =
      !run.left_matrix().has_rows(way == Way::outer ? !run.left_transposed() : run.left_transposed());
  const bool right =
      !run.right_matrix().has_rows(way == Way::dot ? !run.right_transposed() : run.right_transposed());
  const DeviceMatrix* mask = run.mask.matrix;
  return (left ? run.left_matrix().nvals() : 0) + (right ? run.right_matrix().nvals() : 0) +
         (mask != nullptr && !mask->has_rows(run.flipped) ? mask->nvals() : 0);
}

selector::DotWork work_of_dots(const MatrixMatrixRun& run) {
  const bool there = run.missing_for_dot() == 0 && run.mask.matrix->has_rows(run.flipped);
  return there ? dot_work(run) : estimated_dot_work(run);
}

MatrixMatrixRun oriented(const PreparedMatrixMask& mask, const MatrixMatrix& call, Way way,
                         bool c_by_column) {
  const auto missing = [&](bool flipped) {
    const int for_mask = mask.matrix != nullptr && !mask.matrix->has_rows(flipped);
    return missing_for({call, mask, flipped}, way) + for_mask;
  };
  const int by_rows = missing(false), by_columns = missing(true);
  return {call, mask, by_rows == by_columns ? c_by_column : by_columns < by_rows};
}

Ways::Ways(const PreparedMatrixMask& asked_mask, const MatrixMatrix& asked, bool c_by_column,
           RowsCounted counted)
    : mask(asked_mask),
      call(asked),
      dot(oriented(mask, call, Way::dot, c_by_column)),
      rows(oriented(mask, call, Way::rows, c_by_column)),
      outer(oriented(mask, call, Way::outer, c_by_column)),
      vectors{call, mask, rows.result_columns() < rows.result_rows()},
      scale(mask, call, c_by_column) {
  // Of a diagonal factor's product nothing is unknown.
  if (rows.missing_for_rows() == 0 && !scale.refusal.empty()) look_at_rows(counted);
}

void Ways::look_at_rows(RowsCounted counted) {
  bounded = bounded_rows(rows);
  // Under a mask the choice may hang on the products.
  if (bounded && mask.matrix == nullptr && counted == RowsCounted::where_it_matters) return;
  profile = profile_rows(rows);
}

RowProfile& Ways::counted() {
  if (!profile.products) profile = profile_rows(rows);
  return profile;
}

MxmOutlook plan_mxm(const Ways& ways, const selector::Hardware& hardware, const selector::Kernel* forced,
                    RowsCounted counted) {
  const References references = counted == RowsCounted::always ? References::listed : References::left_out;
  MxmOutlook plan;
  plan.problem = describe(ways, hardware, forced, references);
  if (can_count_rows(ways.rows, ways.profile) &&
      (counted == RowsCounted::always || depends_on_entries(plan.problem, hardware, forced))) {
    plan.problem.entries = estimate_entries(ways.rows, ways.profile);
  }
  plan.decision = choose_mxm(plan.problem, hardware, forced, references);
  return plan;
}

}  // namespace cugrb::operations
