#include "src/operations/mxm_cusparse.h"

#include <atomic>

#include "src/operations/cusparse_operands.h"

namespace cugrb::operations {

using formats::Csr;

namespace {

std::atomic<uint64_t> calls{0};

}  // namespace

std::string cusparse_refusal(const MatrixMatrixRun& run, uint64_t products) {
  if (!is_plus_times(run.call.semiring)) return "not PLUS_TIMES of FP32 or FP64";
  if (run.mask.matrix != nullptr) return "it would make what the mask forbids";
  for (const DeviceMatrix* factor : {&run.call.a, &run.call.b}) {
    const std::string refusal = factor_refusal(*factor, run.type());
    if (!refusal.empty()) return refusal;
  }
  return products >= cusparse_limit ? "2^31 products or more" : "";
}

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

uint64_t cusparse_calls() { return calls; }

void note_cusparse_call(const selector::Decision& decision) {
  for (const selector::Candidate& c : decision.candidates) {
    if (c.kernel == "mxm_cusparse" && c.applicable &&
        c.predicted_seconds < selector::charged_seconds(decision.chosen))
      ++calls;
  }
}

}  // namespace cugrb::operations
