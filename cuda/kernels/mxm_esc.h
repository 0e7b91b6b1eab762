// Rows of T by expansion, sorting and compression: the products of a row are numbered, sorted by column and
// number in registers, and those of one column added up in that order. Nothing is searched, nothing updated
// atomically, and the row comes out by ascending columns. For rows of up to 8192 products, in bins of 32, 64,
// 128, 256, 512 (8, 16, 32 lanes of a warp), 1024, 2048, 4096 and 8192 (a block).
//
// S. Dalton, L. Olson, N. Bell, Optimizing Sparse Matrix-Matrix Multiplication for the GPU, ACM TOMS 41
// (2015); the bins are those of Efficient SpMM Using Dynamic-CSR on GPUs, section 3.2.
#pragma once
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/mxm_products.h"
#include "cuda/kernels/sort_items.h"

namespace cugrb {

/// Of a block: those of one row, or of several.
constexpr unsigned esc_threads(int lanes) { return lanes < 256 ? 256 : unsigned(lanes); }

/// The part of the shared memory that is one row's. Groups of a warp meet fewer bank conflicts where their
/// rows do not lie a multiple of all banks apart.
template <class Item, class T, int lanes, int each>
struct esc_row {
  Item items[item_places<lanes, each> + (lanes < 32 ? lanes : 0)];
  T terms[lanes * each];
};

/// Sorts the row's `count` items, item e at place_of_item(e) before and after. Ends with a barrier of the
/// group.
template <int lanes, int each, class Item>
CUGRB_DEVICE void sort_row(Item* items, unsigned lane, unsigned count) {
  sync_group<lanes>();
  Item own[each];
#pragma unroll
  for (int u = 0; u < each; ++u) {
    const unsigned e = lane * each + unsigned(u);
    own[u] = e < count ? items[place_of_item<lanes, each>(e)] : Item::last();
  }
  sort_items<lanes, each>(own, lane, count, items);
  sync_group<lanes>();
#pragma unroll
  for (int u = 0; u < each; ++u) items[place_of_item<lanes, each>(lane * each + unsigned(u))] = own[u];
  sync_group<lanes>();
}

/// Whether sorted item e is the first of its column.
template <int lanes, int each, class Item>
CUGRB_DEVICE bool is_head(const Item* items, unsigned e, unsigned count) {
  if (e >= count) return false;
  return e == 0 ||
         items[place_of_item<lanes, each>(e - 1)].column() != items[place_of_item<lanes, each>(e)].column();
}

/// The votes of the calling thread's group of `lanes`, its own lanes in the lowest bits.
template <int lanes>
CUGRB_DEVICE unsigned group_votes(bool vote) {
  const unsigned votes = ballot(full_warp, vote);
  if constexpr (lanes >= 32) {
    return votes;
  } else {
    return votes >> (lane_index() / lanes * lanes) & ((1u << lanes) - 1u);
  }
}

/// ranks[u] = how many `kept` items come before item u * lanes + lane. Returns how many there are. A block
/// passes its warps' counts through `counts` (each * lanes / 32).
template <int lanes, int each>
CUGRB_DEVICE unsigned rank_items(const bool (&kept)[each], unsigned (&ranks)[each], unsigned lane,
                                 uint32_t* counts) {
  constexpr int warps = lanes <= 32 ? 1 : lanes / 32;
  unsigned before = 0;
  const unsigned below = (1u << (lane % 32)) - 1u;
#pragma unroll
  for (int u = 0; u < each; ++u) {
    const unsigned votes = group_votes<lanes>(kept[u]);
    ranks[u] = before + unsigned(count_bits(votes & below));
    if constexpr (lanes <= 32) {
      before += unsigned(count_bits(votes));
    } else if (lane % 32 == 0) {
      counts[unsigned(u) * warps + lane / 32] = unsigned(count_bits(votes));
    }
  }
  if constexpr (lanes > 32) {
    sync_block();
#pragma unroll
    for (int u = 0; u < each; ++u) {
      uint32_t total;
      ranks[u] += before + sum_before_warp<warps>(counts + unsigned(u) * warps, total);
      before += total;
    }
  }
  return before;
}

/// Where each group of a block puts its `entries`: behind each other, in a part of the made rows that the
/// block takes for itself. `places`: one a group, and one. Called by all threads.
template <int lanes>
CUGRB_DEVICE uint64_t take_places(const MxmEscArguments& a, unsigned entries, unsigned group, unsigned lane,
                                  uint64_t* places) {
  constexpr unsigned groups = esc_threads(lanes) / lanes;
  static_assert(groups <= 32, "a warp adds up the groups' entries");
  if (lane == 0) places[group] = entries;
  sync_block();
  if (thread_index() < 32) {
    const uint64_t own = thread_index() < groups ? places[thread_index()] : 0;
    uint64_t sum = own;
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const uint64_t other = shuffle_up(full_warp, sum, delta);
      if (thread_index() >= delta) sum += other;
    }
    if (thread_index() < groups) places[thread_index()] = sum - own;
    if (thread_index() == 31) places[groups] = sum > 0 ? atomic_add(a.made, sum) : 0;
  }
  sync_block();
  return places[groups] + places[group];
}

