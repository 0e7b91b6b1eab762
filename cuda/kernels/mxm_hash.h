// Rows of T by a hash table in shared memory, by a group of 8, 32 or 256 threads each. Counting inserts
// columns only; filling adds the terms up, too, sorts the row's columns and stores it. A table is at most
// half full. The mask is asked once for every column of a row; what it forbids stays in the table.
#pragma once
#include "cuda/kernels/mxm_rows.h"

namespace cugrb {

/// Barrier of the calling group of `lanes` threads.
template <int lanes>
CUGRB_DEVICE void sync_group() {
  if constexpr (lanes <= 32) {
    sync_warp(group_lanes<lanes>());
  } else {
    sync_block();
  }
}

/// A column and where its sum is; in shared memory, to be sorted by column.
template <class Column>
struct sort_item {
  uint64_t column;
  uint32_t slot;
  static CUGRB_DEVICE sort_item make(Column column, uint32_t slot) {
    return sort_item{uint64_t(column), slot};
  }
  static CUGRB_DEVICE sort_item last() { return sort_item{~uint64_t(0), 0}; }
  CUGRB_DEVICE bool before(const sort_item& other) const { return column < other.column; }
};
template <>
struct sort_item<uint32_t> {
  uint64_t both;
  static CUGRB_DEVICE sort_item make(uint32_t column, uint32_t slot) {
    return sort_item{uint64_t(column) << 32 | slot};
  }
  static CUGRB_DEVICE sort_item last() { return sort_item{~uint64_t(0)}; }
  CUGRB_DEVICE bool before(const sort_item& other) const { return both < other.both; }
};
template <class Column>
CUGRB_DEVICE uint64_t column_of(const sort_item<Column>& item) {
  return item.column;
}
template <class Column>
CUGRB_DEVICE uint32_t slot_of(const sort_item<Column>& item) {
  return item.slot;
}
CUGRB_DEVICE uint64_t column_of(const sort_item<uint32_t>& item) { return item.both >> 32; }
CUGRB_DEVICE uint32_t slot_of(const sort_item<uint32_t>& item) { return uint32_t(item.both); }

/// Sorts `count` items (a power of two) by a group of `lanes` threads: a bitonic network.
template <int lanes, class Item>
CUGRB_DEVICE void sort_items(Item* items, unsigned count, unsigned lane) {
  for (unsigned size = 2; size <= count; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      for (unsigned n = lane; n < count / 2; n += lanes) {
        const unsigned low = 2 * n - (n & (stride - 1)), high = low + stride;
        const Item x = items[low], y = items[high];
        const bool ascending = (low & size) == 0;
        if (ascending ? y.before(x) : x.before(y)) {
          items[low] = y;
          items[high] = x;
        }
      }
      sync_group<lanes>();
    }
  }
}

/// The slot of `column`, which is inserted when it is missing; `inserted` tells whether this call did.
template <unsigned slots, class Column>
CUGRB_DEVICE unsigned slot_for(Column* keys, Column column, bool& inserted) {
  constexpr Column empty = Column(~Column(0));
  const uint32_t folded = uint32_t(column) ^ uint32_t(uint64_t(column) >> 32);
  unsigned slot = unsigned((uint64_t(folded * 2654435761u) * slots) >> 32);
  inserted = false;
  while (true) {
    Column seen = relaxed_load(keys + slot);
    if (seen == empty) {
      seen = atomic_compare_and_swap(keys + slot, empty, column);
      inserted = seen == empty;
    }
    if (inserted || seen == column) return slot;
    slot = (slot + 1) & (slots - 1);
  }
}

/// Calls visit(p, k, q) for every product of row r, spread over a group of 8 or 32 lanes. Each lane fetches
/// one left entry and the range of its right row; then the products of these ranges are dealt out one by one,
/// whatever the ranges' lengths, and the columns of several products are fetched before the first is used.
template <class Product, int lanes, class Visit>
CUGRB_DEVICE void for_products_by_lanes(const MxmRowsArguments& a, uint64_t r, unsigned lane, Visit visit) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  constexpr int unroll = 4;
  const unsigned mask = group_lanes<lanes>();
  const uint64_t end = row_begin<Left>(a.left, r + 1);
  for (uint64_t base = row_begin<Left>(a.left, r); base < end; base += lanes) {
    const uint64_t p = base + lane;
    uint64_t k = 0, first = 0;
    unsigned sum = 0;  // of the ranges' lengths up to this lane's: a row has few products
    if (p < end) {
      k = read_only(columns_of<Left>(a.left) + p);
      first = row_begin<Right>(a.right, k);
      sum = unsigned(row_begin<Right>(a.right, k + 1) - first);
    }
    const unsigned length = sum;
    for (unsigned delta = 1; delta < lanes; delta *= 2) {
      const unsigned other = shuffle_up(mask, sum, delta, lanes);
      if (lane >= delta) sum += other;
    }
    first -= sum - length;  // product t of the chunk is the entry first + t of its owner's
    const unsigned total = shuffle(mask, sum, lanes - 1, lanes);
    for (unsigned t0 = 0; t0 < total; t0 += lanes * unroll) {
      uint64_t k_of[unroll], q_of[unroll];
      unsigned owner_of[unroll];
      typename Right::Column c_of[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        const unsigned t = t0 + unsigned(u) * lanes + lane;
        unsigned owner = 0;  // the first lane whose sum is above t
        for (unsigned step = lanes / 2; step > 0; step /= 2) {
          if (shuffle(mask, sum, int(owner + step - 1), lanes) <= t) owner += step;
        }
        owner_of[u] = owner;
        k_of[u] = shuffle(mask, k, int(owner), lanes);
        q_of[u] = shuffle(mask, first, int(owner), lanes) + t;
        if (t < total) c_of[u] = read_only(columns_of<Right>(a.right) + q_of[u]);
      }
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        if (t0 + unsigned(u) * lanes + lane < total) visit(base + owner_of[u], k_of[u], q_of[u], c_of[u]);
      }
    }
  }
}

