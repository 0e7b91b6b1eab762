// T with few rows: each row by the matrix-vector kernels, which know how to push and pull under a mask.
#pragma once
#include "src/operations/multiply/mxm/run.h"

namespace cugrb::operations {

/// Rows of T up to which one product after the other is worth trying.
constexpr uint64_t most_vectors = 64;

/// T<mask>: row r is mxv of the right factor's transpose with left's row r, under the mask's row r. Time:
/// that of so many mxv; memory O(columns) beside the operands and T.
formats::Csr multiply_vectors(const MatrixMatrixRun& run);
/// Why not; empty when it can.
std::string vectors_refusal(const MatrixMatrixRun& run);

}  // namespace cugrb::operations
