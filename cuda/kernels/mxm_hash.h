// Rows of T by a hash table in shared memory, by a group of 8, 16, 32 or 256 threads each. Counting inserts
// columns only; filling adds the terms up, too, and stores the row by ascending columns. A table is at most
// half full and no larger than the row needs: clearing it costs about as much as using it. The mask is asked
// once for every column of a row; what it forbids stays in the table.
//
// Groups of fewer than 32 threads go through their rows in step with the others of their warp: shuffles of a
// part of a warp cost several times those of all of it.
#pragma once
#include "cuda/kernels/mxm_rows.h"

namespace cugrb {

/// Barrier of a group of `lanes` threads; of its warp when the group is smaller.
template <int lanes>
CUGRB_DEVICE void sync_group() {
  if constexpr (lanes <= 32) {
    sync_warp(full_warp);
  } else {
    sync_block();
  }
}

/// Slots of shared memory, a power of two; Column(~0) is an empty one.
template <class Column>
struct hash_table {
  Column* keys;
  unsigned slots, shift;  ///< of a 32-bit hash, to a slot

  /// The smallest that is at most half full of `columns`; `most` slots at most.
  CUGRB_DEVICE hash_table(Column* memory, unsigned most, uint64_t columns) : keys(memory), slots(most) {
    while (slots > 8 && slots / 4 >= columns) slots /= 2;
    shift = 32;
    for (unsigned n = slots; n > 1; n /= 2) --shift;
  }
  CUGRB_DEVICE static Column empty() { return Column(~Column(0)); }

  /// The slot of `column`, which is inserted when it is missing; `inserted` tells whether this call did.
  CUGRB_DEVICE unsigned slot_for(Column column, bool& inserted) const {
    const uint32_t folded = uint32_t(column) ^ uint32_t(uint64_t(column) >> 32);
    unsigned slot = (folded * 2654435761u) >> shift;
    inserted = false;
    while (true) {
      Column seen = relaxed_load(keys + slot);
      if (seen == empty()) {
        seen = atomic_compare_and_swap(keys + slot, empty(), column);
        inserted = seen == empty();
      }
      if (inserted || seen == column) return slot;
      slot = (slot + 1) & (slots - 1);
    }
  }
};

// ---- long rows: a block sorts them

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

/// Sorts `count` items (a power of two) by a block of 256: a bitonic network.
template <class Item>
CUGRB_DEVICE void sort_items(Item* items, unsigned count) {
  for (unsigned size = 2; size <= count; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      for (unsigned n = thread_index(); n < count / 2; n += 256) {
        const unsigned low = 2 * n - (n & (stride - 1)), high = low + stride;
        const Item x = items[low], y = items[high];
        const bool ascending = (low & size) == 0;
        if (ascending ? y.before(x) : x.before(y)) {
          items[low] = y;
          items[high] = x;
        }
      }
      sync_block();
    }
  }
}

// ---- the products of a row

/// use(load(p, k, q)) for every product of the left entries [base, end), spread over a group of 8, 16 or 32
/// lanes, all groups of a warp together. Each lane fetches one left entry and the range of its right row;
/// then the products of these ranges are dealt out one by one, whatever the ranges' lengths, and several
/// products are loaded before the first is used.
template <class Product, int lanes, class Load, class Use>
CUGRB_DEVICE void for_products_by_lanes(const MxmRowsArguments& a, uint64_t base, uint64_t end, unsigned lane,
                                        Load load, Use use) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  using LeftColumn = typename Left::Column;
  using Offset = typename Right::Offset;
  constexpr int unroll = 4;
  for (; any_lane(full_warp, base < end); base += lanes) {
    const uint64_t p = base + lane;
    LeftColumn k = 0;
    Offset first = 0;
    unsigned sum = 0;  // of the ranges' lengths up to this lane's: a row has few products
    if (p < end) {
      k = read_only(columns_of<Left>(a.left) + p);
      first = Offset(row_begin<Right>(a.right, k));
      sum = unsigned(Offset(row_begin<Right>(a.right, uint64_t(k) + 1)) - first);
    }
    const unsigned length = sum;
    for (unsigned delta = 1; delta < lanes; delta *= 2) {
      const unsigned other = shuffle_up(full_warp, sum, delta, lanes);
      if (lane >= delta) sum += other;
    }
    first -= Offset(sum - length);  // product t of the chunk is the entry first + t of its owner's
    const unsigned total = shuffle(full_warp, sum, lanes - 1, lanes);
    for (unsigned t0 = 0; any_lane(full_warp, t0 < total); t0 += lanes * unroll) {
      using Loaded = decltype(load(p, uint64_t(k), p));
      Loaded loaded[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        const unsigned t = t0 + unsigned(u) * lanes + lane;
        unsigned owner = 0;  // the first lane whose sum is above t
        for (unsigned step = lanes / 2; step > 0; step /= 2) {
          if (shuffle(full_warp, sum, int(owner + step - 1), lanes) <= t) owner += step;
        }
        const LeftColumn k_of = shuffle(full_warp, k, int(owner), lanes);
        const Offset q = Offset(shuffle(full_warp, first, int(owner), lanes) + Offset(t));
        loaded[u] = t < total ? load(base + owner, uint64_t(k_of), uint64_t(q)) : Loaded{};
      }
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        if (t0 + unsigned(u) * lanes + lane < total) use(loaded[u]);
      }
    }
  }
}

