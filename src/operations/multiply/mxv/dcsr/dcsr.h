// The matrix-vector kernels on dynamic CSR: rows in segments; and with its rows in bins of size.
#pragma once
#include "semirings/operators.h"
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_dcsr(const MxvProblem& p, const Hardware& h);
Cost cost_of_adcsr(const MxvProblem& p, const Hardware& h);

struct MatrixVectorRun;
/// Why a product with this fragmented matrix needs its CSR; empty when the fragments can be read. `pushes`:
/// the product needs the rows of the other orientation.
std::string fragments_refusal(const formats::DeviceMatrix& matrix, const Semiring& semiring, bool pushes);
/// T of a fragmented matrix: a pull from its rows, with blocks for the long ones, or a push along them.
/// Records what it does.
formats::DeviceVector product_of_fragments(const MatrixVectorRun& run);

}  // namespace cugrb::operations
