// T where the longest rows of both factors say that no row of T has many products: nothing is counted or
// listed first, and the host waits once, at the end. Where a tile's rows begin in T is learnt by looking back
// (look_back.h).
//
// Rows of few left entries are merged, a thread each (mxm_merge.h), in one launch: counted, then made. Others
// are sorted in registers as in mxm_esc.h, each warp's rows by the bin of the longest one, put down where
// they have room for all of their products, and taken to their places by a second launch.
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/mxm_esc.h"
#include "cuda/kernels/mxm_merge.h"

namespace cugrb {

/// Entries of T's row r from `start` on: stores where it begins, and behind the last row where that ends.
template <class Offset>
CUGRB_DEVICE void store_row_start(const MxmBoundedArguments& a, uint64_t r, uint64_t start,
                                  uint64_t entries) {
  static_cast<Offset*>(a.offsets)[r] = Offset(start);
  if (r + 1 < a.rows.left.rows) return;
  static_cast<Offset*>(a.offsets)[r + 1] = Offset(start + entries);
  *a.entries = start + entries;
}

/// Rows of up to `ways` left entries. The tile's entries are gathered in shared memory, so that they leave it
/// side by side; a tile of more than `staged` entries stores them as they are made. Grid: a thread a row.
/// Dynamic shared memory: `staged` values and columns.
template <class Product, class Mask, class NewColumn, class Offset, int ways>
CUGRB_KERNEL_RESIDENT(256, merging_blocks<Product>(ways))
void mxm_bounded_merge(MxmBoundedArguments a) {
  using T = typename Product::type;
  CUGRB_DYNAMIC_SHARED(unsigned char, memory);
  CUGRB_SHARED(sums_of_warps, warp_sums, 1);
  CUGRB_SHARED(uint64_t, tile_begin, 1);
  T* staged_values = reinterpret_cast<T*>(memory);
  NewColumn* staged_columns = reinterpret_cast<NewColumn*>(memory + a.staged_columns);
  const uint64_t tile = take_tile(a.taken), r = tile * 256 + thread_index();
  const bool valid = r < a.rows.left.rows;
  uint32_t columns = 0;
  const uint32_t entries = count_merged<Product, Mask, ways>(a.rows, r, valid, columns);
  uint32_t of_tile = 0;
  const uint32_t before = sum_before_thread(entries, warp_sums, of_tile);
  const bool staged = of_tile <= a.staged;
  if (thread_index() < 32) {
    const uint64_t begin = sum_before_tile(a.sums, tile, of_tile);
    if (thread_index() == 0) tile_begin[0] = begin;
  }
  if (!staged) sync_block();
  T* values = staged ? staged_values : static_cast<T*>(a.rows.values) + tile_begin[0];
  NewColumn* new_columns = staged ? staged_columns : static_cast<NewColumn*>(a.rows.columns) + tile_begin[0];
  merged_products<Product, ways> merged(a.rows, r, valid);
  for (uint32_t e = before; merged.more();) {
    const auto column = merged.column;
    const T sum = merged.next_sum(a.rows);
    if (!Mask::allows(a.rows.mask, r, column)) continue;
    new_columns[e] = NewColumn(column);
    values[e] = sum;
    ++e;
  }
  sync_block();
  const uint64_t begin = tile_begin[0];
  if (valid) store_row_start<Offset>(a, r, begin + before, entries);
  if (!staged) return;
  for (uint32_t e = thread_index(); e < of_tile; e += 256) {
    static_cast<NewColumn*>(a.rows.columns)[begin + e] = staged_columns[e];
    static_cast<T*>(a.rows.values)[begin + e] = staged_values[e];
  }
}

/// Where row r is put down: behind the room of the rows before it.
template <class Left>
CUGRB_DEVICE uint64_t made_start(const MxmBoundedArguments& a, uint64_t r) {
  return row_begin<Left>(a.rows.left, r) * a.longest_right;
}

/// Sorts, adds up and puts down the warp's rows from `first` on, `lanes` for each.
template <class Product, class Mask, class NewColumn, class Item, int lanes, int each>
CUGRB_DEVICE void sort_bounded_rows(const MxmBoundedArguments& a, uint64_t first, uint64_t end,
                                    unsigned char* memory) {
  using T = typename Product::type;
  using Row = esc_row<Item, T, lanes, each>;
  const unsigned lane = lane_index() % lanes, group = lane_index() / lanes;
  const uint64_t r = first + group;
  const bool valid = r < end;
  no_ranges ranges;
  const sorted_products<Product, Mask, Item, lanes, each> sorted(
      a.rows, r, valid, lane, reinterpret_cast<Row*>(memory)[group], ranges, nullptr);
  if (!valid) return;
  if (lane == 0) a.row_entries[r] = sorted.entries;
  const uint64_t start = made_start<typename Product::Left>(a, r);
  sorted.store_entries([&](unsigned e, uint64_t column, const T& sum) {
    static_cast<NewColumn*>(a.made_columns)[start + e] = NewColumn(column);
    static_cast<T*>(a.made_values)[start + e] = sum;
  });
}

/// Products of row r, of none when it is not `valid`, by `lanes` of a warp.
template <class Product, int lanes>
CUGRB_DEVICE unsigned products_of_row(const MxmRowsArguments& a, uint64_t r, bool valid) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  unsigned products = 0;
  if (valid) {
    const uint64_t end = row_begin<Left>(a.left, r + 1);
    for (uint64_t p = row_begin<Left>(a.left, r) + lane_index() % lanes; p < end; p += lanes) {
      const uint64_t k = read_only(columns_of<Left>(a.left) + p);
      products += unsigned(row_begin<Right>(a.right, k + 1) - row_begin<Right>(a.right, k));
    }
  }
#pragma unroll
  for (int other = lanes / 2; other > 0; other /= 2) products += shuffle_xor(full_warp, products, other);
  return products;
}