/// The same by a block of 256: 8 lanes for each left entry.
template <class Product, class Load, class Use>
CUGRB_DEVICE void for_products_by_block(const MxmRowsArguments& a, uint64_t begin, uint64_t end, Load load,
                                        Use use) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  constexpr int unroll = 2;
  for (uint64_t p = begin + thread_index() / 8; p < end; p += 32) {
    const uint64_t k = read_only(columns_of<Left>(a.left) + p);
    const uint64_t right_end = row_begin<Right>(a.right, k + 1);
    for (uint64_t q = row_begin<Right>(a.right, k) + thread_index() % 8; q < right_end; q += 8 * unroll) {
      using Loaded = decltype(load(p, k, q));
      Loaded loaded[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u)
        loaded[u] = q + 8 * unsigned(u) < right_end ? load(p, k, q + 8 * unsigned(u)) : Loaded{};
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        if (q + 8 * unsigned(u) < right_end) use(loaded[u]);
      }
    }
  }
}

/// use(load(p, k, q)) for every product of row r: left entry p at (r, k), right entry q of row k.
/// No products when the row is not `valid`.
template <class Product, int lanes, class Load, class Use>
CUGRB_DEVICE void for_products_of_row(const MxmRowsArguments& a, uint64_t r, bool valid, unsigned lane,
                                      Load load, Use use) {
  using Left = typename Product::Left;
  const uint64_t begin = valid ? row_begin<Left>(a.left, r) : 0,
                 end = valid ? row_begin<Left>(a.left, r + 1) : 0;
  if constexpr (lanes <= 32) {
    for_products_by_lanes<Product, lanes>(a, begin, end, lane, load, use);
  } else {
    for_products_by_block<Product>(a, begin, end, load, use);
  }
}

/// row_entries[r], and with a mask row_columns[r], for the listed rows. Grid: 256 / lanes rows a block of
/// 256. Dynamic shared memory: a table of `most` slots for each.
template <class Product, class Mask, int lanes, unsigned most>
CUGRB_KERNEL(256)
void mxm_hash_count(MxmRowsArguments a) {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  constexpr unsigned groups = 256 / lanes;
  CUGRB_DYNAMIC_SHARED(Column, tables);
  CUGRB_SHARED(uint32_t, counts, groups);
  CUGRB_SHARED(uint32_t, allowed_counts, groups);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  const hash_table<Column> table(tables + group * most, most, valid ? a.products[r] : 0);
  for (unsigned s = lane; s < table.slots; s += lanes) table.keys[s] = table.empty();
  if (lane == 0) counts[group] = allowed_counts[group] = 0;
  sync_group<lanes>();
  constexpr bool masked = !is_same<Mask, matrix_mask_none>;
  uint32_t found = 0, allowed = 0;
  for_products_of_row<Product, lanes>(
      a, r, valid, lane,
      [&](uint64_t, uint64_t, uint64_t q) -> Column { return read_only(columns_of<Right>(a.right) + q); },
      [&](Column c) {
        bool inserted;
        table.slot_for(c, inserted);
        found += inserted;
        if (masked && inserted) allowed += Mask::allows(a.mask, r, c);
      });
  if (found > 0) atomic_add(counts + group, found);
  if (masked && allowed > 0) atomic_add(allowed_counts + group, allowed);
  sync_group<lanes>();
  if (lane != 0 || !valid) return;
  a.row_entries[r] = masked ? allowed_counts[group] : counts[group];
  if (masked) a.row_columns[r] = counts[group];
}

// ---- a row's part of the shared memory of mxm_hash_fill

