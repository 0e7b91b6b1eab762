// Products of a matrix whose columns are dealt to all devices with a vector that has few entries, or of a
// matrix that lies by columns.
#pragma once
#include "src/operations/multiply/mxv/run.h"
#include "src/selector/hardware.h"

namespace cugrb::operations {

/// Time of a push of a part, of u's way to the devices, of the sums' way back, and of adding them up.
Cost cost_of_push_parts(const MxvProblem& problem, const Hardware& hardware);

}  // namespace cugrb::operations
