// T where no row of it has many products.
#pragma once
#include <optional>

#include "src/operations/multiply/mxm/rows/rows.h"

namespace cugrb::operations {

/// What the longest rows of both factors say of T's rows, where these are made by cuda/kernels/mxm_bounded.h.
struct BoundedRows {
  uint64_t longest_left = 0, longest_right = 0;  ///< entries
  double products = 0;                           ///< by mean lengths
  uint64_t room = 0;                             ///< products, at most
  bool merged = false;                           ///< rows are merged, else sorted
  uint64_t most_products() const { return longest_left * longest_right; }
};

/// Nothing where a row may have too many products. Neither products nor entries of T are counted then.
std::optional<BoundedRows> bounded_rows(const MatrixMatrixRun& run);

/// T, of which the mask lets entries through. One launch where rows are merged, else two, and one wait. T has
/// room for more entries while it is made (merged: `room`), and is copied where it would keep much more than
/// it needs. Workspace: where rows are sorted 4 bytes a row, a column and a value for each of `room`. Throws
/// runtime::OutOfMemory.
formats::Csr multiply_bounded(const MatrixMatrixRun& run, const BoundedRows& bound);

}  // namespace cugrb::operations
