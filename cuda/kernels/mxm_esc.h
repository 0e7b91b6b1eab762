// Rows of T by expansion, sorting and compression: the products of a row are numbered, sorted by column and
// number in registers, and those of one column added up in that order. Nothing is searched, nothing updated
// atomically, and the row comes out by ascending columns. For rows of up to 2048 products, in bins of 32, 64,
// 128, 256, 512 (8, 16, 32 lanes of a warp) and 2048 (a block).
//
// S. Dalton, L. Olson, N. Bell, Optimizing Sparse Matrix-Matrix Multiplication for the GPU, ACM TOMS 41
// (2015); the bins are those of Efficient SpMM Using Dynamic-CSR on GPUs, section 3.2.
#pragma once
#include "cuda/kernels/mxm_products.h"
#include "cuda/kernels/sort_items.h"

namespace cugrb {

/// The part of the shared memory that is one row's.
template <class Item, class T, int lanes, int each>
struct esc_row {
  Item items[item_places<lanes, each>];
  T terms[lanes * each];
};
template <class Item, int lanes, int each>
struct esc_row<Item, void, lanes, each> {
  Item items[item_places<lanes, each>];
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

/// row_entries[r], and with a mask row_columns[r], for the listed rows. Grid: 256 / lanes rows a block of
/// 256. Dynamic shared memory: items of each row.
template <class Product, class Mask, class Item, int lanes, int each>
CUGRB_KERNEL_RESIDENT(256, sorting_blocks(lanes, each, sizeof(Item)))
void mxm_esc_count(MxmRowsArguments a) {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using Row = esc_row<Item, void, lanes, each>;
  static_assert(lanes <= 32, "longer rows are counted by hashing");
  constexpr unsigned groups = 256 / lanes;
  constexpr bool masked = !is_same<Mask, matrix_mask_none>;
  CUGRB_DYNAMIC_SHARED(Row, memories);
  no_ranges ranges;
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  Item* items = memories[group].items;
  const unsigned count = for_products_of_row<Product, lanes>(
      a, r, valid, lane, ranges,
      [&](uint64_t, uint64_t, uint64_t q) -> Column { return read_only(columns_of<Right>(a.right) + q); },
      [&](Column c, unsigned number) { items[place_of_item<lanes, each>(number)] = Item::make(c, number); });
  sort_row<lanes, each>(items, lane, count);
  unsigned columns = 0, allowed = 0;
#pragma unroll
  for (int u = 0; u < each; ++u) {
    const unsigned e = unsigned(u) * lanes + lane;
    const bool head = is_head<lanes, each>(items, e, count);
    columns += unsigned(count_bits(group_votes<lanes>(head)));
    if constexpr (masked) {
      const bool kept = head && Mask::allows(a.mask, r, items[place_of_item<lanes, each>(e)].column());
      allowed += unsigned(count_bits(group_votes<lanes>(kept)));
    }
  }
  if (lane != 0 || !valid) return;
  a.row_entries[r] = masked ? allowed : columns;
  if (masked) a.row_columns[r] = columns;
}

/// ranks[u] = how many `kept` items come before item u * lanes + lane. A block passes its warps' counts
/// through `counts` (each * lanes / 32).
template <int lanes, int each>
CUGRB_DEVICE void rank_items(const bool (&kept)[each], unsigned (&ranks)[each], unsigned lane,
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
      const uint32_t of_warp = counts[unsigned(u) * warps + lane % warps];
      uint32_t sum = of_warp;
      for (unsigned delta = 1; delta < warps; delta *= 2) {
        const uint32_t other = shuffle_up(full_warp, sum, delta, warps);
        if (lane % warps >= delta) sum += other;
      }
      ranks[u] += before + shuffle(full_warp, sum - of_warp, int(lane / 32), warps);
      before += shuffle(full_warp, sum, warps - 1, warps);
    }
  }
}

/// The listed rows of T, stored at row_starts. Grid as above. Dynamic shared memory: an esc_row for each row.
template <class Product, class Mask, class NewColumn, class Item, int lanes, int each>
CUGRB_KERNEL_RESIDENT(256, sorting_blocks(lanes, each, sizeof(Item)))
void mxm_esc_fill(MxmRowsArguments a) {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Row = esc_row<Item, T, lanes, each>;
  using Ranges = ranges_of_group<Product, lanes>;
  constexpr unsigned groups = 256 / lanes;
  CUGRB_DYNAMIC_SHARED(Row, memories);
  CUGRB_SHARED(Ranges, ranges, 1);
  CUGRB_SHARED(uint32_t, counts, each * 8);
  const unsigned group = thread_index() / lanes, lane = thread_index() % lanes;
  const uint64_t n = uint64_t(block_index()) * groups + group;
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  Row& row = memories[group];
  struct loaded_term {
    Column c;
    T term;
  };
  const unsigned count = for_products_of_row<Product, lanes>(
      a, r, valid, lane, ranges[0],
      [&](uint64_t p, uint64_t k, uint64_t q) -> loaded_term {
        const Column c = read_only(columns_of<Right>(a.right) + q);
        return {c, Product::term(a.left, a.right, p, q, r, k, c)};
      },
      [&](const loaded_term& product, unsigned number) {
        row.items[place_of_item<lanes, each>(number)] = Item::make(product.c, number);
        row.terms[number] = product.term;
      });
  sort_row<lanes, each>(row.items, lane, count);
  const auto item_at = [&](unsigned e) -> const Item& { return row.items[place_of_item<lanes, each>(e)]; };
  bool kept[each];
  unsigned ranks[each];
#pragma unroll
  for (int u = 0; u < each; ++u) {
    const unsigned e = unsigned(u) * lanes + lane;
    kept[u] = is_head<lanes, each>(row.items, e, count) && Mask::allows(a.mask, r, item_at(e).column());
  }
  rank_items<lanes, each>(kept, ranks, lane, counts);
  const uint64_t start = valid ? a.row_starts[r] : 0;
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
    static_cast<NewColumn*>(a.columns)[start + ranks[u]] = NewColumn(column);
    static_cast<T*>(a.values)[start + ranks[u]] = sum;
  }
}

}  // namespace cugrb
