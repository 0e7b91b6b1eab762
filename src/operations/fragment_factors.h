// Fragmented factors of a product of matrices (DeviceMatrix::fragments).
#pragma once
#include "src/operations/matrix_operations.h"

namespace cugrb::operations {

/// Before mxm: a fragmented factor stays as it is where the summed index numbers its stored rows and the
/// other factor has no more than one entry for eight of these, and where settle_copy() leaves it so. Every
/// other one is defragmented. Says so in the trace. A and B may be one matrix.
void settle_factors(DeviceMatrix& a, DeviceMatrix& b, bool transpose_a, bool transpose_b);

/// What a product reads of fragmented factors, copied from their segments.
class FactorRows {
 public:
  /// The same product with factors that are CSR: of one whose rows the other factor's entries name, if they
  /// are few, those rows have entries, and else all. It holds while this lives.
  MatrixMatrix product(const MatrixMatrix& call);

 private:
  DeviceMatrix made_[2];
};

}  // namespace cugrb::operations
