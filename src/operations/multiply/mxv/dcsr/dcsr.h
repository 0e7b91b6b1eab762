// The matrix-vector kernels on dynamic CSR: rows in segments; and with its rows in bins of size.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_dcsr(const MxvProblem& p, const Hardware& h);
Cost cost_of_adcsr(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::operations
