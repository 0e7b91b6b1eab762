// The matrix-vector kernels on CSR: a group of lanes a row, merge path, push.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

/// `lanes` lanes a row; 256: a block a row.
Cost cost_of_rows(const MxvProblem& p, const Hardware& h, int lanes);
Cost cost_of_merge(const MxvProblem& p, const Hardware& h);
Cost cost_of_push(const MxvProblem& p, const Hardware& h);

/// With one lane or two, threads wait for their own loads.
inline NumbersId numbers_of_rows(int lanes) {
  return lanes <= 2 ? NumbersId("few_lanes") : NumbersId("rows");
}

}  // namespace cugrb::operations
