#include "src/operations/mxm_cusparse.h"

#include <atomic>

#include "cuda/cusparse/cusparse.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;

namespace {

constexpr uint64_t most = uint64_t(1) << 31;  // of its 32-bit indices
std::atomic<uint64_t> calls{0};

/// By its source: a user's operators have names of their own choice.
bool is_plus_times(const Semiring& semiring) {
  static const std::string sources[] = {catalogue::semiring("PLUS_TIMES_FP32").value().source,
                                        catalogue::semiring("PLUS_TIMES_FP64").value().source};
  return semiring.source == sources[0] || semiring.source == sources[1];
}

cusparse::Real real_of(const Type& type) {
  return type.code == TypeCode::Fp32 ? cusparse::Real::fp32 : cusparse::Real::fp64;
}

bool is_narrow(const Csr& csr) {
  return csr.offset_width == Width::bits32 && csr.column_width == Width::bits32;
}

std::string factor_refusal(const DeviceMatrix& factor, const Type& type) {
  if (factor.type != type) return "a factor would have to be typecast";
  if (factor.stored.iso) return "a factor is iso";
  if (factor.nvals() >= most) return "2^31 entries or more";
  if (factor.rows >= most || factor.columns >= most) return "2^31 rows or columns, or more";
  return is_narrow(factor.stored) ? "" : "indices of 64 bits";
}

cusparse::CsrArrays arrays_of(const Csr& csr) {
  if (!is_narrow(csr)) throw cusparse::Failure("indices of 64 bits");
  return {csr.rows, csr.columns, csr.entries, csr.offsets, csr.column_indices, csr.values};
}

}  // namespace

std::string cusparse_refusal(const MatrixMatrixRun& run, uint64_t products) {
  if (!is_plus_times(run.call.semiring)) return "not PLUS_TIMES of FP32 or FP64";
  if (run.mask.matrix != nullptr) return "it would make what the mask forbids";
  for (const DeviceMatrix* factor : {&run.call.a, &run.call.b}) {
    const std::string refusal = factor_refusal(*factor, run.type());
    if (!refusal.empty()) return refusal;
  }
  return products >= most ? "2^31 products or more" : "";
}

Csr multiply_cusparse(const MatrixMatrixRun& run, const RowProfile& profile) {
  if (profile.totals.products == 0) return formats::empty_csr(run.type(), run.rows(), run.columns());
  if (profile.totals.products >= most) throw cusparse::Failure("2^31 products or more");
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
