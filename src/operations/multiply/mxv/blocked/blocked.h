// The matrix-vector kernel on entries by column tile and bin: all products, then all sums.
#pragma once
#include "src/formats/blocked.h"
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_blocked(const MxvProblem& p, const Hardware& h);
/// How the format should be laid out for this product.
formats::BlockedParameters plan_blocked(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::operations
