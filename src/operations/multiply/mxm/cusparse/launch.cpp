// T by cuSPARSE (cuda/cusparse/cusparse.h): one more way for what it can do.
#include "cuda/cusparse/cusparse.h"

#include "src/memory/policy.h"
#include "src/operations/cusparse_operands.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;

namespace {

/// Why it cannot make this product, with the library there; empty when it may. `products` of T: 0 where they
/// are not counted.
std::string refusal_of_call(const MatrixMatrixRun& run, uint64_t products) {
  if (!is_plus_times(run.call.semiring)) return "not PLUS_TIMES of FP32 or FP64";
  if (run.mask.matrix != nullptr) return "it would make what the mask forbids";
  for (const DeviceMatrix* factor : {&run.call.a, &run.call.b}) {
    const std::string refusal = factor_refusal(*factor, run.type());
    if (!refusal.empty()) return refusal;
  }
  return products >= cusparse_limit ? "2^31 products or more" : "";
}

/// T = left * right over PLUS_TIMES of FP32 or FP64. Workspace: 24 (32) bytes a product. Throws
/// cusparse::Failure where it has been refused after all, and runtime::OutOfMemory.
Csr multiply_cusparse(const MatrixMatrixRun& run, const RowProfile& profile) {
  if (profile.totals.products == 0) return formats::empty_csr(run.type(), run.rows(), run.columns());
  if (profile.totals.products >= cusparse_limit) throw cusparse::Failure("2^31 products or more");
  const Csr& left = run.left();
  const Csr& right = run.right();
  const cusparse::CsrArrays made = cusparse::multiply(real_of(run.type()), arrays_of(left), arrays_of(right));
  Csr t({run.type(), made.rows, made.columns, made.entries});
  t.offsets = made.offsets;
  t.column_indices = made.column_indices;
  t.values = made.values;
  return t;
}

OrientedCsr run_cusparse(Ways& ways, bool) {
  OrientedCsr t;
  const auto missing = memory::shortage([&] {
    try {
      t = {multiply_cusparse(ways.rows, ways.counted()), ways.rows.flipped};
    } catch (const cusparse::Failure& failure) {
      throw KernelFailure(failure.what());
    }
  });
  if (missing) throw KernelFailure(*missing);
  return t;
}

/// Of that hardware, not of the device that holds the factors.
void describe_cusparse(const Ways& ways, const Hardware& hardware, MxmProblem& p) {
  const bool here = hardware.emulated == (runtime::device().properties().kind == runtime::Kind::emulated);
  const cusparse::State state = here ? cusparse::state() : cusparse::State::closed;
  p.cusparse = {refusal_of_call(ways.rows, ways.profile.totals.products),
                transposed_entries(ways.rows, Way::rows)};
  if (p.cusparse.refusal.empty() && state == cusparse::State::unavailable)
    p.cusparse.refusal = cusparse::unavailable_reason();
  p.cusparse_open = state != cusparse::State::closed;
}

}  // namespace

const MxmKernel mxm_cusparse = {{"mxm_cusparse", Role::reference},
                                {.cost = cost_of_cusparse,
                                 .run = run_cusparse,
                                 .known = &MxmProblem::cusparse,
                                 .describe = describe_cusparse}};

}  // namespace cugrb::operations
