// Rows of T by a hash table in shared memory, by 8, 16, 32 or 256 threads each. Counting inserts
// columns only; filling adds the terms up, too, and stores the row by ascending columns. A table is at most
// half full, in a block's a quarter where there is room, since all of its warps wait for the longest search.
// It is no larger than the row needs: clearing it costs about as much as using it. The mask is asked once for
// every column of a row; what it forbids stays in the table.
#pragma once
#include "cuda/kernels/mxm_products.h"
#include "cuda/kernels/sort_items.h"

namespace cugrb {

/// Slots of a table for each column of its row, for groups of `lanes` threads.
constexpr unsigned slots_a_column(int lanes) { return lanes <= 32 ? 2 : 4; }

/// Slots of shared memory, a power of two; Column(~0) is an empty one.
template <class Column>
struct hash_table {
  Column* keys;
  unsigned slots, shift;  ///< of a 32-bit hash, to a slot

  /// The smallest with at least `share` slots a column; `most` slots at most.
  CUGRB_DEVICE hash_table(Column* memory, unsigned most, uint64_t columns, unsigned share)
      : keys(memory), slots(most) {
    while (slots > 8 && slots / (2 * share) >= columns) slots /= 2;
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

/// row_entries[r], and with a mask row_columns[r], for the listed rows. Grid: 256 / lanes rows a block of
/// 256. Dynamic shared memory: a table of `most` slots for each.
template <class Product, class Mask, int lanes, unsigned most>
CUGRB_KERNEL(256)
void mxm_hash_count(MxmRowsArguments a) {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using Ranges = ranges_of_group<Product, lanes>;
  constexpr unsigned groups = 256 / lanes;
  CUGRB_DYNAMIC_SHARED(Column, tables);
  CUGRB_SHARED(uint32_t, counts, groups);
  CUGRB_SHARED(uint32_t, allowed_counts, groups);
  CUGRB_SHARED(Ranges, ranges, 1);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  const hash_table<Column> table(tables + group * most, most, valid ? a.products[r] : 0,
                                 slots_a_column(lanes));
  for (unsigned s = lane; s < table.slots; s += lanes) table.keys[s] = table.empty();
  if (lane == 0) counts[group] = allowed_counts[group] = 0;
  sync_group<lanes>();
  constexpr bool masked = !is_same<Mask, matrix_mask_none>;
  uint32_t found = 0, allowed = 0;
  for_products_of_row<Product, lanes>(
      a, r, valid, lane, ranges[0],
      [&](uint64_t, uint64_t, uint64_t q) -> Column { return read_only(columns_of<Right>(a.right) + q); },
      [&](Column c, unsigned) {
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
/// Long rows are sorted. Item: its number is a slot.
template <class Column, class T, class Item, unsigned most>
struct hash_fill_sorted {
  static constexpr int each = most / 2 <= 1024 ? 4 : 8;
  Item items[item_places<256, each>];
  Column keys[most];
  T sums[most];

  CUGRB_DEVICE void add(unsigned n, Column c, unsigned slot) {
    items[place_of_item<256, each>(n)] = Item::make(c, slot);
  }
  template <class NewColumn>
  CUGRB_DEVICE void store(const MxmRowsArguments& a, uint64_t start, unsigned entries, unsigned lane) {
    Item own[each];
#pragma unroll
    for (int u = 0; u < each; ++u) {
      const unsigned e = lane * each + unsigned(u);
      own[u] = e < entries ? items[place_of_item<256, each>(e)] : Item::last();
    }
    sort_items<256, each>(own, lane, entries, items);
#pragma unroll
    for (int u = 0; u < each; ++u) {
      const unsigned e = lane * each + unsigned(u);
      if (e >= entries) continue;
      static_cast<NewColumn*>(a.columns)[start + e] = NewColumn(own[u].column());
      static_cast<T*>(a.values)[start + e] = sums[own[u].number()];
    }
  }
};

/// The listed rows of T, stored at row_starts. Grid as above. Dynamic shared memory: for each row what
/// hash_fill_ranks (up to 32 lanes) or hash_fill_sorted holds.
template <class Product, class Mask, class NewColumn, class Item, int lanes, unsigned most>
CUGRB_KERNEL_RESIDENT(256, sorting_blocks(lanes, 8, sizeof(Item)))
void mxm_hash_fill(MxmRowsArguments a) {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Memory =
      choose<lanes <= 32, hash_fill_ranks<Column, T, lanes, most>, hash_fill_sorted<Column, T, Item, most>>;
  using Ranges = ranges_of_group<Product, lanes>;
  constexpr unsigned groups = 256 / lanes;
  CUGRB_DYNAMIC_SHARED(Memory, memories);
  CUGRB_SHARED(uint32_t, counts, groups);
  CUGRB_SHARED(Ranges, ranges, 1);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  Memory& memory = memories[group];
  const uint64_t start = valid ? a.row_starts[r] : 0, entries = valid ? a.row_starts[r + 1] - start : 0;
  uint64_t columns = entries;
  if constexpr (!is_same<Mask, matrix_mask_none>) columns = valid ? a.row_columns[r] : 0;
  const hash_table<Column> table(memory.keys, most, columns, slots_a_column(lanes));
  for (unsigned s = lane; s < table.slots; s += lanes) {
    memory.keys[s] = table.empty();
    memory.sums[s] = start_of_sum<Add>();
  }
  if (lane == 0) counts[group] = 0;
  sync_group<lanes>();
  using Operands = product_operands<Product>;
  for_products_of_row<Product, lanes>(
      a, r, valid, lane, ranges[0],
      [&](uint64_t p, uint64_t k, uint64_t q) { return Operands::load(a, p, k, q); },
      [&](const Operands& product, unsigned) {
        bool inserted;
        const unsigned slot = table.slot_for(product.column, inserted);
        if (inserted && Mask::allows(a.mask, r, product.column))
          memory.add(atomic_add(counts + group, 1u), product.column, slot);
        add_term<Add>(memory.sums + slot, product.term(a, r));
      });
  sync_group<lanes>();
  if (valid) memory.template store<NewColumn>(a, start, unsigned(entries), lane);
}

}  // namespace cugrb
