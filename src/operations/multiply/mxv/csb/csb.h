// The matrix-vector kernel on entries of a band of rows by column, its sums in shared memory.
#pragma once
#include "src/formats/csb.h"
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_csb(const MxvProblem& p, const Hardware& h);
/// How the format should be laid out for this product.
formats::CsbParameters plan_csb(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::operations
