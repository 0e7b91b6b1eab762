// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)): what is asked, which kernel answers it, and the one
// exit.
#include "src/operations/matrix_write_back.h"
#include "src/operations/mxm_dense.h"
#include "src/operations/mxm_rows.h"
#include "src/operations/mxm_scale.h"
#include "src/operations/mxm_vectors.h"
#include "src/operations/operations.h"
#include "src/selector/mxm_model.h"
#include "src/support/declined.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;

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

namespace {

bool has_no_terms(const PreparedMatrixMask& mask, const MatrixMatrix& call) {
  return mask.allows_none || call.a.nvals() == 0 || call.b.nvals() == 0;
}

enum class Way : uint8_t { dot, rows, outer };

int missing_for(const MatrixMatrixRun& run, Way way) {
  return way == Way::dot     ? run.missing_for_dot()
         : way == Way::outer ? run.missing_for_outer()
                             : run.missing_for_rows();
}

/// The orientation in which the fewest matrices must be transposed first; C's own where that does not matter.
MatrixMatrixRun oriented(const PreparedMatrixMask& mask, const MatrixMatrix& call, Way way,
                         bool c_by_column) {
  const auto missing = [&](bool flipped) {
    const int for_mask = mask.matrix != nullptr && !mask.matrix->has_rows(flipped);
    return missing_for({call, mask, flipped}, way) + for_mask;
  };
  const int by_rows = missing(false), by_columns = missing(true);
  return {call, mask, by_rows == by_columns ? c_by_column : by_columns < by_rows};
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

/// The ways to make T, each in its best orientation.
struct Ways {
  MatrixMatrixRun dot, rows, outer, vectors;
  Scaling scale;
  RowProfile profile;  ///< of `rows`; empty when that would take a transposition first

  Ways(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool c_by_column)
      : dot(oriented(mask, call, Way::dot, c_by_column)),
        rows(oriented(mask, call, Way::rows, c_by_column)),
        outer(oriented(mask, call, Way::outer, c_by_column)),
        vectors{call, mask, rows.result_columns() < rows.result_rows()},
        scale(mask, call, c_by_column) {
    if (rows.missing_for_rows() == 0) profile = profile_rows(rows);
  }
};

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

/// Where counting them would take a transposition first: each left entry (r,k) meets a row k of the right
/// factor of mean length, or, since the long rows of a skewed graph are those that are met most, of
/// E(X^2)/E(X).
double estimated_products(const MatrixMatrixRun& run) {
  const formats::RowLengths lengths = run.right_matrix().row_lengths(run.right_transposed());
  if (lengths.mean <= 0) return 0;
  return double(run.left_matrix().nvals()) *
         (lengths.mean + lengths.deviation * lengths.deviation / lengths.mean);
}

/// T's few rows or columns in one pass: neither the vectors nor the mask must be transposed.
void describe_dense(selector::MxmProblem& p, const MatrixMatrixRun& run) {
  const DeviceMatrix& right = run.right_matrix();
  const auto transposed = [&right](bool by) { return right.has_rows(by) ? 0 : right.nvals(); };
  const auto value_bytes = [](const DeviceMatrix& m, bool read) {
    return read && !m.stored.iso ? m.type.size : 0;
  };
  p.dense = {dense_refusal(run), transposed(!run.right_transposed())};
  p.dense_push = {dense_push_refusal(run), transposed(run.right_transposed())};
  p.vector_entries = run.left_matrix().nvals();
  p.vector_mask_entries = run.mask.matrix == nullptr ? 0 : run.mask.matrix->nvals();
  p.vector_value_bytes = value_bytes(run.left_matrix(), run.reads_left());
  p.matrix_value_bytes = value_bytes(right, run.reads_right());
}

selector::MxmProblem describe(const Ways& ways, const PreparedMatrixMask& mask, const MatrixMatrix& call) {
  const MatrixMatrixRun& run = ways.rows;
  const Monoid& add = call.semiring.add;
  selector::MxmProblem p;
  p.operation = "mxm " + call.semiring.name;
  p.rows = run.rows();
  p.columns = run.columns();
  p.inner = call.transpose_a ? call.a.rows : call.a.columns;
  p.left_entries = run.left_matrix().nvals();
  p.right_entries = run.right_matrix().nvals();
  p.products = ways.profile.products ? double(ways.profile.total) : estimated_products(run);
  p.column_bytes = formats::bytes_of(formats::index_width(p.columns));
  const auto value_bytes = [](const DeviceMatrix& m, bool read) {
    return read && !m.stored.iso ? m.type.size : 0;
  };
  p.value_bytes = value_bytes(call.a, call.semiring.multiply.reads_x) +
                  value_bytes(call.b, call.semiring.multiply.reads_y);
  p.result_bytes = run.type().size;
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
  p.outer = {outer_refusal(ways.outer), transposed_entries(ways.outer, Way::outer)};
  p.masked = mask.matrix != nullptr;
  if (!dots_apply(mask)) {
    p.dot.refusal = mask.matrix == nullptr ? "there is no mask" : "the mask is complemented";
    return p;
  }
  p.mask_entries = mask.matrix->nvals();
  p.dot.transposed_entries = transposed_entries(ways.dot, Way::dot);
  const auto deviation = [](const DeviceMatrix& m, bool transposed) {
    return m.has_rows(transposed) ? m.row_lengths(transposed).deviation : 0.0;
  };
  p.left_deviation = deviation(ways.dot.left_matrix(), ways.dot.left_transposed());
  p.right_deviation = deviation(ways.dot.right_matrix(), !ways.dot.right_transposed());
  return p;
}

selector::Decision choose(const Ways& ways, const PreparedMatrixMask& mask, const MatrixMatrix& call) {
  const selector::Hardware* hardware = selector::Hardware::of_device();
  if (hardware == nullptr) throw runtime::NoDevice(runtime::unavailable_reason());
  return selector::choose_mxm(describe(ways, mask, call), *hardware, settings().force);
}

}  // namespace

void mxm(const MatrixOutput& c, const MatrixMatrix& call) {
  check_types(c, call.semiring.add.type());
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  if (has_no_terms(mask, call)) {
    const MatrixMatrixRun run{call, mask, c.matrix.by_column};
    write_back(c, mask, empty_csr(run.type(), run.rows(), run.columns()), run.flipped, /*masked=*/true);
    return;
  }
  Ways ways(mask, call, c.matrix.by_column);
  const selector::Decision decision = choose(ways, mask, call);
  const std::string& kernel = decision.chosen.kernel;
  if (kernel == "mxm_dot") {
    write_back(c, mask, compact(ways.dot, masked_dots(ways.dot)), ways.dot.flipped, /*masked=*/true);
  } else if (kernel == "mxm_vectors") {
    write_back(c, mask, multiply_vectors(ways.vectors), ways.vectors.flipped, /*masked=*/true);
  } else if (kernel == "mxm_scale") {
    write_back(c, mask, multiply_scaling(ways.scale), ways.scale.run.flipped, /*masked=*/false);
  } else if (kernel == "mxm_dense" || kernel == "mxm_dense_push") {
    OrientedCsr t = multiply_dense(ways.vectors, kernel == "mxm_dense_push", c.matrix.by_column);
    write_back(c, mask, std::move(t.rows), t.flipped, /*masked=*/true);
  } else if (kernel == "mxm_outer") {
    write_back(c, mask, multiply_outer(ways.outer), ways.outer.flipped, /*masked=*/true);
  } else {
    if (!ways.profile.products) ways.profile = profile_rows(ways.rows);
    write_back(c, mask, multiply_rows(ways.rows, ways.profile, kernel == "mxm_sort"), ways.rows.flipped,
               /*masked=*/true);
  }
  selector::record(decision);  // last: the vectors' own products have left records
}

std::optional<Value> reduce_mxm(const Monoid& monoid, const MatrixMask& matrix_mask,
                                const MatrixMatrix& call) {
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(matrix_mask);
  if (has_no_terms(mask, call)) return monoid.identity;
  if (!dots_apply(mask)) {  // nothing to save: T is made
    const Type& type = call.semiring.add.type();
    DeviceMatrix t;
    t.type = type;
    t.rows = call.transpose_a ? call.a.columns : call.a.rows;
    t.columns = call.transpose_b ? call.b.rows : call.b.columns;
    t.stored = empty_csr(type, t.rows, t.columns);
    mxm({t, matrix_mask, std::nullopt, true}, call);
    return reduce(monoid, t);
  }
  const MatrixMatrixRun run = oriented(mask, call, Way::dot, false);
  const MaskedDots dots = masked_dots(run);
  return reduce(monoid, as_vector(run.type(), dots.mask->entries, dots.values, dots.has));
}

std::optional<Value> reduce(const Monoid& monoid, const DeviceMatrix& a) {
  DeviceVector values = as_vector(a.type, a.stored.entries, a.stored.values, {});
  values.iso = a.stored.iso;
  return reduce(monoid, values);
}

}  // namespace cugrb::operations
