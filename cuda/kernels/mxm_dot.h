// Masked dot products: T(r,c) = sum over k of left(r,k) (x) right(c,k), for the entries (r,c) of a mask, and
// nothing else. Both factors are stored by rows over k.
//
// Two ways, chosen by the length of the left row:
//   short rows   a group of lanes for each mask entry; each entry of the shorter of the two rows is searched
//   in the
//                longer one: O(shorter * log longer / lanes).
//   other rows   a block for a share of one mask row. The left row goes into a hash table in shared memory
//   once; then
//                each right row is streamed and looked up, O(|right row| / lanes), or, where that is less
//                work, the left row's entries are searched in the right row. Rows that do not fit the table
//                are taken in parts.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/kernels/segments.h"

namespace cugrb {

/// Two rows to be intersected.
struct row_pair {
  uint64_t left_begin, left_end, right_begin, right_end;
  uint64_t r, c;
};

template <class Product, int lanes>
CUGRB_DEVICE bool nothing_changes(unsigned mask, const partial<typename Product::type>& sum) {
  if constexpr (stops_early<typename Product::Add>) {
    return any_lane(mask, is_final<typename Product::Add>(sum)) != 0;
  } else {
    return false;
  }
}

/// Adds the terms that this lane finds: each entry of the left row (or, `right_in_left`, of the right row) is
/// searched in the other one.
template <class Product, int lanes, bool right_in_left>
CUGRB_DEVICE void add_by_search(partial<typename Product::type>& sum, const MxmDotArguments& a,
                                const row_pair& rows) {
  const auto* left = columns_of<typename Product::Left>(a.left);
  const auto* right = columns_of<typename Product::Right>(a.right);
  const unsigned mask = group_lanes<lanes>();
  const uint64_t begin = right_in_left ? rows.right_begin : rows.left_begin;
  const uint64_t end = right_in_left ? rows.right_end : rows.left_end;
  uint64_t low = right_in_left ? rows.left_begin : rows.right_begin;  // what a lane looks for ascends
  const uint64_t high = right_in_left ? rows.left_end : rows.right_end;
  for (uint64_t base = begin; base < end; base += lanes) {
    const uint64_t n = base + lane_index() % lanes;
    if (n < end) {
      uint64_t k;
      bool found;
      if constexpr (right_in_left) {
        k = read_only(right + n);
        low = lower_bound(left, low, high, k);
        found = low < high && uint64_t(read_only(left + low)) == k;
      } else {
        k = read_only(left + n);
        low = lower_bound(right, low, high, k);
        found = low < high && uint64_t(read_only(right + low)) == k;
      }
      if (found) {
        add_term<typename Product::Add>(sum, Product::term(a.left, a.right, right_in_left ? low : n,
                                                           right_in_left ? n : low, rows.r, k, rows.c));
      }
    }
    if (nothing_changes<Product, lanes>(mask, sum)) break;
  }
}

template <class T>
CUGRB_DEVICE void store_dot(const MxmDotArguments& a, uint64_t p, const partial<T>& sum) {
  if (sum.has) static_cast<T*>(a.values)[p] = sum.value;
  a.has[p] = sum.has ? 1 : 0;
}

template <class Product, class Select>
CUGRB_DEVICE row_pair rows_of_entry(const MxmDotArguments& a, uint64_t r, uint64_t p) {
  row_pair rows;
  rows.r = r;
  rows.c = read_only(static_cast<const typename Select::Column*>(a.mask.columns) + p);
  rows.left_begin = row_begin<typename Product::Left>(a.left, r);
  rows.left_end = row_begin<typename Product::Left>(a.left, r + 1);
  rows.right_begin = row_begin<typename Product::Right>(a.right, rows.c);
  rows.right_end = row_begin<typename Product::Right>(a.right, rows.c + 1);
  return rows;
}

/// Grid: a block of 256 threads for each 8 * 256 / lanes entries of the mask. Entries of longer left rows are
/// left out.
template <class Product, class Select, int lanes>
CUGRB_KERNEL(256)
void mxm_dot_search(MxmDotArguments a) {
  constexpr unsigned groups = 256 / lanes, tile = 8 * groups;
  const uint64_t begin = uint64_t(block_index()) * tile;
  const uint64_t end = begin + tile < a.mask.entries ? begin + tile : a.mask.entries;
  const auto segments =
      segments_of_tile(static_cast<const typename Select::Offset*>(a.mask.offsets), a.mask.rows, begin, end);
  for (uint64_t p = begin + thread_index() / lanes; p < end; p += groups) {
    const row_pair rows = rows_of_entry<Product, Select>(a, segments.of_item(p), p);
    if (rows.left_end - rows.left_begin > a.longest_searched) continue;
    partial<typename Product::type> sum = no_terms<typename Product::type>();
    if (Select::holds(a.mask, p)) {
      if (rows.left_end - rows.left_begin <= rows.right_end - rows.right_begin) {
        add_by_search<Product, lanes, false>(sum, a, rows);
      } else {
        add_by_search<Product, lanes, true>(sum, a, rows);
      }
      sum = sum_over_lanes<typename Product::Add, lanes>(group_lanes<lanes>(), sum);
    }
    if (lane_index() % lanes == 0) store_dot(a, p, sum);
  }
}

/// Mask entries of a row that one block takes: enough to pay for the table.
CUGRB_DEVICE uint64_t entries_per_block(uint64_t left_length) {
  return left_length / 8 > 512 ? left_length / 8 : 512;
}

/// block_starts[r] = blocks that row r's entries need. One thread a row.
template <class Product, class Select>
CUGRB_KERNEL(256)
void mxm_dot_blocks(MxmDotArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.mask.rows) return;
  const uint64_t left =
      row_begin<typename Product::Left>(a.left, r + 1) - row_begin<typename Product::Left>(a.left, r);
  const uint64_t entries = row_begin<Select>(a.mask, r + 1) - row_begin<Select>(a.mask, r);
  const bool counted = left > a.longest_searched && left <= a.longest_hashed;
  const uint64_t share = entries_per_block(left);
  a.block_starts[r] = counted ? (entries + share - 1) / share : 0;
}

