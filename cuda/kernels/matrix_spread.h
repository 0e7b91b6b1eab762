// A matrix put into the named rows and columns of a larger one. Both ascend, so that entries keep their
// order: values do not move.
#pragma once
#include "cuda/kernels/index_set.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/views/matrix_spread.h"

namespace cugrb {

/// offsets[i] = entries of the part in the named rows before row i. One thread for each of all_rows + 1.
template <class Rows, class RowSet>
CUGRB_KERNEL(256)
void spread_offsets(MatrixSpreadArguments a) {
  const uint64_t i = global_thread();
  if (i > a.all_rows) return;
  static_cast<typename Rows::Offset*>(a.offsets)[i] = row_begin<Rows>(a.part, RowSet::rank(a.rows, i));
}

/// The column in the whole of each entry, where columns are listed. One thread an entry.
template <class Rows, class Column>
CUGRB_KERNEL(256)
void spread_columns(MatrixSpreadArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.part.entries) return;
  static_cast<Column*>(a.out_columns)[p] = Column(a.columns.list[columns_of<Rows>(a.part)[p]]);
}

}  // namespace cugrb
