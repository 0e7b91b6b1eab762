// The matrix-vector kernels on a list of entries, on HYB storage, whose second part is one, and on TILE-COO,
// several of them.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_coo(const MxvProblem& p, const Hardware& h);
Cost cost_of_hyb(const MxvProblem& p, const Hardware& h);
Cost cost_of_tile_coo(const MxvProblem& p, const Hardware& h);
/// The threshold with which HYB storage of p's matrix is expected to cost least.
uint64_t hyb_threshold(const MxvProblem& p);
/// T from slices of the first `threshold` entries of every row and a list of the others. Three launches.
formats::DeviceVector pull_by_hyb(const MatrixVectorRun& run, uint64_t threshold);

}  // namespace cugrb::operations
