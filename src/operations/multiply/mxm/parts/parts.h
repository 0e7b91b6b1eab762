// Products of matrices, the rows of whose left factor are dealt to all devices.
#pragma once
#include "src/operations/multiply/kernel.h"
#include "src/operations/multiply/mxm/run.h"
#include "src/selector/shares.h"

namespace cugrb::operations {

/// Time of the best kernel for a part, of the right factor's way to the others, and of T's way back.
Cost cost_of_parts(const MxmProblem& problem, const Hardware& hardware);
/// The shares of the left factor's entries with which all devices are predicted to end at once.
selector::Shares shares_of_parts(const MxmProblem& problem, const Hardware& hardware);

/// Whether a device's rows of T go to home as soon as they are made; else when home has put its own in place,
/// so that T and one part are there at a time.
bool parts_come_at_once(double result_bytes, double usable_bytes);

/// T = A*B where a factor is in parts whose rows are those of T's orientation: each device multiplies its
/// own, and T is left in these parts. Nothing where neither is, or where an operator asks for the row. Throws
/// what mxm() throws.
std::optional<DeviceMatrix> product_of_dealt(const MatrixMatrix& call);

/// T = A*B in that orientation, on the device that the calling thread works on, by the kernel that the
/// selector chooses there. Throws what mxm() throws.
formats::Csr product_of_part(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool flipped);

}  // namespace cugrb::operations
