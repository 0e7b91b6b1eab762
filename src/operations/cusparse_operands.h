// What products by cuSPARSE have in common: which operands it can take, and how it is shown them.
#pragma once
#include "cuda/cusparse/cusparse.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

constexpr uint64_t cusparse_limit = uint64_t(1) << 31;  ///< of its 32-bit indices

/// PLUS_TIMES of FP32 or FP64, by its source: a user's operators have names of their own choice.
bool is_plus_times(const Semiring& semiring);
cusparse::Real real_of(const Type& type);
/// Why it cannot take this matrix for a product of `type`; empty when it can.
std::string factor_refusal(const DeviceMatrix& factor, const Type& type);
/// Throws cusparse::Failure for indices of 64 bits.
cusparse::CsrArrays arrays_of(const formats::Csr& csr);

}  // namespace cugrb::operations
