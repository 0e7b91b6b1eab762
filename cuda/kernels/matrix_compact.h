// Some of a matrix's entries, as a matrix.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/views/matrix_elementwise.h"

namespace cugrb {

/// new_offsets[r] = number of kept entries before row r. One thread for each of rows + 1.
template <class Rows, class Position, class NewOffset>
CUGRB_KERNEL(256)
void matrix_compact_offsets(MatrixCompactArguments a) {
  const uint64_t r = global_thread();
  if (r > a.pattern.rows) return;
  static_cast<NewOffset*>(a.new_offsets)[r] = NewOffset(
      lower_bound(static_cast<const Position*>(a.positions), 0, a.kept, row_begin<Rows>(a.pattern, r)));
}

/// Columns and, if they are not iso, values of the kept entries. One thread a kept entry.
template <class Rows, class Position, class T, bool has_values>
CUGRB_KERNEL(256)
void matrix_compact_entries(MatrixCompactArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.kept) return;
  const uint64_t p = static_cast<const Position*>(a.positions)[n];
  static_cast<typename Rows::Column*>(a.new_columns)[n] = columns_of<Rows>(a.pattern)[p];
  if constexpr (has_values) static_cast<T*>(a.new_values)[n] = static_cast<const T*>(a.values)[p];
}

}  // namespace cugrb
