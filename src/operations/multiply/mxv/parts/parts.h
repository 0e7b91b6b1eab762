// Products with a matrix whose rows are dealt to all devices.
#pragma once
#include "src/operations/multiply/mxv/run.h"
#include "src/selector/shares.h"

namespace cugrb::operations {

/// Time of the best kernel for a part, and of the vectors on their way.
Cost cost_of_parts(const MxvProblem& problem, const Hardware& hardware);
/// The shares of a matrix's entries with which all devices are predicted to end such a product at once.
selector::Shares shares_of_parts(const MxvProblem& problem, const Hardware& hardware);

/// What any other kernel has to wait for where the vector is in parts: it is collected first.
double collecting_seconds(const MxvProblem& problem, const Hardware& hardware);

/// Entries outside of blocks of rows, one for each of so many devices; nothing where these are many, or where
/// nobody knows yet: so many uses later it is waited for (0: at once).
std::optional<double> entries_outside_of_blocks(const DeviceMatrix& matrix, bool transposed, uint64_t devices,
                                                uint64_t patience);

/// Whether the vector lies in parts of the matrix that are there, and is multiplied as it is.
bool lies_in_parts(const MatrixVector& call);

/// T of a part of a matrix on the device that the calling thread works on: the selector chooses among the
/// kernels of one device. `vector_entries`: of the vector, about. `alike`: a part for which kernels have been
/// timed that take as long here; null: there is none. Throws what mxv() throws.
DeviceVector product_of_part(const MatrixVector& call, const VectorMask& mask, uint64_t vector_entries,
                             const DeviceMatrix* alike = nullptr);

}  // namespace cugrb::operations
