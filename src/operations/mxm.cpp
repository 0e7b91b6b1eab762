// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)): what is asked, which kernel answers it, and the one
// exit.
#include "src/operations/matrix_write_back.h"
#include "src/operations/mxm_rows.h"
#include "src/operations/operations.h"
#include "src/support/declined.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;

namespace {

void check_factors(const MatrixMatrix& call) {
  const BinaryOp& multiply = call.semiring.multiply;
  const auto casts = [](const Type& from, const Type& to, bool read) {
    if (read && from != to && (from.is_user() || to.is_user())) {
      throw Declined("no typecast between " + from.name + " and " + to.name);
    }
  };
  casts(call.a.type, multiply.x, multiply.reads_x);
  casts(call.b.type, multiply.y, multiply.reads_y);
}

bool has_no_terms(const PreparedMatrixMask& mask, const MatrixMatrix& call) {
  return mask.allows_none || call.a.nvals() == 0 || call.b.nvals() == 0;
}

/// The orientation in which the fewest matrices must be transposed first; C's own where that does not matter.
bool best_flipped(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool dot, bool c_by_column) {
  const auto missing = [&](bool flipped) {
    const MatrixMatrixRun run{call, mask, flipped};
    const int for_mask = mask.matrix != nullptr && !mask.matrix->has_rows(flipped);
    return (dot ? run.missing_for_dot() : run.missing_for_rows()) + for_mask;
  };
  const int by_rows = missing(false), by_columns = missing(true);
  return by_rows == by_columns ? c_by_column : by_columns < by_rows;
}

/// A value for each element of `values` that has one (all of them, when `has` is empty).
DeviceVector as_vector(const Type& type, uint64_t elements, const runtime::Buffer& values,
                       const runtime::Buffer& has) {
  DeviceVector vector;
  vector.type = type;
  vector.length = elements;
  vector.form = has ? Form::bitmap : Form::full;
  vector.values = values;
  vector.present = has;
  if (has) vector.forget_nvals();
  return vector;
}

bool dots_apply(const PreparedMatrixMask& mask) { return mask.matrix != nullptr && !mask.complement; }

}  // namespace

void mxm(const MatrixOutput& c, const MatrixMatrix& call) {
  check_types(c, call.semiring.add.type());
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  const bool dot = dots_apply(mask) && settings().force != "mxm_rows" && settings().force != "mxm_sort";
  const MatrixMatrixRun run{call, mask, best_flipped(mask, call, dot, c.matrix.by_column)};
  if (has_no_terms(mask, call)) {
    write_back(c, mask, empty_csr(run.type(), run.rows(), run.columns()), run.flipped, /*masked=*/true);
    return;
  }
  if (dot) return write_back(c, mask, compact(run, masked_dots(run)), run.flipped, /*masked=*/true);
  const bool by_sort = settings().force == "mxm_sort" || !rows_refusal(run).empty();
  write_back(c, mask, multiply_rows(run, by_sort), run.flipped, /*masked=*/false);
}

std::optional<Value> reduce_mxm(const Monoid& monoid, const MatrixMask& matrix_mask,
                                const MatrixMatrix& call) {
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(matrix_mask);
  if (has_no_terms(mask, call)) return monoid.identity;
  if (!dots_apply(mask)) throw Declined("a reduced mxm without a mask, or with a complemented one");
  const MatrixMatrixRun run{call, mask, best_flipped(mask, call, true, false)};
  const MaskedDots dots = masked_dots(run);
  return reduce(monoid, as_vector(run.type(), dots.mask->entries, dots.values, dots.has));
}

std::optional<Value> reduce(const Monoid& monoid, const DeviceMatrix& a) {
  DeviceVector values = as_vector(a.type, a.stored.entries, a.stored.values, {});
  values.iso = a.stored.iso;
  return reduce(monoid, values);
}

}  // namespace cugrb::operations
