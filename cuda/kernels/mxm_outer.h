// T as a sum of outer products: for each k, column k of left times row k of right. Every entry of the column
// meets every entry of the row, so no thread tests anything or waits for another. The products are merged by
// sorting (cuda/kernels/mxm_sort.h).
//
// Blocks take their work from a table of workloads, |left(:,k)| * |right(k,:)|, sorted heaviest first; a
// workload larger than a block's share is cut between entries of the column. The right row's column indices
// are staged in shared memory, with `stage_values` its values as well.
//
// Source: Y.-Y. Jo et al., "Efficient sparse matrix multiplication on GPU for large social network analysis"
// (lbGEMM), CIKM 2015: equations (3) and (4), algorithm 2, technique T2. There the row is staged with its
// values, the products are merged on the host, and a workload is never cut. Equation (4) divides by the
// number of threads in the block, which there is as many as the column has entries. Every block here has 256,
// so the order is that of the products. Pieces of the table are made one after the other when memory does not
// suffice for all of it.
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

/// Entries of the right row that are staged at once: 1024, or as many as 32 KB hold.
template <class Product, bool stage_values>
constexpr unsigned staged_entries() {
  if (!stage_values) return 1024;
  const unsigned fit =
      32768 / unsigned(sizeof(typename Product::Right::Column) + sizeof(typename Product::RightValue));
  return fit > 1024 ? 1024 : fit < 32 ? 32 : fit;
}

/// The products of a piece: of the blocks from first_block on, one block of 256 threads each.
template <class Product, bool stage_values>
CUGRB_KERNEL(256)
void mxm_outer_expand(MxmOuterArguments a) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using RightValue = typename Product::RightValue;
  constexpr unsigned most = staged_entries<Product, stage_values>();
  CUGRB_SHARED(Column, staged, most);
  CUGRB_SHARED(RightValue, staged_values, stage_values ? most : 1);
  const uint64_t block = a.first_block + block_index(), n = a.block_workloads[block], k = a.table[n];
  const uint64_t column_begin = row_begin<Left>(a.left_columns, k),
                 column_end = row_begin<Left>(a.left_columns, k + 1);
  const uint64_t row_first = row_begin<Right>(a.right, k),
                 length = row_begin<Right>(a.right, k + 1) - row_first;
  const uint64_t share = column_entries_per_block(a.share, length);
  const uint64_t begin = column_begin + (block - a.block_starts[n]) * share;
  const uint64_t end = begin + share < column_end ? begin + share : column_end;
  for (uint64_t first = 0; first < length; first += most) {
    const unsigned width = unsigned(length - first < most ? length - first : most);
    for (unsigned m = thread_index(); m < width; m += 256) {
      const uint64_t q = row_first + first + m;
      staged[m] = read_only(columns_of<Right>(a.right) + q);
      if constexpr (stage_values) staged_values[m] = Product::right_value(a.right, q);
    }
    sync_block();
    // Thread by thread along the row, then the next entry of the column: stores are coalesced.
    for (uint64_t m = thread_index(); m < (end - begin) * width; m += 256) {
      const uint64_t p = begin + m / width, q = row_first + first + m % width;
      const uint64_t r = read_only(columns_of<Left>(a.left_columns) + p), c = staged[m % width];
      const uint64_t t =
          a.product_starts[n] + (p - column_begin) * length + (q - row_first) - a.first_product;
      a.sort.keys[t] = (a.sort.column_bits < 64 ? r << a.sort.column_bits : 0) | c;
      if constexpr (stage_values) {
        store_term(a.sort, t,
                   Product::term_of(Product::left_value(a.left_columns, p), staged_values[m % width],
                                    a.left_columns, a.right, r, k, c));
      } else {
        store_term(a.sort, t, Product::term(a.left_columns, a.right, p, q, r, k, c));
      }
    }
    sync_block();
  }
}

}  // namespace cugrb
