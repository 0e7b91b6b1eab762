#include "src/operations/cusparse_operands.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;

namespace {

bool is_narrow(const Csr& csr) {
  return csr.offset_width == Width::bits32 && csr.column_width == Width::bits32;
}

}  // namespace

bool is_plus_times(const Semiring& semiring) {
  static const std::string sources[] = {catalogue::semiring("PLUS_TIMES_FP32").value().source,
                                        catalogue::semiring("PLUS_TIMES_FP64").value().source};
  return semiring.source == sources[0] || semiring.source == sources[1];
}

cusparse::Real real_of(const Type& type) {
  return type.code == TypeCode::Fp32 ? cusparse::Real::fp32 : cusparse::Real::fp64;
}

std::string factor_refusal(const DeviceMatrix& factor, const Type& type) {
  if (factor.type != type) return "a factor would have to be typecast";
  if (factor.stored.iso) return "a factor is iso";
  if (factor.nvals() >= cusparse_limit) return "2^31 entries or more";
  if (factor.rows >= cusparse_limit || factor.columns >= cusparse_limit)
    return "2^31 rows or columns, or more";
  return is_narrow(factor.stored) ? "" : "indices of 64 bits";
}

cusparse::CsrArrays arrays_of(const Csr& csr) {
  if (!is_narrow(csr)) throw cusparse::Failure("indices of 64 bits");
  return {csr.rows, csr.columns, csr.entries, csr.offsets, csr.column_indices, csr.values};
}

}  // namespace cugrb::operations
