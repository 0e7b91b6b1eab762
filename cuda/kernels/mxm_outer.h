// T as a sum of outer products: for each k, column k of left times row k of right. Every entry of the column
// meets every entry of the row, so no thread tests anything or waits for another. The products are merged by
// sorting (cuda/kernels/mxm_sort.h).
//
// Blocks take their work from a table of workloads, |left(:,k)| * |right(k,:)|, sorted heaviest first; a
// workload larger than a block's share is cut between entries of the column. The right row is staged in
// shared memory.
//
// Source: Y.-Y. Jo et al., "Efficient sparse matrix multiplication on GPU for large social network analysis"
// (lbGEMM), CIKM 2015: equations (3) and (4), algorithm 2. There the products are merged on the host, and a
// workload is never cut. Here pieces of the table are made one after the other when memory does not suffice
// for all of it.
#pragma once
#include "cuda/kernels/mxm_sort.h"

namespace cugrb {

/// Entries of a left column that one block takes.
CUGRB_DEVICE uint64_t column_entries_per_block(uint64_t share, uint64_t right_length) {
  return right_length >= share ? 1 : share / right_length;
}

/// The workload table's keys. One thread for each k.
template <class Product>
CUGRB_KERNEL(256)
void mxm_outer_workloads(MxmOuterArguments a) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  const uint64_t k = global_thread();
  if (k >= a.left_columns.rows) return;
  const uint64_t workload = (row_begin<Left>(a.left_columns, k + 1) - row_begin<Left>(a.left_columns, k)) *
                            (row_begin<Right>(a.right, k + 1) - row_begin<Right>(a.right, k));
  a.inverted[k] = ~workload;
  a.ordinals[k] = k;
}

/// Products and blocks of each workload, in the table's order. One thread for each.
template <class Product>
CUGRB_KERNEL(256)
void mxm_outer_blocks(MxmOuterArguments a) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  const uint64_t n = global_thread();
  if (n >= a.left_columns.rows) return;
  const uint64_t k = a.table[n];
  const uint64_t column = row_begin<Left>(a.left_columns, k + 1) - row_begin<Left>(a.left_columns, k);
  const uint64_t row = row_begin<Right>(a.right, k + 1) - row_begin<Right>(a.right, k);
  const uint64_t share = row == 0 ? 1 : column_entries_per_block(a.share, row);
  a.product_starts[n] = column * row;
  a.block_starts[n] = row == 0 ? 0 : (column + share - 1) / share;
}

/// The products of a piece: of the blocks from first_block on, one block of 256 threads each.
template <class Product>
CUGRB_KERNEL(256)
void mxm_outer_expand(MxmOuterArguments a) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  constexpr unsigned staged_columns = 1024;
  CUGRB_SHARED(Column, staged, staged_columns);
  const uint64_t block = a.first_block + block_index(), n = a.block_workloads[block], k = a.table[n];
  const uint64_t column_begin = row_begin<Left>(a.left_columns, k),
                 column_end = row_begin<Left>(a.left_columns, k + 1);
  const uint64_t row_first = row_begin<Right>(a.right, k),
                 length = row_begin<Right>(a.right, k + 1) - row_first;
  const uint64_t share = column_entries_per_block(a.share, length);
  const uint64_t begin = column_begin + (block - a.block_starts[n]) * share;
  const uint64_t end = begin + share < column_end ? begin + share : column_end;
  for (uint64_t first = 0; first < length; first += staged_columns) {
    const unsigned width = unsigned(length - first < staged_columns ? length - first : staged_columns);
    for (unsigned m = thread_index(); m < width; m += 256) {
      staged[m] = read_only(columns_of<Right>(a.right) + row_first + first + m);
    }
    sync_block();
    // Thread by thread along the row, then the next entry of the column: stores are coalesced.
    for (uint64_t m = thread_index(); m < (end - begin) * width; m += 256) {
      const uint64_t p = begin + m / width, q = row_first + first + m % width;
      const uint64_t r = read_only(columns_of<Left>(a.left_columns) + p), c = staged[m % width];
      const uint64_t t =
          a.product_starts[n] + (p - column_begin) * length + (q - row_first) - a.first_product;
      a.sort.keys[t] = (a.sort.column_bits < 64 ? r << a.sort.column_bits : 0) | c;
      store_term(a.sort, t, Product::term(a.left_columns, a.right, p, q, r, k, c));
    }
    sync_block();
  }
}

}  // namespace cugrb