/// The products of one row, sorted by a group of `lanes`, and which of them begin an entry of T.
template <class Product, class Mask, class Item, int lanes, int each>
struct sorted_products {
  using T = typename Product::type;
  using Row = esc_row<Item, T, lanes, each>;
  const Row& row;
  unsigned lane, count;
  unsigned entries;  ///< of the row
  bool kept[each];
  unsigned ranks[each];

  /// Of row r; of none when it is not `valid`. `memory` is the group's own, `counts` the block's (each *
  /// lanes / 32) where it is a group.
  template <class Ranges>
  CUGRB_DEVICE sorted_products(const MxmRowsArguments& a, uint64_t r, bool valid, unsigned group_lane,
                               Row& memory, Ranges& ranges, uint32_t* counts)
      : row(memory), lane(group_lane) {
    using Operands = product_operands<Product>;
    count = for_products_of_row<Product, lanes>(
        a, r, valid, lane, ranges,
        [&](uint64_t p, uint64_t k, uint64_t q) { return Operands::load(a, p, k, q); },
        [&](const Operands& product, unsigned number) {
          memory.items[place_of_item<lanes, each>(number)] = Item::make(product.column, number);
          memory.terms[number] = product.term(a, r);
        });
    sort_row<lanes, each>(memory.items, lane, count);
#pragma unroll
    for (int u = 0; u < each; ++u) {
      const unsigned e = unsigned(u) * lanes + lane;
      kept[u] = is_head<lanes, each>(row.items, e, count) && Mask::allows(a.mask, r, item_at(e).column());
    }
    entries = rank_items<lanes, each>(kept, ranks, lane, counts);
  }
  CUGRB_DEVICE const Item& item_at(unsigned e) const { return row.items[place_of_item<lanes, each>(e)]; }
  /// store(n, column, sum): of the calling lane's entries, each the n-th of the row.
  template <class Store>
  CUGRB_DEVICE void store_entries(Store store) const {
    using Add = typename Product::Add;
#pragma unroll
    for (int u = 0; u < each; ++u) {
      if (!kept[u]) continue;
      const unsigned e = unsigned(u) * lanes + lane;
      const uint64_t column = item_at(e).column();
      T sum = row.terms[item_at(e).number()];
      if constexpr (!Add::is_any) {
        for (unsigned f = e + 1; f < count && item_at(f).column() == column; ++f)
          sum = Add::combine(sum, row.terms[item_at(f).number()]);
      }
      store(ranks[u], column, sum);
    }
  }
};

/// The listed rows of T. `counted`: their entries are known, and they are stored at row_starts. Else they are
/// put down where there is room, made_starts and row_entries say where and how many, and mxm_move_rows takes
/// them to their places. Entries of short rows, and of few ones, take less to be copied than rows to be
/// counted. Grid: esc_threads(lanes) / lanes rows a block. Dynamic shared memory: an esc_row for each row.
template <class Product, class Mask, class NewColumn, class Item, int lanes, int each, bool counted>
CUGRB_KERNEL_RESIDENT(esc_threads(lanes), sorting_blocks(lanes, each, sizeof(Item)))
void mxm_esc_fill(MxmEscArguments a) {
  using T = typename Product::type;
  using Row = esc_row<Item, T, lanes, each>;
  using Ranges = ranges_of_group<Product, lanes>;
  constexpr unsigned groups = esc_threads(lanes) / lanes;
  CUGRB_DYNAMIC_SHARED(Row, memories);
  CUGRB_SHARED(Ranges, ranges, 1);
  CUGRB_SHARED(uint32_t, counts, each * esc_threads(lanes) / 32);
  CUGRB_SHARED(uint64_t, places, groups + 1);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  const sorted_products<Product, Mask, Item, lanes, each> sorted(a, r, valid, lane, memories[group],
                                                                 ranges[0], counts);
  uint64_t start;
  if constexpr (counted) {
    start = valid ? a.row_starts[r] : 0;
  } else {
    start = take_places<lanes>(a, sorted.entries, group, lane, places);
    if (valid && lane == 0) {
      a.row_entries[r] = sorted.entries;
      a.made_starts[r] = start;
    }
  }
  sorted.store_entries([&](unsigned e, uint64_t column, const T& sum) {
    static_cast<NewColumn*>(a.columns)[start + e] = NewColumn(column);
    static_cast<T*>(a.values)[start + e] = sum;
  });
}

