// Fragmented factors of a product of matrices (DeviceMatrix::fragments).
#pragma once
#include "src/operations/matrix_operations.h"

namespace cugrb::operations {

/// Before mxm: a fragmented factor whose stored rows the summed index numbers stays as it is, where the other
/// factor has no more than one entry for eight of these rows. Every other one is defragmented. Says so in the
/// trace. A and B may be one matrix.
void settle_factors(DeviceMatrix& a, DeviceMatrix& b, bool transpose_a, bool transpose_b);

/// The same product with factors that are CSR: of a fragmented one those rows have entries that entries of
/// the other factor name. The matrix is one that `call` has, or is held by `made`.
MatrixMatrix without_fragments(const MatrixMatrix& call, DeviceMatrix& made);

}  // namespace cugrb::operations
