// What cuSPARSE has of these operations, timed in the same run.
#pragma once
#include "bench/common/operations.h"
#include "src/formats/matrix.h"

namespace cugrb::bench {

/// The transpose and the sum of two square FP32 matrices with columns and offsets of 32 bits, `sum_bytes` of
/// which must move. Says why where there is no cuSPARSE.
void run_cusparse(OperationBench& bench, const formats::Csr& a, const formats::Csr& b, double transpose_bytes,
                  double sum_bytes);

}  // namespace cugrb::bench
