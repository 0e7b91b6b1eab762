// Assignments to a part of a matrix, with the contract of matrix_operations.h (GraphBLAS C API 2.1, section
// 4.3.7; GxB_subassign of SuiteSparse's user guide, section 10.9).
#pragma once
#include "src/operations/matrix_elementwise.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// C(I, J). Lists may be in any order; of an index that is there more than once the last counts, as in
/// SuiteSparse.
struct MatrixPart {
  const Indices& rows;
  const Indices& columns;
  /// GxB_subassign: the mask is of the part's shape, and replace acts on the part. Else (GrB_assign) the mask
  /// is of C's shape, and replace acts on all of C.
  bool masked_alone = false;
};

/// Z = C but Z(I[k], J[l]) accum= A(k, l), then C<M, replace> = Z; with masked_alone C(I,J)<M, replace>
/// accum= A. A is of the part's shape. O(entries of A, C and M + rows of C), times the logarithm of a row;
/// where a list does not ascend, that of extract(A, I, J), too.
void assign(const MatrixOutput& c, const MatrixInput& a, const MatrixPart& part);
/// The same where it is one batch of updates: without mask and accumulator, to few of the rows that C has.
/// False, with nothing done, where it is not, and where C may not have any form.
bool assigned_as_batch(const MatrixOutput& c, const MatrixInput& a, const MatrixPart& part);
/// The same with a scalar of that type for every A(k, l); no value: A has no entries. Only the entries that a
/// mask allows are made; without one, or with a complemented one, all of the part: Declined when those do not
/// fit the device.
void assign_scalar(const MatrixOutput& c, const std::optional<Value>& scalar, const Type& type,
                   const MatrixPart& part);

}  // namespace cugrb::operations
