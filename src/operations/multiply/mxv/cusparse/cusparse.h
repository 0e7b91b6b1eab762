// The matrix-vector products of cuSPARSE: on CSR by two algorithms, one of which sums in a fixed order, and
// on ELLPACK storage in slices.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_cusparse_csr(const MxvProblem& p, const Hardware& h, NumbersId numbers, bool fixed_order);
Cost cost_of_cusparse_sell(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::operations
