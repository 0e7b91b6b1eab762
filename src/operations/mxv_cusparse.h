// The matrix-vector product by cuSPARSE: what the selector is told of it, and running it.
#pragma once
#include "src/operations/mxv_kernels.h"

namespace cugrb::operations {

/// Fills in the problem's part. `of_device`: it is about the device that holds the matrix, whose library is
/// asked for (and, on the emulated device, opened); else about another one, which is taken to have it.
void describe_cusparse(const MatrixVectorRun& run, bool of_device, selector::MxvProblem& problem);

/// Has cuSPARSE look at the matrix, at the first call for it; why it refused, or had no memory; empty when it
/// is ready. What it answered is kept with the matrix.
std::string prepare_cusparse(const MatrixVectorRun& run, selector::Family family);

/// T by cusparseSpMV; u is full, there is no mask, and prepare_cusparse has been called. T has entries where
/// rows have: full, or a bitmap whose presence is made once a matrix.
DeviceVector pull_by_cusparse(const MatrixVectorRun& run, selector::Family family);

}  // namespace cugrb::operations
