// What is known of the rows of T before any of them is made, and which kernels there are for them.
#pragma once
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/mxm/rows/sizes.h"

namespace cugrb::operations {

RowSizes sizes_for(const MatrixMatrixRun& run);
/// Heavy rows of so few columns that each has a sum of its own (mxm_narrow.h) go by ranks only where a left
/// entry meets many right entries: dealt out, one pass over the products is faster than ranks' two.
/// `windows`: rows have theirs.
RowLimits limits_for(const MatrixMatrixRun& run, const RowSizes& sizes, bool windows);

/// Rows that are sorted and put down without having been counted, and moved.
struct MadeAtOnce {
  RowClass last = RowClass::esc_32;  ///< those of the classes from esc_32 up to this one
  bool merged = false;               ///< those that might be merged, too, each in the bin of its products
  uint64_t products = 0;             ///< of all of them
};
MadeAtOnce made_at_once(const MatrixMatrixRun& run, const RowProfile& profile);

/// Of an entry of T: its column and its value.
size_t entry_bytes(const MatrixMatrixRun& run);
/// Entries that rows may be put down with for a while, beside T: an eighth of what is usable.
uint64_t most_put_down(const MatrixMatrixRun& run);

/// For RowProfile::counters: of a product of so many rows.
runtime::Buffer zeroed_counters(uint64_t rows);

}  // namespace cugrb::operations