/// Blocks that a multiprocessor holds: by the registers of the bin that needs most.
constexpr int bounded_blocks(int most, int item_bytes) {
  const int blocks = sorting_blocks(32, most <= 64 ? 4 : most <= 128 ? 8 : 16, item_bytes);
  return blocks < 4 ? blocks : 4;
}

/// Rows of up to `most` products (32, 64, 128 or 512), put down with room for all of their products;
/// row_entries says how many they are. Grid: a warp for sorted_by_a_warp(most) rows. Dynamic shared memory:
/// warp_bytes for each warp's rows while they are sorted.
template <class Product, class Mask, class NewColumn, class Item, int most>
CUGRB_KERNEL_RESIDENT(256, bounded_blocks(most, sizeof(Item)))
void mxm_bounded_sort(MxmBoundedArguments a) {
  CUGRB_DYNAMIC_SHARED(unsigned char, memory);
  constexpr unsigned rows = sorted_by_a_warp(most);
  unsigned char* own = memory + thread_index() / 32 * a.warp_bytes;
  const uint64_t first = global_thread() / 32 * rows, end = a.rows.left.rows;
  if constexpr (most <= 32) {
    sort_bounded_rows<Product, Mask, NewColumn, Item, 8, 4>(a, first, end, own);
  } else {
    const uint64_t r = first + lane_index() / 16;
    const unsigned products = products_of_row<Product, 16>(a.rows, r, r < end);
    const unsigned other = shuffle_xor(full_warp, products, 16);
    const unsigned longer = products > other ? products : other;
    if (longer <= 64) {
      sort_bounded_rows<Product, Mask, NewColumn, Item, 16, 4>(a, first, end, own);
    } else if constexpr (most > 64) {
      if (longer <= 128) {
        sort_bounded_rows<Product, Mask, NewColumn, Item, 16, 8>(a, first, end, own);
      } else if constexpr (most > 128) {
#pragma unroll 1
        for (uint64_t one = first; one < first + rows && one < end; ++one) {
          if (shuffle(full_warp, products, int(one - first) * 16) <= 256) {
            sort_bounded_rows<Product, Mask, NewColumn, Item, 32, 8>(a, one, end, own);
          } else {
            sort_bounded_rows<Product, Mask, NewColumn, Item, 32, 16>(a, one, end, own);
          }
          sync_warp(full_warp);
        }
      }
    }
  }
}

/// Takes the rows that were put down to their places in T, those that have room there, and stores its
/// offsets. A Value is as large as one of T. Grid: a block of 256 for placed_rows.
template <class Left, class NewColumn, class Value, class Offset>
CUGRB_KERNEL(256)
void mxm_bounded_place(MxmBoundedArguments a) {
  constexpr unsigned lanes = 8;
  CUGRB_SHARED(sums_of_warps, warp_sums, 1);
  CUGRB_SHARED(uint32_t, starts, placed_rows + 1);
  CUGRB_SHARED(uint64_t, tile_begin, 1);
  const uint64_t tile = take_tile(a.taken), first = tile * placed_rows, r = first + thread_index();
  const bool valid = thread_index() < placed_rows && r < a.rows.left.rows;
  const uint32_t entries = valid ? a.row_entries[r] : 0;
  uint32_t of_tile = 0;
  const uint32_t before = sum_before_thread(entries, warp_sums, of_tile);
  if (thread_index() < 32) {
    const uint64_t begin = sum_before_tile(a.sums, tile, of_tile);
    if (thread_index() == 0) tile_begin[0] = begin;
  }
  if (thread_index() <= placed_rows) starts[thread_index()] = before;
  sync_block();
  const uint64_t begin = tile_begin[0];
  if (valid) store_row_start<Offset>(a, r, begin + before, entries);
  for (unsigned own = thread_index() / lanes; own < placed_rows; own += 256 / lanes) {
    if (first + own >= a.rows.left.rows) break;
    const uint64_t from = made_start<Left>(a, first + own), to = begin + starts[own];
    const uint32_t count = to + starts[own + 1] - starts[own] <= a.room ? starts[own + 1] - starts[own] : 0;
    for (uint32_t e = thread_index() % lanes; e < count; e += lanes) {
      static_cast<NewColumn*>(a.rows.columns)[to + e] =
          static_cast<const NewColumn*>(a.made_columns)[from + e];
      static_cast<Value*>(a.rows.values)[to + e] = static_cast<const Value*>(a.made_values)[from + e];
    }
  }
}

}  // namespace cugrb
