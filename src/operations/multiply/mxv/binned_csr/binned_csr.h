// The matrix-vector kernel on rows in bins of size.
#pragma once
#include "src/formats/binned_csr.h"
#include "src/operations/multiply/mxv/bins.h"

namespace cugrb::operations {

Cost cost_of_binned_csr(const MxvProblem& p, const Hardware& h);
/// T from binned CSR with these thresholds. One launch, two when several blocks share a row.
formats::DeviceVector pull_by_binned_csr(const MatrixVectorRun& run,
                                         const formats::BinThresholds& thresholds);

}  // namespace cugrb::operations
