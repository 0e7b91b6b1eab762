// What the matrix-matrix kernels would cost for one product.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_dot(const MxmProblem& p, const Hardware& h);
Cost cost_of_rows(const MxmProblem& p, const Hardware& h);
Cost cost_of_sort(const MxmProblem& p, const Hardware& h);
Cost cost_of_dcsr(const MxmProblem& p, const Hardware& h);
Cost cost_of_outer(const MxmProblem& p, const Hardware& h);
/// Reckoned from bytes and gathers, times `unconfirmed_margin`: in LAGraph's betweenness of RMAT 20 whole
/// calls took 1.7 to 2.5 times the reckoned time of the kernels alone (H200).
Cost cost_of_dense(const MxmProblem& p, const Hardware& h, bool push);
Cost cost_of_cusparse(const MxmProblem& p, const Hardware& h);

/// Asking the mask for every entry, `passes` times, and writing those that it allows.
double result_seconds(const MxmProblem& p, const Hardware& h, int passes);

}  // namespace cugrb::operations
