// The matrix-vector kernel on rows in bins of size.
#pragma once
#include "src/operations/multiply/mxv/bins.h"

namespace cugrb::operations {

Cost cost_of_binned_csr(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::operations