/// The same by a block of 256: 8 lanes for each left entry.
template <class Product, class Visit>
CUGRB_DEVICE void for_products_by_block(const MxmRowsArguments& a, uint64_t r, Visit visit) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  const uint64_t end = row_begin<Left>(a.left, r + 1);
  for (uint64_t p = row_begin<Left>(a.left, r) + thread_index() / 8; p < end; p += 32) {
    const uint64_t k = read_only(columns_of<Left>(a.left) + p);
    const uint64_t right_end = row_begin<Right>(a.right, k + 1);
    for (uint64_t q = row_begin<Right>(a.right, k) + thread_index() % 8; q < right_end; q += 8) {
      visit(p, k, q, read_only(columns_of<Right>(a.right) + q));
    }
  }
}

/// visit(p, k, q, column) for every product of row r: left entry p at (r, k), right entry q at (k, column).
template <class Product, int lanes, class Visit>
CUGRB_DEVICE void for_products_of_row(const MxmRowsArguments& a, uint64_t r, unsigned lane, Visit visit) {
  if constexpr (lanes <= 32) {
    for_products_by_lanes<Product, lanes>(a, r, lane, visit);
  } else {
    for_products_by_block<Product>(a, r, visit);
  }
}

/// row_entries[r], and with a mask row_columns[r], for the listed rows. Grid: 256 / lanes rows a block of
/// 256. Dynamic shared memory: a table for each.
template <class Product, class Mask, int lanes, unsigned slots>
CUGRB_KERNEL(256)
void mxm_hash_count(MxmRowsArguments a) {
  using Column = typename Product::Right::Column;
  constexpr unsigned groups = 256 / lanes;
  CUGRB_DYNAMIC_SHARED(Column, tables);
  CUGRB_SHARED(uint32_t, counts, groups);
  CUGRB_SHARED(uint32_t, allowed_counts, groups);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  if (n >= a.count) return;
  Column* keys = tables + group * slots;
  for (unsigned s = lane; s < slots; s += lanes) keys[s] = Column(~Column(0));
  if (lane == 0) counts[group] = allowed_counts[group] = 0;
  sync_group<lanes>();
  constexpr bool masked = !is_same<Mask, matrix_mask_none>;
  uint32_t found = 0, allowed = 0;
  const uint64_t r = listed_row(a, n);
  for_products_of_row<Product, lanes>(a, r, lane, [&](uint64_t, uint64_t, uint64_t, Column c) {
    bool inserted;
    slot_for<slots>(keys, c, inserted);
    found += inserted;
    if (masked && inserted) allowed += Mask::allows(a.mask, r, c);
  });
  if (found > 0) atomic_add(counts + group, found);
  if (masked && allowed > 0) atomic_add(allowed_counts + group, allowed);
  sync_group<lanes>();
  if (lane != 0) return;
  a.row_entries[r] = masked ? allowed_counts[group] : counts[group];
  if (masked) a.row_columns[r] = counts[group];
}

/// The listed rows of T, stored at row_starts. Grid as above. Dynamic shared memory for each row: slots / 2
/// sort items, slots sums, slots columns.
template <class Product, class Mask, class NewColumn, int lanes, unsigned slots>
CUGRB_KERNEL(256)
void mxm_hash_fill(MxmRowsArguments a) {
  using Column = typename Product::Right::Column;
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Item = sort_item<Column>;
  constexpr unsigned groups = 256 / lanes;
  constexpr size_t bytes = slots / 2 * sizeof(Item) + slots * (sizeof(T) + sizeof(Column));
  CUGRB_DYNAMIC_SHARED(unsigned char, memory);
  CUGRB_SHARED(uint32_t, counts, groups);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  if (n >= a.count) return;
  Item* items = reinterpret_cast<Item*>(memory + group * bytes);
  Column* keys = reinterpret_cast<Column*>(items + slots / 2);
  T* sums = reinterpret_cast<T*>(keys + slots);
  for (unsigned s = lane; s < slots; s += lanes) {
    keys[s] = Column(~Column(0));
    sums[s] = start_of_sum<Add>();
  }
  if (lane == 0) counts[group] = 0;
  sync_group<lanes>();
  const uint64_t r = listed_row(a, n);
  for_products_of_row<Product, lanes>(a, r, lane, [&](uint64_t p, uint64_t k, uint64_t q, Column c) {
    bool inserted;
    const unsigned slot = slot_for<slots>(keys, c, inserted);
    if (inserted && Mask::allows(a.mask, r, c)) items[atomic_add(counts + group, 1u)] = Item::make(c, slot);
    add_atomically<Add>(sums + slot, Product::term(a.left, a.right, p, q, r, k, c));
  });
  sync_group<lanes>();
  const uint64_t start = a.row_starts[r];
  const unsigned entries = unsigned(a.row_starts[r + 1] - start);
  unsigned sorted = 1;
  while (sorted < entries) sorted *= 2;
  for (unsigned e = entries + lane; e < sorted; e += lanes) items[e] = Item::last();
  sync_group<lanes>();
  sort_items<lanes>(items, sorted, lane);
  for (unsigned e = lane; e < entries; e += lanes) {
    static_cast<NewColumn*>(a.columns)[start + e] = NewColumn(column_of(items[e]));
    static_cast<T*>(a.values)[start + e] = sums[slot_of(items[e])];
  }
}

}  // namespace cugrb
