// T by cuSPARSE (cuda/cusparse/cusparse.h): one more way for what it can do.
#pragma once
#include "src/operations/mxm_rows.h"
#include "src/selector/decision.h"

namespace cugrb::operations {

/// Why it cannot make this product, with the library there; empty when it may. `products` of T: 0 where they
/// are not counted.
std::string cusparse_refusal(const MatrixMatrixRun& run, uint64_t products);

/// T = left * right over PLUS_TIMES of FP32 or FP64. Workspace: 24 (32) bytes a product. Throws
/// cusparse::Failure where it has been refused after all and runtime::OutOfMemory; then the product must be
/// made in another way.
formats::Csr multiply_cusparse(const MatrixMatrixRun& run, const RowProfile& profile);

/// Products of this process so far that it would have made had its library been open. As many again can be
/// expected: each is charged its share of opening it.
uint64_t cusparse_calls();
/// Counts this one if it is of that kind.
void note_cusparse_call(const selector::Decision& decision);

}  // namespace cugrb::operations
