// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)): what is asked, which kernel answers it, and the one
// exit.
#include "cuda/cusparse/cusparse.h"
#include "src/operations/iso_product.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/mxm_cusparse.h"
#include "src/operations/mxm_dense.h"
#include "src/operations/mxm_vectors.h"
#include "src/operations/mxm_ways.h"
#include "src/operations/operations.h"
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

RowProfile& counted(Ways& ways) {
  if (!ways.profile.products) ways.profile = profile_rows(ways.rows);
  return ways.profile;
}

Csr make_rows(Ways& ways) {
  if (!ways.bounded && !ways.profile.products) ways.look_at_rows(RowsCounted::where_it_matters);
  return ways.bounded ? multiply_bounded(ways.rows, *ways.bounded)
                      : multiply_rows(ways.rows, ways.profile, /*all_by_sort=*/false);
}

/// T by the kernel that was chosen, in its orientation.
OrientedCsr make(Ways& ways, const std::string& kernel, bool c_by_column) {
  if (kernel == "mxm_dot") return {compact(ways.dot, masked_dots(ways.dot)), ways.dot.flipped};
  if (kernel == "mxm_vectors") return {multiply_vectors(ways.vectors), ways.vectors.flipped};
  if (kernel == "mxm_scale") return {multiply_scaling(ways.scale), ways.scale.run.flipped};
  if (kernel == "mxm_dense" || kernel == "mxm_dense_push")
    return multiply_dense(ways.vectors, kernel == "mxm_dense_push", c_by_column);
  if (kernel == "mxm_outer") return {multiply_outer(ways.outer), ways.outer.flipped};
  if (kernel == "mxm_rows") return {make_rows(ways), ways.rows.flipped};
  return {multiply_rows(ways.rows, counted(ways), /*all_by_sort=*/true), ways.rows.flipped};
}

/// Nothing where it failed; the plan is one without it then, and says why.
std::optional<OrientedCsr> made_by_cusparse(Ways& ways, MxmOutlook& plan,
                                            const selector::Hardware& hardware) {
  const auto choose_another = [&](const char* failure) {
    plan.problem.cusparse.refusal = failure;
    plan.decision = selector::choose_mxm(plan.problem, hardware, settings().force);
    if (plan.decision.chosen.reason.empty())
      plan.decision.chosen.reason = std::string("mxm_cusparse was chosen and failed: ") + failure;
  };
  try {
    return OrientedCsr{multiply_cusparse(ways.rows, counted(ways)), ways.rows.flipped};
  } catch (const cusparse::Failure& failure) {
    choose_another(failure.what());
  } catch (const runtime::OutOfMemory& failure) {
    choose_another(failure.what());
  }
  return std::nullopt;
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
  const auto value = one_product(call.semiring, factor_of(call.a), factor_of(call.b),
                                 call.transpose_a ? call.a.rows : call.a.columns);
  const MatrixMatrix pattern{pattern_semiring(), call.a, call.b, call.transpose_a, call.transpose_b};
  Ways ways(mask, value ? pattern : call, c.matrix.by_column, RowsCounted::where_it_matters);
  const selector::Hardware* hardware = selector::Hardware::of_device();
  if (hardware == nullptr) throw runtime::NoDevice(runtime::unavailable_reason());
  MxmOutlook plan = plan_mxm(ways, *hardware, settings().force, RowsCounted::where_it_matters);
  note_cusparse_call(plan.decision);
  std::optional<OrientedCsr> t;
  if (plan.decision.chosen.kernel == "mxm_cusparse") t = made_by_cusparse(ways, plan, *hardware);
  if (!t) t = make(ways, plan.decision.chosen.kernel, c.matrix.by_column);
  if (value) t->rows = with_values(t->rows, call.semiring.add.type(), *value, /*iso=*/true);
  // A diagonal factor's product is made without asking the mask.
  write_back(c, mask, std::move(t->rows), t->flipped, plan.decision.chosen.kernel != "mxm_scale");
  selector::record(plan.decision);  // last: the vectors' own products have left records
}

MxmOutlook decide_mxm(const MatrixMask& matrix_mask, const MatrixMatrix& call,
                      const selector::Hardware& hardware, const std::string& forced) {
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(matrix_mask);
  if (has_no_terms(mask, call)) return {};
  return plan_mxm(Ways(mask, call, false, RowsCounted::always), hardware, forced, RowsCounted::always);
}

std::optional<Value> reduce_mxm(const Monoid& monoid, const MatrixMask& matrix_mask,
                                const MatrixMatrix& call) {
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(matrix_mask);
  if (has_no_terms(mask, call)) return monoid.identity;
  if (!dots_apply(mask)) {  // nothing to save: T is made
    const Type& type = call.semiring.add.type();
    DeviceMatrix t = matrix_by(empty_csr(type, call.transpose_a ? call.a.columns : call.a.rows,
                                         call.transpose_b ? call.b.rows : call.b.columns),
                               /*by_column=*/false);
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
