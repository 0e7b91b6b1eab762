// Rows of T by expansion, sorting and compression: every product is written down with its row and column, a
// stable radix sort (cuda/primitives) brings those of one entry together, in ascending k, and each run is
// summed. It takes values of any size, needs no atomics, and its sums are combined in an order that does not
// depend on chance.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/mxm_rows.h"

namespace cugrb {

/// Lengths and products of the listed rows. One thread each.
template <class Left>
CUGRB_KERNEL(256)
void mxm_sort_rows(MxmSortArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t r = a.list[n];
  a.entry_starts[n] = row_begin<Left>(a.left, r + 1) - row_begin<Left>(a.left, r);
  a.list_products[n] = a.products[r];
}

/// The left entry that is number e among those of the listed rows: its place p; `n` its row's number.
template <class Left>
CUGRB_DEVICE uint64_t listed_entry(const MxmSortArguments& a, uint64_t n, uint64_t e) {
  return row_begin<Left>(a.left, a.list[n]) + (e - a.entry_starts[n]);
}

/// Lengths of the right rows of each left entry. Grid: a block for each tile of entries.
template <class Product>
CUGRB_KERNEL(256)
void mxm_sort_lengths(MxmSortArguments a) {
  using Right = typename Product::Right;
  const uint64_t begin = tile_begin(), end = tile_end(a.entries);
  const auto rows = segments_of_tile<uint64_t>(a.entry_starts, a.count, begin, end);
  for (uint64_t e = begin + thread_index(); e < end; e += EntryTile::threads) {
    const uint64_t p = listed_entry<typename Product::Left>(a, rows.of_item(e), e);
    const uint64_t k = read_only(columns_of<typename Product::Left>(a.left) + p);
    a.product_starts[e] = row_begin<Right>(a.right, k + 1) - row_begin<Right>(a.right, k);
  }
}

/// A product as payload of the sort, and back.
template <class T>
CUGRB_DEVICE void store_term(const MxmSortItems& a, uint64_t t, const T& term) {
  if constexpr (sizeof(T) <= 8) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &term, sizeof(T));
    a.payload[t] = bits;
  } else {
    static_cast<T*>(a.terms)[t] = term;
    a.payload[t] = t;
  }
}
template <class T>
CUGRB_DEVICE T load_term(const MxmSortItems& a, uint64_t t) {
  const uint64_t bits = a.payload[t];
  if constexpr (sizeof(T) <= 8) {
    T term;
    __builtin_memcpy(&term, &bits, sizeof(T));
    return term;
  } else {
    return static_cast<const T*>(a.terms)[bits];
  }
}

/// All products. Grid: a block for each tile of them.
template <class Product>
CUGRB_KERNEL(256)
void mxm_sort_expand(MxmSortArguments a) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  const uint64_t begin = tile_begin(), end = tile_end(a.total);
  const auto entries = segments_of_tile<uint64_t>(a.product_starts, a.entries, begin, end);
  for (uint64_t t = begin + thread_index(); t < end; t += EntryTile::threads) {
    const uint64_t e = entries.of_item(t);
    const uint64_t n = last_start_at_most(a.entry_starts, 0, a.count, e);
    const uint64_t p = listed_entry<Left>(a, n, e);
    const uint64_t k = read_only(columns_of<Left>(a.left) + p);
    const uint64_t q = row_begin<Right>(a.right, k) + (t - a.product_starts[e]);
    const uint64_t c = read_only(columns_of<Right>(a.right) + q);
    a.keys[t] = (a.column_bits < 64 ? n << a.column_bits : 0) | c;
    store_term(a, t, Product::term(a.left, a.right, p, q, a.list[n], k, c));
  }
}

/// The column that a key stands for.
CUGRB_DEVICE uint64_t column_of_key(const MxmSortItems& a, uint64_t key) {
  return a.column_bits < 64 ? key & ((uint64_t(1) << a.column_bits) - 1) : key;
}
/// The row. Without a list rows have their own numbers.
CUGRB_DEVICE uint64_t row_of_key(const MxmSortItems& a, uint64_t key) {
  const uint64_t n = a.column_bits < 64 ? key >> a.column_bits : 0;
  return a.list != nullptr ? a.list[n] : n;
}

/// heads[t]: the sorted product t is the first of its row and column, where the mask allows an entry. One
/// thread each.
template <class Mask>
CUGRB_KERNEL(256)
void mxm_sort_heads(MxmSortedArguments a) {
  const uint64_t t = global_thread();
  if (t >= a.total) return;
  const uint64_t key = a.keys[t];
  const bool first = t == 0 || key != a.keys[t - 1];
  a.heads[t] = first && Mask::allows(a.mask, row_of_key(a, key), column_of_key(a, key)) ? 1 : 0;
}

/// Where the listed rows begin in the piece. One thread for each of count + 1.
template <class Key>
CUGRB_KERNEL(256)
void mxm_sort_piece_rows(MxmSortedArguments a) {
  const uint64_t n = global_thread();
  if (n > a.count) return;
  uint64_t first = a.total;  // product
  if (n < a.count) first = lower_bound(a.keys, 0, a.total, a.column_bits < 64 ? n << a.column_bits : 0);
  a.piece_starts[n] = lower_bound(a.head_positions, 0, a.kept, first);
}

/// row_entries of the listed rows. One thread each.
template <class Key>
CUGRB_KERNEL(256)
void mxm_sort_row_entries(MxmPieceArguments a) {
  const uint64_t n = global_thread();
  if (n < a.count) a.row_entries[a.list[n]] = a.piece_starts[n + 1] - a.piece_starts[n];
}

/// The piece's columns and values: 8 lanes sum the run of each head.
template <class Add, class Mask, class NewColumn>
CUGRB_KERNEL(256)
void mxm_sort_reduce(MxmSortedArguments a) {
  using T = typename Add::type;
  const uint64_t h = global_thread() / 8;
  if (h >= a.kept) return;
  const uint64_t begin = a.head_positions[h];
  uint64_t end = h + 1 < a.kept ? a.head_positions[h + 1] : a.total;
  // Between two kept runs there may be others, which the mask forbids.
  if constexpr (!is_same<Mask, matrix_mask_none>) end = lower_bound(a.keys, begin, end, a.keys[begin] + 1);
  partial<T> sum = no_terms<T>();
  for (uint64_t t = begin + lane_index() % 8; t < end; t += 8) add_term<Add>(sum, load_term<T>(a, t));
  sum = sum_over_lanes<Add, 8>(group_lanes<8>(), sum);
  if (lane_index() % 8 != 0) return;
  static_cast<NewColumn*>(a.piece_columns)[h] = NewColumn(column_of_key(a, a.keys[begin]));
  static_cast<T*>(a.piece_values)[h] = sum.value;
}

/// The piece's entries go to their rows of T. Grid: a block for each tile of entries.
template <class NewColumn, class T>
CUGRB_KERNEL(256)
void mxm_sort_store(MxmPieceArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.kept);
  const auto rows = segments_of_tile<uint64_t>(a.piece_starts, a.count, begin, end);
  for (uint64_t h = begin + thread_index(); h < end; h += EntryTile::threads) {
    const uint64_t n = rows.of_item(h);
    const uint64_t place = a.row_starts[a.list[n]] + (h - a.piece_starts[n]);
    static_cast<NewColumn*>(a.columns)[place] = static_cast<const NewColumn*>(a.piece_columns)[h];
    static_cast<T*>(a.values)[place] = static_cast<const T*>(a.piece_values)[h];
  }
}

}  // namespace cugrb