/// summed[r] = entries of the rows before r, of at most MxmMoveArguments::summed_rows. By a block of 256.
CUGRB_DEVICE void sum_rows(const MxmMoveArguments& a, uint64_t* summed) {
  static_assert(MxmMoveArguments::summed_rows == 256, "a thread a row");
  const unsigned r = thread_index();
  uint64_t sum = r < a.count ? a.row_starts[r] : 0;
  summed[r + 1] = sum;
  for (unsigned delta = 1; delta < 256; delta *= 2) {
    sync_block();
    const uint64_t other = r >= delta ? summed[r + 1 - delta] : 0;
    sync_block();
    summed[r + 1] = sum += other;
  }
  if (r == 0) summed[0] = 0;
  sync_block();
  if (r == 0 && block_index() == 0) *a.total = summed[a.count];
}

/// Takes the listed rows from made_starts of made_columns and made_values to row_starts of columns and
/// values; rows without entries, whose made_starts nobody wrote, may be among them. A Value is as large as
/// one of T. T's offsets, too, where there is no list. Eight lanes a row, and four rows of theirs under way
/// at once; or a warp a row, and two rows and two entries of each lane's. Grid: a block of 256 for
/// moved_rows(lanes) rows.
template <class NewColumn, class Value, class Offset, unsigned lanes>
CUGRB_KERNEL(256)
void mxm_move_rows(MxmMoveArguments a) {
  constexpr unsigned rows = moved_rows(lanes) / (256 / lanes), each = 4 / rows;
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  CUGRB_SHARED(uint64_t, summed, MxmMoveArguments::summed_rows + 1);
  const uint64_t* starts = a.row_starts;
  if (a.total != nullptr) {
    sum_rows(a, summed);
    starts = summed;
  }
  uint64_t from[rows], to[rows], entries[rows], longest = 0;
#pragma unroll
  for (unsigned u = 0; u < rows; ++u) {
    const uint64_t n = uint64_t(block_index()) * moved_rows(lanes) + u * (256 / lanes) + group;
    const bool valid = n < a.count;
    const uint64_t r = !valid ? 0 : a.list != nullptr ? a.list[n] : n;
    from[u] = valid ? a.made_starts[r] : 0;
    to[u] = valid ? starts[r] : 0;
    entries[u] = valid ? starts[r + 1] - to[u] : 0;
    if (valid && lane == 0 && a.offsets != nullptr) {
      static_cast<Offset*>(a.offsets)[r] = Offset(to[u]);
      if (r + 1 == a.count) static_cast<Offset*>(a.offsets)[a.count] = Offset(to[u] + entries[u]);
    }
  }
#pragma unroll
  for (unsigned u = 0; u < rows; ++u) longest = entries[u] > longest ? entries[u] : longest;
  for (uint64_t first = lane; first < longest; first += each * lanes) {
    NewColumn columns[4];
    Value values[4];
#pragma unroll
    for (unsigned u = 0; u < 4; ++u) {
      const uint64_t e = first + u / rows * lanes;
      if (e >= entries[u % rows]) continue;
      columns[u] = static_cast<const NewColumn*>(a.made_columns)[from[u % rows] + e];
      values[u] = static_cast<const Value*>(a.made_values)[from[u % rows] + e];
    }
#pragma unroll
    for (unsigned u = 0; u < 4; ++u) {
      const uint64_t e = first + u / rows * lanes;
      if (e >= entries[u % rows]) continue;
      static_cast<NewColumn*>(a.columns)[to[u % rows] + e] = columns[u];
      static_cast<Value*>(a.values)[to[u % rows] + e] = values[u];
    }
  }
}

}  // namespace cugrb
