// Matrices cut into parts and put together from tiles, with the contract of matrix_operations.h.
#pragma once
#include <vector>

#include "src/operations/matrix_elementwise.h"

namespace cugrb::operations {

/// Rows or columns that follow each other.
struct Range {
  uint64_t begin = 0, count = 0;
};

/// T(i,j) = A(rows.begin + i, columns.begin + j), no entry where that is beyond A: GxB_Matrix_split,
/// GrB_Matrix_resize. In the orientation in which A is stored: O(rows log(row) + entries of T). Waits for the
/// device once.
DeviceMatrix part(const DeviceMatrix& a, Range rows, Range columns);
/// T(i) = u(i) for i below `length`, no entry beyond u. O(entries); waits for the device where u becomes
/// shorter.
DeviceVector resized(const DeviceVector& u, uint64_t length);

/// The same entries at the same positions, these counted row by row or (by_column) column by column: A's
/// rows * columns are those of the result. GxB_Matrix_reshape. Values do not move; O(entries + rows of the
/// result). One of A's two orientations is made where it is not there.
DeviceMatrix reshaped(const DeviceMatrix& a, bool by_column, uint64_t rows, uint64_t columns);

/// A vector as a matrix of one row, and back. A full one gets its indices.
formats::Csr as_row(const DeviceVector& u);
DeviceVector from_row(formats::Csr&& row);

/// T = the tiles side by side: `across` of them in a row of tiles (row by row in `tiles`), whose heights
/// agree in a row of tiles and whose widths agree in a column of tiles. C has the sum of heights and of
/// widths. GxB_Matrix_concat. Two launches a tile, O(entries + rows). T is iso where all tiles are, with one
/// value.
void concat(const MatrixOutput& c, const std::vector<const DeviceMatrix*>& tiles, uint64_t across);

/// C(i,:) = r, which has C's type and as many positions as C has columns; with `column` C(:,i) = r. Where C
/// is stored by that line it is a batch of updates, if C may have any form, or its neighbours are moved,
/// O(entries) bytes; else they are joined by the write-back. `c` has neither mask nor accumulator.
void replace_line(const MatrixOutput& c, bool column, uint64_t index, const DeviceVector& r);

}  // namespace cugrb::operations
