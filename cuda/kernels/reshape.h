// The places of a matrix's entries when its positions, counted row by row, are cut into rows of another
// length.
#pragma once
#include "cuda/kernels/matrix_write_back.h"
#include "cuda/views/reshape.h"

namespace cugrb {

/// Grid: one block for each tile of entries.
template <class Rows, class Row, class Column>
CUGRB_KERNEL(256)
void reshape_entries(ReshapeArguments a) {
  for_moved_entries<Rows>(a.from, [&](uint64_t p, uint64_t row, uint64_t column) {
    const uint64_t position = row * a.from.columns_count + column, new_row = position / a.columns;
    static_cast<Row*>(a.out_rows)[p] = Row(new_row);
    static_cast<Column*>(a.out_columns)[p] = Column(position - new_row * a.columns);
  });
}

}  // namespace cugrb
