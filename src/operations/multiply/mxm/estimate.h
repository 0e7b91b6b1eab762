// Looking at a little of a product to know what all of it will be.
#pragma once
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/selector/mxm_problem.h"

namespace cugrb::operations {

selector::MaskUse mask_use(const PreparedMatrixMask& mask);

/// Whether estimate_entries takes no transposition.
bool can_count_rows(const MatrixMatrixRun& run, const RowProfile& profile);

/// Entries of T, and of those that the mask lets through, from a few rows that are counted: exact numbers of
/// products by octaves of them, then a block for each of about 300 rows (cuda/kernels/mxm_sample.h). Three
/// launches, two small copies to the host; reads 8 bytes a row twice, and the right rows of at most a 64th of
/// the products (65536 at least). The same rows at every call. Waits for the device. Throws
/// runtime::OutOfMemory.
selector::ResultEntries estimate_entries(const MatrixMatrixRun& run, const RowProfile& profile);

/// What mxm_dot will take for the mask, from up to 65536 of its entries at equal distances: a launch and a
/// small copy. All three matrices must be there as it wants them. Waits for the device.
selector::DotWork dot_work(const MatrixMatrixRun& run);

}  // namespace cugrb::operations
