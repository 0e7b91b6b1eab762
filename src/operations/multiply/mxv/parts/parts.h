// Products with a matrix whose rows are dealt to all devices.
#pragma once
#include "src/operations/multiply/mxv/run.h"
#include "src/selector/shares.h"

namespace cugrb::operations {

/// Time of the best kernel for a part, and of the vectors on their way.
Cost cost_of_parts(const MxvProblem& problem, const Hardware& hardware);
/// The shares of a matrix's entries with which all devices are predicted to end such a product at once.
selector::Shares shares_of_parts(const MxvProblem& problem, const Hardware& hardware);

/// The vector on the target. Its copies are queued there: the target follows the source before, and the
/// source the target before what they read changes.
DeviceVector vector_on(runtime::Device& target, runtime::Device& source, DeviceVector vector);

/// T of a part of a matrix on the device that the calling thread works on: the selector chooses among the
/// kernels of one device. `vector_entries`: of the vector, about. Throws what mxv() throws.
DeviceVector product_of_part(const MatrixVector& call, const VectorMask& mask, uint64_t vector_entries);

}  // namespace cugrb::operations