/// Keys of a part of one row and, where values are read, their positions: open addressing, at most half full.
template <class Column, unsigned slots, bool with_positions>
struct row_table {
  Column* keys;
  uint32_t* positions;
  static constexpr Column empty = Column(~Column(0));

  static CUGRB_DEVICE unsigned slot_of(Column key) {
    const uint32_t folded = uint32_t(key) ^ uint32_t(uint64_t(key) >> 32);
    return unsigned((uint64_t(folded * 2654435761u) * slots) >> 32);
  }
  CUGRB_DEVICE void insert(Column key, uint32_t position) {
    unsigned slot = slot_of(key);
    while (atomic_compare_and_swap(keys + slot, empty, key) != empty) slot = (slot + 1) & (slots - 1);
    if constexpr (with_positions) positions[slot] = position;
  }
  CUGRB_DEVICE bool find(Column key, uint32_t& position) const {
    unsigned slot = slot_of(key);
    while (true) {
      const Column seen = keys[slot];
      if (seen == key) {
        if constexpr (with_positions) position = positions[slot];
        return true;
      }
      if (seen == empty) return false;
      slot = (slot + 1) & (slots - 1);
    }
  }
};

/// The terms of entry p's row pair that lie in the table's part [first, last) of the left row, summed over
/// the group.
template <class Product, int lanes, class Table>
CUGRB_DEVICE partial<typename Product::type> sum_by_table(const MxmDotArguments& a, row_pair rows,
                                                          uint64_t first, uint64_t last, const Table& table) {
  using Column = typename Product::Left::Column;
  const auto* left = columns_of<typename Product::Left>(a.left);
  const auto* right = columns_of<typename Product::Right>(a.right);
  if (last - first < rows.left_end - rows.left_begin) {  // only the part's range of the right row
    rows.right_begin = lower_bound(right, rows.right_begin, rows.right_end, read_only(left + first));
    rows.right_end =
        lower_bound(right, rows.right_begin, rows.right_end, uint64_t(read_only(left + last - 1)) + 1);
  }
  rows.left_begin = first;
  rows.left_end = last;
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  const uint64_t right_length = rows.right_end - rows.right_begin;
  constexpr uint64_t search_steps = 24;  // a binary search in a long row costs as much as so many lookups
  if ((last - first) * search_steps < right_length) {
    add_by_search<Product, lanes, false>(sum, a, rows);
  } else {
    Column next = 0;  // fetched one step ahead
    uint64_t q = rows.right_begin + lane_index() % lanes;
    if (q < rows.right_end) next = Column(read_only(right + q));
    for (uint64_t base = rows.right_begin; base < rows.right_end; base += lanes, q += lanes) {
      const Column k = next;
      if (q + lanes < rows.right_end) next = Column(read_only(right + q + lanes));
      uint32_t position = 0;
      if (q < rows.right_end && table.find(k, position)) {
        add_term<typename Product::Add>(
            sum, Product::term(a.left, a.right, first + position, q, rows.r, k, rows.c));
      }
      if (nothing_changes<Product, lanes>(group_lanes<lanes>(), sum)) break;
    }
  }
  return sum_over_lanes<typename Product::Add, lanes>(group_lanes<lanes>(), sum);
}