/// Short rows: each column's place is the number of columns before it.
template <class Column, class T, int lanes, unsigned most>
struct hash_fill_ranks {
  Column keys[most];
  T sums[most];
  Column columns[most / 2];
  uint16_t slots[most / 2];

  CUGRB_DEVICE void add(unsigned n, Column c, unsigned slot) {
    columns[n] = c;
    slots[n] = uint16_t(slot);
  }
  template <class NewColumn>
  CUGRB_DEVICE void store(const MxmRowsArguments& a, uint64_t start, unsigned entries, unsigned lane) const {
    constexpr int own = 2;
    for (unsigned first = lane; first < entries; first += own * lanes) {
      Column mine[own];
      unsigned rank[own] = {};
#pragma unroll
      for (int u = 0; u < own; ++u)
        mine[u] = first + unsigned(u) * lanes < entries ? columns[first + unsigned(u) * lanes] : Column(0);
#pragma unroll 4
      for (unsigned n = 0; n < entries; ++n) {
        const Column other = columns[n];
#pragma unroll
        for (int u = 0; u < own; ++u) rank[u] += other < mine[u];
      }
#pragma unroll
      for (int u = 0; u < own; ++u) {
        const unsigned e = first + unsigned(u) * lanes;
        if (e >= entries) continue;
        static_cast<NewColumn*>(a.columns)[start + rank[u]] = NewColumn(mine[u]);
        static_cast<T*>(a.values)[start + rank[u]] = sums[slots[e]];
      }
    }
  }
};
/// Long rows are sorted.
template <class Column, class T, unsigned most>
struct hash_fill_sorted {
  using Item = sort_item<Column>;
  Item items[most / 2];
  Column keys[most];
  T sums[most];

  CUGRB_DEVICE void add(unsigned n, Column c, unsigned slot) { items[n] = Item::make(c, slot); }
  template <class NewColumn>
  CUGRB_DEVICE void store(const MxmRowsArguments& a, uint64_t start, unsigned entries, unsigned lane) {
    unsigned sorted = 1;
    while (sorted < entries) sorted *= 2;
    for (unsigned e = entries + lane; e < sorted; e += 256) items[e] = Item::last();
    sync_block();
    sort_items(items, sorted);
    for (unsigned e = lane; e < entries; e += 256) {
      static_cast<NewColumn*>(a.columns)[start + e] = NewColumn(column_of(items[e]));
      static_cast<T*>(a.values)[start + e] = sums[slot_of(items[e])];
    }
  }
};

/// The listed rows of T, stored at row_starts. Grid as above. Dynamic shared memory: for each row what
/// hash_fill_ranks (up to 32 lanes) or hash_fill_sorted holds.
template <class Product, class Mask, class NewColumn, int lanes, unsigned most>
CUGRB_KERNEL_RESIDENT(256, 5)
void mxm_hash_fill(MxmRowsArguments a) {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Memory =
      choose<lanes <= 32, hash_fill_ranks<Column, T, lanes, most>, hash_fill_sorted<Column, T, most>>;
  constexpr unsigned groups = 256 / lanes;
  CUGRB_DYNAMIC_SHARED(Memory, memories);
  CUGRB_SHARED(uint32_t, counts, groups);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  Memory& memory = memories[group];
  const hash_table<Column> table(memory.keys, most, valid ? a.row_columns[r] : 0);
  for (unsigned s = lane; s < table.slots; s += lanes) {
    memory.keys[s] = table.empty();
    memory.sums[s] = start_of_sum<Add>();
  }
  if (lane == 0) counts[group] = 0;
  sync_group<lanes>();
  struct loaded_term {
    Column c;
    T term;
  };
  for_products_of_row<Product, lanes>(
      a, r, valid, lane,
      [&](uint64_t p, uint64_t k, uint64_t q) -> loaded_term {
        const Column c = read_only(columns_of<Right>(a.right) + q);
        return {c, Product::term(a.left, a.right, p, q, r, k, c)};
      },
      [&](const loaded_term& product) {
        bool inserted;
        const unsigned slot = table.slot_for(product.c, inserted);
        if (inserted && Mask::allows(a.mask, r, product.c))
          memory.add(atomic_add(counts + group, 1u), product.c, slot);
        add_term<Add>(memory.sums + slot, product.term);
      });
  sync_group<lanes>();
  if (!valid) return;
  const uint64_t start = a.row_starts[r];
  memory.template store<NewColumn>(a, start, unsigned(a.row_starts[r + 1] - start), lane);
}

}  // namespace cugrb
