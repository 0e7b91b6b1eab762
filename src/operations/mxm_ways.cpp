#include "src/operations/mxm_ways.h"

#include <algorithm>
#include <cmath>

#include "cuda/cusparse/cusparse.h"
#include "src/operations/mxm_cusparse.h"
#include "src/operations/mxm_dense.h"
#include "src/operations/mxm_estimate.h"
#include "src/operations/mxm_row_profile.h"
#include "src/operations/mxm_vectors.h"

namespace cugrb::operations {

namespace {

int missing_for(const MatrixMatrixRun& run, Way way) {
  return way == Way::dot     ? run.missing_for_dot()
         : way == Way::outer ? run.missing_for_outer()
                             : run.missing_for_rows();
}

/// Entries of the matrices that `way` must transpose first.
uint64_t transposed_entries(const MatrixMatrixRun& run, Way way) {
  const bool left =
      !run.left_matrix().has_rows(way == Way::outer ? !run.left_transposed() : run.left_transposed());
  const bool right =
      !run.right_matrix().has_rows(way == Way::dot ? !run.right_transposed() : run.right_transposed());
  const DeviceMatrix* mask = run.mask.matrix;
  return (left ? run.left_matrix().nvals() : 0) + (right ? run.right_matrix().nvals() : 0) +
         (mask != nullptr && !mask->has_rows(run.flipped) ? mask->nvals() : 0);
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

selector::DotWork work_of_dots(const MatrixMatrixRun& run) {
  const bool there = run.missing_for_dot() == 0 && run.mask.matrix->has_rows(run.flipped);
  return there ? dot_work(run) : estimated_dot_work(run);
}

/// Of an entry, where values are read.
size_t value_bytes(const DeviceMatrix& matrix, bool read) {
  return read && !matrix.stored.iso ? matrix.type.size : 0;
}

/// T's few rows or columns in one pass: neither the vectors nor the mask must be transposed.
void describe_dense(selector::MxmProblem& p, const MatrixMatrixRun& run) {
  const DeviceMatrix& right = run.right_matrix();
  const auto transposed = [&right](bool by) { return right.has_rows(by) ? 0 : right.nvals(); };
  p.dense = {dense_refusal(run), transposed(!run.right_transposed())};
  p.dense_push = {dense_push_refusal(run), transposed(run.right_transposed())};
  p.vector_entries = run.left_matrix().nvals();
  p.vector_mask_entries = run.mask.matrix == nullptr ? 0 : run.mask.matrix->nvals();
  p.vector_value_bytes = value_bytes(run.left_matrix(), run.reads_left());
  p.matrix_value_bytes = value_bytes(right, run.reads_right());
}

/// Of that hardware, not of the device that holds the factors.
void describe_cusparse(selector::MxmProblem& p, const Ways& ways, const selector::Hardware& hardware) {
  const bool here = hardware.emulated == (runtime::device().properties().kind == runtime::Kind::emulated);
  const cusparse::State state = here ? cusparse::state() : cusparse::State::closed;
  p.cusparse = {cusparse_refusal(ways.rows, ways.profile.totals.products),
                transposed_entries(ways.rows, Way::rows)};
  if (p.cusparse.refusal.empty() && state == cusparse::State::unavailable)
    p.cusparse.refusal = cusparse::unavailable_reason();
  p.cusparse_open = state != cusparse::State::closed;
  p.cusparse_calls = cusparse_calls();
}

selector::MxmProblem describe(const Ways& ways, const selector::Hardware& hardware) {
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
  p.stops_at_once = add.is_any || (add.terminal.has_value() && add.type().code == TypeCode::Bool);
  p.rows_by_hash = {rows_refusal(run), transposed_entries(run, Way::rows)};
  p.sort.transposed_entries = p.rows_by_hash.transposed_entries;
  // Pushing needs the right factor by rows, pulling its transpose: mxv chooses, and makes what it wants.
  p.vectors.refusal = vectors_refusal(ways.vectors);
  p.vectors.transposed_entries = ways.vectors.left_matrix().has_rows(ways.vectors.left_transposed())
                                     ? 0
                                     : ways.vectors.left_matrix().nvals();
  p.vector_rows = ways.vectors.rows();
  p.vector_right_entries = ways.vectors.right_matrix().nvals();
  describe_dense(p, ways.vectors);
  p.scale = {ways.scale.refusal, ways.scale.transposed_entries()};
  describe_cusparse(p, ways, hardware);
  p.outer = {outer_refusal(ways.outer), transposed_entries(ways.outer, Way::outer)};
  p.mask = mask_use(ways.mask);
  if (p.mask == selector::MaskUse::selects) {
    p.mask_entries = ways.mask.matrix->nvals();
    p.dot.transposed_entries = transposed_entries(ways.dot, Way::dot);
    p.dot_work = work_of_dots(ways.dot);
  } else {
    p.dot.refusal = ways.mask.matrix == nullptr ? "there is no mask" : "the mask is complemented";
  }
  p.met = ways.profile.met();
  p.entries =
      scales ? selector::ResultEntries{selector::ResultEntries::Source::scaled_factor, p.products, p.products}
             : selector::uncounted_entries(p);
  const RowTotals& totals = ways.profile.totals;
  p.weights = ways.profile.products ? selector::RowWeights{double(totals.medium),     double(totals.heavy),
                                                           double(totals.heavy_rows), double(totals.heaviest),
                                                           double(totals.of_short),   double(totals.merged)}
                                    : selector::weights_by_means(p);
  if (ways.bounded) {
    p.bounded = ways.bounded->merged ? selector::BoundedUse::merged : selector::BoundedUse::sorted;
    p.bounded_products = ways.bounded->most_products();
    p.bounded_room = double(ways.bounded->room);
  }
  p.has_windows = bool(ways.profile.windows);
  p.made_at_once =
      ways.profile.products ? double(made_at_once(run, ways.profile).products) : p.weights.of_short;
  return p;
}

}  // namespace

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

MxmOutlook plan_mxm(const Ways& ways, const selector::Hardware& hardware, const std::string& forced,
                    RowsCounted counted) {
  MxmOutlook plan;
  plan.problem = describe(ways, hardware);
  if (can_count_rows(ways.rows, ways.profile) &&
      (counted == RowsCounted::always || selector::depends_on_entries(plan.problem, hardware, forced))) {
    plan.problem.entries = estimate_entries(ways.rows, ways.profile);
  }
  plan.decision = selector::choose_mxm(plan.problem, hardware, forced);
  return plan;
}

}  // namespace cugrb::operations
