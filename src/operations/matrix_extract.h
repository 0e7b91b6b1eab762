// Parts of device matrices, with the contract of matrix_operations.h.
#pragma once
#include "src/operations/matrix_elementwise.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// T(k,l) = A(I[k], J[l]); both lists may repeat and be in any order. A's rows are listed, the result is
/// transposed, its rows (A's columns) are listed, or the other way round: one sort of the entries that the
/// first list names, two passes over them; no sort where a list is everything; one of all of A where it must
/// be transposed first.
void extract(const MatrixOutput& c, const MatrixInput& a, const Indices& rows, const Indices& columns);

/// t(k) = A(I[k], column). Where A is there by columns, its column's entries are copied, else the column is
/// searched for in every row: O(rows log(length)) loads; then the elements that I names are taken.
void extract_column(const VectorOutput& w, const MatrixInput& a, const Indices& rows, uint64_t column);

}  // namespace cugrb::operations