/// Grid: block_starts[mask.rows] blocks of `threads`. Dynamic shared memory: slots * (column [+ 4]) bytes.
template <class Product, class Select, int lanes, unsigned slots, int threads>
CUGRB_KERNEL(threads)
void mxm_dot_hash(MxmDotArguments a) {
  using Left = typename Product::Left;
  using Column = typename Left::Column;
  using Table = row_table<Column, slots, differ_by_entry<typename Left::Values>>;
  CUGRB_DYNAMIC_SHARED(Column, memory);
  const uint64_t r = a.block_rows[block_index()];
  const uint64_t left_begin = row_begin<Left>(a.left, r), left_end = row_begin<Left>(a.left, r + 1);
  const uint64_t share = entries_per_block(left_end - left_begin);
  const uint64_t mask_end = row_begin<Select>(a.mask, r + 1);
  const uint64_t begin = row_begin<Select>(a.mask, r) + (block_index() - a.block_starts[r]) * share;
  const uint64_t end = begin + share < mask_end ? begin + share : mask_end;
  Table table{memory, reinterpret_cast<uint32_t*>(memory + slots)};
  for (uint64_t first = left_begin; first < left_end; first += slots / 2) {
    const uint64_t last = first + slots / 2 < left_end ? first + slots / 2 : left_end;
    for (unsigned s = thread_index(); s < slots; s += threads) table.keys[s] = Table::empty;
    sync_block();
    for (uint64_t p = first + thread_index(); p < last; p += threads) {
      table.insert(read_only(columns_of<Left>(a.left) + p), uint32_t(p - first));
    }
    sync_block();
    for (uint64_t p = begin + thread_index() / lanes; p < end; p += threads / lanes) {
      partial<typename Product::type> sum = no_terms<typename Product::type>();
      if (Select::holds(a.mask, p)) {
        sum = sum_by_table<Product, lanes>(a, rows_of_entry<Product, Select>(a, r, p), first, last, table);
      }
      if (lane_index() % lanes != 0) continue;
      if (first > left_begin && a.has[p] != 0) {
        add_term<typename Product::Add>(sum, static_cast<const typename Product::type*>(a.values)[p]);
      }
      store_dot(a, p, sum);
    }
    sync_block();
  }
}

}  // namespace cugrb
