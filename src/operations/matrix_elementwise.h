// GraphBLAS's element-wise operations on device matrices: C<M, replace> accum= T, with the contract of
// matrix_operations.h. All cost O(entries of A, B, C and M), times the logarithm of a row where two patterns
// meet.
#pragma once
#include "src/operations/matrix_operations.h"

namespace cugrb::operations {

/// An operand, transposed first where asked.
struct MatrixInput {
  const DeviceMatrix& matrix;
  bool transpose = false;
  uint64_t rows() const { return transpose ? matrix.columns : matrix.rows; }
  uint64_t columns() const { return transpose ? matrix.rows : matrix.columns; }
};

/// T = A: transpose, and assign to all rows and columns.
void assign(const MatrixOutput& c, const MatrixInput& a);
/// T(i,j) = scalar everywhere: assign to all rows and columns. Only T's entries that a mask allows are made;
/// without one, or with a complemented one, all: Declined when those do not fit the device.
void assign_scalar(const MatrixOutput& c, const Value& scalar);

/// T = A's entries with op(A(i,j), i, j, thunk).
void select(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a, const Value& thunk);

/// T(i,j) = op(A(i,j)), op(x, A(i,j)), op(A(i,j), y), op(A(i,j), i, j, thunk).
void apply(const MatrixOutput& c, const UnaryOp& op, const MatrixInput& a);
void apply_bind_first(const MatrixOutput& c, const BinaryOp& op, const Value& x, const MatrixInput& a);
void apply_bind_second(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const Value& y);
void apply_index(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a, const Value& thunk);

/// T = A (x) B: the intersection of the patterns.
void ewise_mult(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b);
/// T = A (+) B: the union of the patterns; where one is missing the other's value passes, typecast to the
/// op's z.
void ewise_add(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b);
/// eWiseUnion: a missing operand is replaced by its scalar.
void ewise_union(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const Value& alpha,
                 const MatrixInput& b, const Value& beta);

}  // namespace cugrb::operations
