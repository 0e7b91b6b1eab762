// Patterns that an assigned scalar takes, as matrices with one value for all entries.
#pragma once
#include "src/operations/mask.h"

namespace cugrb::operations {

/// The entries that a mask allows, by rows of T's orientation; it is not complemented and decides something.
/// O(entries of the mask).
formats::Csr allowed_pattern(const PreparedMatrixMask& mask, bool flipped, const Type& type,
                             const runtime::Buffer& value);
/// Every position. Declined when they do not fit the device.
formats::Csr full_pattern(uint64_t rows, uint64_t columns, const Type& type, const runtime::Buffer& value);

}  // namespace cugrb::operations
