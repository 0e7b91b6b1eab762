// Products with a matrix whose rows are dealt to all devices.
#pragma once
#include "src/operations/multiply/mxv/run.h"

namespace cugrb::operations {

/// Time of the best kernel for a part, and of the vectors on their way.
Cost cost_of_parts(const MxvProblem& problem, const Hardware& hardware);

/// T of a part of a matrix on the device that the calling thread works on: the selector chooses among the
/// kernels of one device. No mask. Throws what mxv() throws.
DeviceVector product_of_part(const MatrixVector& call);

}  // namespace cugrb::operations
