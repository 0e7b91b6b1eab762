// T where one factor is diagonal: the other one with its rows or columns scaled. T has its pattern, and every
// entry one term.
#pragma once
#include "cuda/kernels/matrix_write_back.h"

namespace cugrb {

/// *not_diagonal = 1 when row i has not one entry, in column i. The matrix is square and has as many entries
/// as rows. One thread each.
template <class Rows>
CUGRB_KERNEL(256)
void mxm_scale_check(MxmScaleArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.left.rows) return;
  const bool holds = row_begin<Rows>(a.left, i) == i && uint64_t(columns_of<Rows>(a.left)[i]) == i;
  if (!holds) relaxed_store(a.not_diagonal, 1u);
}

/// values[p] = left(i,i) (x) right(i,j) for the entry p of right at (i,j); or, when right is diagonal,
/// left(i,j) (x) right(j,j) for the entry p of left. Grid: a block of 256 for each tile of the entries.
template <class Product, bool left_is_diagonal>
CUGRB_KERNEL(256)
void mxm_scale(MxmScaleArguments a) {
  using T = typename Product::type;
  T* values = static_cast<T*>(a.values);
  if constexpr (left_is_diagonal) {
    for_entries_of_tile<typename Product::Right>(a.right, [&](uint64_t p, uint64_t i, uint64_t j) {
      values[p] = Product::term(a.left, a.right, i, p, i, i, j);
    });
  } else {
    for_entries_of_tile<typename Product::Left>(a.left, [&](uint64_t p, uint64_t i, uint64_t j) {
      values[p] = Product::term(a.left, a.right, p, j, i, j, j);
    });
  }
}

}  // namespace cugrb
