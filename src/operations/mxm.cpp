// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)): what is asked, which kernel answers it, and the one
// exit.
#include "src/formats/matrix_in_parts.h"
#include "src/operations/fragment_factors.h"
#include "src/operations/iso_product.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxm/parts/parts.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/multiply/stand_in.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

void check_factors(const MatrixMatrix& call) {
  check_operands(call.semiring.multiply, call.a.type, call.b.type);
}

namespace {

bool has_no_terms(const PreparedMatrixMask& mask, const MatrixMatrix& call) {
  return mask.allows_none || call.a.nvals() == 0 || call.b.nvals() == 0;
}

/// By the next best kernel that is compiled, while the plan's is being compiled.
OrientedCsr by_stand_in(Ways& ways, MxmOutlook& plan, const selector::Hardware& hardware, bool c_by_column,
                        const jit::NotCompiled& missing) {
  StandIn stand_in(plan.decision, missing);
  while (true) {
    plan.problem.failures[stand_in.excluded().back()] = "not compiled yet";
    plan.decision = choose_mxm(plan.problem, hardware, nullptr);
    plan.decision.chosen.reason = stand_in.reason();
    try {
      if (stand_in.fits(plan.decision)) return chosen_mxm(plan.decision).run(ways, c_by_column);
    } catch (const jit::NotCompiled&) {
      // Another one, then.
    } catch (const KernelFailure&) {
    }
    stand_in.exclude(plan.decision);
  }
}

/// By the chosen kernel; where it failed, the plan is one without it then, and says why.
OrientedCsr make(Ways& ways, MxmOutlook& plan, const selector::Hardware& hardware, bool c_by_column) {
  ways.problem = &plan.problem;
  while (true) {
    const MxmKernel& kernel = chosen_mxm(plan.decision);
    try {
      return kernel.run(ways, c_by_column);
    } catch (const KernelFailure& failure) {
      plan.problem.failures[&kernel] = failure.what();
      plan.decision = choose_mxm(plan.problem, hardware, forced_kernel());
      if (plan.decision.chosen.reason.empty())
        plan.decision.chosen.reason = kernel.name + " was chosen and failed: " + failure.what();
    } catch (const jit::NotCompiled& missing) {
      return by_stand_in(ways, plan, hardware, c_by_column, missing);
    }
  }
}

}  // namespace

formats::Csr product_of_part(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool flipped) {
  Ways ways(mask, call, /*c_by_column=*/flipped, RowsCounted::where_it_matters);
  const selector::Hardware* hardware = selector::Hardware::of_device();
  MxmOutlook plan = plan_mxm(ways, *hardware, nullptr, RowsCounted::where_it_matters);
  OrientedCsr t = make(ways, plan, *hardware, flipped);
  const MatrixMatrixRun run{call, mask, flipped};
  DeviceMatrix made = matrix_by(empty_csr(run.type(), run.rows(), run.columns()), flipped);
  // Some kernels leave the mask to the write-back.
  write_back({made, {}, std::nullopt, true}, mask, std::move(t.rows), t.flipped,
             chosen_mxm(plan.decision).asks_mask);
  return made.by_rows(flipped);
}

namespace {

/// C is T as it is made.
bool takes_product(const MatrixOutput& c, const MatrixMatrix& call) {
  return c.mask.object == nullptr && !c.mask.complement && !c.accumulate &&
         c.object.type == call.semiring.add.type();
}

/// Factors in parts are multiplied where they lie, or on one device.
void multiply_factors_in_parts(const MatrixOutput& c, const MatrixMatrix& call) {
  if (call.in_parts && takes_product(c, call)) {
    if (std::optional<DeviceMatrix> t = product_of_dealt(call)) {
      c.object = *std::move(t);
      return;
    }
  }
  const DeviceMatrix a = formats::whole_of(call.a), b = formats::whole_of(call.b);
  mxm(c, {call.semiring, a, b, call.transpose_a, call.transpose_b, call.devices, call.in_parts});
}

}  // namespace

void mxm(const MatrixOutput& c, const MatrixMatrix& call) {
  if (call.a.parts != nullptr || call.b.parts != nullptr) return multiply_factors_in_parts(c, call);
  if (call.a.fragments != nullptr || call.b.fragments != nullptr) {
    FactorRows rows;
    return mxm(c, rows.product(call));
  }
  check_types(c, call.semiring.add.type());
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  if (has_no_terms(mask, call)) {
    const MatrixMatrixRun run{call, mask, c.object.by_column};
    write_back(c, mask, empty_csr(run.type(), run.rows(), run.columns()), run.flipped, /*masked=*/true);
    return;
  }
  const auto value = one_product(call.semiring, factor_of(call.a), factor_of(call.b),
                                 call.transpose_a ? call.a.rows : call.a.columns);
  const MatrixMatrix pattern{pattern_semiring(), call.a,           call.b,
                             call.transpose_a,   call.transpose_b, call.devices};
  MatrixMatrix own = value ? pattern : call;
  own.in_parts = call.in_parts && !value && takes_product(c, call);
  Ways ways(mask, own, c.object.by_column, RowsCounted::where_it_matters);
  const selector::Hardware* hardware = selector::Hardware::of_device();
  if (hardware == nullptr) throw runtime::NoDevice(runtime::unavailable_reason());
  MxmOutlook plan = plan_mxm(ways, *hardware, forced_kernel(), RowsCounted::where_it_matters);
  OrientedCsr t = make(ways, plan, *hardware, c.object.by_column);
  if (value) t.rows = with_values(t.rows, call.semiring.add.type(), *value, /*iso=*/true);
  if (t.in_parts != nullptr) {
    c.object = std::move(*t.in_parts);
  } else {
    write_back(c, mask, std::move(t.rows), t.flipped, chosen_mxm(plan.decision).asks_mask);
  }
  selector::record(plan.decision);  // last: the vectors' own products have left records
}

MxmOutlook decide_mxm(const MatrixMask& matrix_mask, const MatrixMatrix& call,
                      const selector::Hardware& hardware, const selector::Kernel* forced) {
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(matrix_mask);
  if (has_no_terms(mask, call)) return {};
  return plan_mxm(Ways(mask, call, false, RowsCounted::always), hardware, forced, RowsCounted::always);
}

namespace {

/// The sums of the rows first, by a product that reads segments.
std::optional<Value> reduce_fragments(const Monoid& monoid, const DeviceMatrix& a) {
  const Semiring semiring = catalogue::make_semiring(monoid, catalogue::first(monoid.type()));
  const bool one = true;
  const auto u = DeviceVector::full_of(Type::of(TypeCode::Bool), a.stored.columns, &one);
  DeviceVector sums = DeviceVector::empty(monoid.type(), a.stored.rows);
  mxv({sums, {}, std::nullopt, false}, {semiring, a, u, /*transpose_matrix=*/a.by_column});
  return reduce(monoid, sums);
}

}  // namespace

std::optional<Value> reduce(const Monoid& monoid, const DeviceMatrix& a) {
  if (a.parts != nullptr) return reduce_values(monoid, *a.parts);
  if (a.fragments != nullptr) return reduce_fragments(monoid, a);
  DeviceVector entries = DeviceVector::empty(a.type, a.stored.entries);
  entries.form = Form::full;
  entries.iso = a.stored.iso;
  entries.values = a.stored.values;
  return reduce(monoid, entries);
}

}  // namespace cugrb::operations
