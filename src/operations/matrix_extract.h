// Parts of device matrices, with the contract of matrix_operations.h.
#pragma once
#include "src/operations/index_set.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// T(k,l) = A(I[k], J[l]); both lists may repeat and be in any order. A's rows are listed, the result is
/// transposed, its rows (A's columns) are listed, or the other way round: one sort of the entries that the
/// first list names, two passes over them; no sort where a list is everything; one of all of A where it must
/// be transposed first.
void extract(const MatrixOutput& c, const MatrixInput& a, const Indices& rows, const Indices& columns);
void extract(const MatrixOutput& c, const MatrixInput& a, const IndexList& rows, const IndexList& columns);

/// Before either of them: a fragmented matrix stays as it is where a list names rows that it has, and is no
/// longer than half of them; else settle_copy() decides. `rows`, `columns`: of the input that reads A.
void settle_extraction(DeviceMatrix& a, bool transpose, const Indices& rows, const Indices& columns);
/// Before extract_column(): a fragmented matrix is put together where its columns are wider than a vector's.
void settle_column(DeviceMatrix& a);

/// t(k) = A(I[k], column). Where A is there by columns, its column's entries are copied, else the column is
/// searched for in every row: O(rows log(length)) loads; then the elements that I names are taken. A may be
/// fragmented.
void extract_column(const VectorOutput& w, const MatrixInput& a, const Indices& rows, uint64_t column);

/// |diagonal|, that of INT64_MIN too.
inline uint64_t magnitude(int64_t diagonal) {
  return diagonal < 0 ? -static_cast<uint64_t>(diagonal) : static_cast<uint64_t>(diagonal);
}

/// t(p) = A(p, p + k) for k = `diagonal` >= 0, else A(p - k, p), for p below w's length, which is that of the
/// diagonal. The diagonal's positions are searched for in the orientation in which A is stored: O(length
/// log(row)) loads.
void extract_diagonal(const VectorOutput& w, const MatrixInput& a, int64_t diagonal);

/// T = diag(v, k): T(p, p + k) = v(p) for k = `diagonal` >= 0, else T(p - k, p) = v(p). C is square, of
/// length(v) + |k| rows. O(entries + rows); indices are shared with v where k moves none. Declined when T is
/// nothing but offsets.
void diagonal_matrix(const MatrixOutput& c, const DeviceVector& v, int64_t diagonal);

}  // namespace cugrb::operations
