// T with few rows or columns, as so many vectors laid out densely, all in one pass over the other factor
// (SpMM: sparse times dense).
#pragma once
#include "src/operations/multiply/kernel.h"
#include "src/operations/multiply/mxm/run.h"

namespace cugrb::operations {

/// The run's left factor has few rows, its vectors. Vectors, mask and T are laid out as positions * vectors
/// places; a full left factor that already lies so is not moved.
///
///     pull: every row of the right factor's transpose is read once; O(entries of the rows that the mask
///           allows to some vector, times vectors)
///     push: every row of the right factor that some vector selects
///
/// plus O((inner + columns) * vectors) either way; that is also the workspace. T comes by rows of C's
/// orientation (`c_by_column`). Waits for the device once. Throws runtime::OutOfMemory, and Declined where
/// the device is too small altogether.
OrientedCsr multiply_dense(const MatrixMatrixRun& run, bool push, bool c_by_column);

/// Why it cannot make this product; empty when it can.
std::string dense_refusal(const MatrixMatrixRun& run);
std::string dense_push_refusal(const MatrixMatrixRun& run);

}  // namespace cugrb::operations
