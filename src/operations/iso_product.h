// Products whose entries all have one value: only their pattern is to be computed.
#pragma once
#include "src/operations/matrix_operations.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// What multiply reads on one side.
struct Factor {
  const Type& type;
  const runtime::Buffer& values;
  bool iso;   ///< the first of `values` is that of every entry; so it is where there is one entry
  bool full;  ///< every position has one
};
Factor factor_of(const DeviceMatrix& matrix);
Factor factor_of(const DeviceVector& vector);

/// The value of all entries of a product over `inner` terms at most, in the type of the sums; nothing where
/// they may differ. By SuiteSparse's rule: copies of one term add up to that term (MIN, LOR, ANY, ...), or
/// both factors are full, so that all sums have as many terms.
std::optional<runtime::Buffer> one_product(const Semiring& semiring, const Factor& x, const Factor& y,
                                           uint64_t inner);

/// A semiring for the pattern alone: no value is read, and the first term decides.
const Semiring& pattern_semiring();

}  // namespace cugrb::operations
