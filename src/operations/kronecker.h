// The Kronecker product of device matrices, with the contract of matrix_operations.h.
#pragma once
#include "src/operations/matrix_elementwise.h"

namespace cugrb::operations {

/// T = A (x) B: T(iA * rows(B) + iB, jA * columns(B) + jB) = op(A(iA,jA), B(iB,jB)) for every pair of entries
/// (C API specification 2.1, section 4.3.12). C has rows(A) * rows(B) rows and columns(A) * columns(B)
/// columns. A positional op sees iA and jA as its first operand's place, iB and jB as its second's. T is made
/// whole, mask or not: O(entries of A times entries of B), and nothing is read back. Declined when T has 2^63
/// entries or more, or is nothing but offsets.
void kronecker(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b);

}  // namespace cugrb::operations
