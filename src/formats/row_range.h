// Ranges of a matrix's rows: what a product is cut into when it does not fit the device whole.
#pragma once
#include "src/formats/csr.h"

namespace cugrb::formats {

/// Elements [first, last) of an array of elements of `size` bytes, in memory of their own.
runtime::Buffer elements_of(const runtime::Buffer& whole, uint64_t first, uint64_t last, size_t size);

/// Rows [first, last) of a matrix, in memory of their own; `first_row` says where they come from. O(rows +
/// entries) of the range. Throws runtime::OutOfMemory.
Csr rows_of(const Csr& matrix, uint64_t first, uint64_t last);

/// Where a result goes that does not fit the device.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Once, before any rows: the whole result's type and shape, with at most so many entries as it says. Its
  /// rows are columns of the matrix when `by_column`. Throws std::bad_alloc.
  virtual void begin(const SparseShape& whole, bool by_column) = 0;
  /// The next rows; the arrays may be released afterwards.
  virtual void append(const Csr& rows) = 0;
};

}  // namespace cugrb::formats
