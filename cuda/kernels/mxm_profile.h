// What is known of the rows of T before they are made: the products of each, which bound its entries, and
// lists of the rows that each kernel takes.
#pragma once
#include "cuda/kernels/atomic_sum.h"
#include "cuda/kernels/matrix_write_back.h"
#include "cuda/kernels/mxm_drawn_rows.h"
#include "cuda/kernels/mxm_operands.h"

namespace cugrb {

CUGRB_DEVICE uint64_t greater(uint64_t x, uint64_t y) { return x > y ? x : y; }
CUGRB_DEVICE uint64_t lesser(uint64_t x, uint64_t y) { return x < y ? x : y; }

/// A row's part in the totals of rows that are not light. These are few, or the product takes long by itself.
CUGRB_DEVICE void add_weight(RowTotals& totals, uint64_t products) {
  if (products <= light_row_products) return;
  const bool heavy = products > medium_row_products;
  atomic_add(heavy ? &totals.heavy : &totals.medium, products);
  if (!heavy) return;
  atomic_add(&totals.heavy_rows, uint64_t(1));
  atomic_update(&totals.heaviest, products, greater);
}

/// Called by one thread of a block.
CUGRB_DEVICE void add_totals(RowTotals& all, const RowTotals& block) {
  if (block.products == 0) return;
  atomic_add(&all.products, block.products);
  if (block.of_short > 0) atomic_add(&all.of_short, block.of_short);
  if (block.of_bins > 0) atomic_add(&all.of_bins, block.of_bins);
  if (block.merged > 0) atomic_add(&all.merged, block.merged);
  if (block.medium > 0) atomic_add(&all.medium, block.medium);
  if (block.widest > 0) atomic_update(&all.widest, block.widest, greater);
  if (block.heavy_rows == 0) return;
  atomic_add(&all.heavy, block.heavy);
  atomic_add(&all.heavy_rows, block.heavy_rows);
  atomic_update(&all.heaviest, block.heaviest, greater);
}

/// A bitmap costs about as much for each window as sorting does for so many products.
constexpr uint64_t products_per_window = 16;

/// `words`: of its window; 0: rows have none.
CUGRB_DEVICE bool is_by_ranks(const RowLimits& limits, uint64_t products, uint64_t words) {
  return products >= limits.ranks_least && products <= limits.ranks_512 &&
         products >= words * limits.ranks_a_word && words <= limits.ranks_words;
}

/// Of such a row, by its entries; 0 while they are not known.
CUGRB_DEVICE RowClass class_by_ranks(const RowLimits& limits, uint64_t products, uint64_t entries) {
  if (products <= limits.ranks_32 && entries <= limits.ranks_32_entries) return RowClass::ranks_32;
  return products <= limits.ranks_128 && entries <= limits.ranks_128_entries ? RowClass::ranks_128
                                                                             : RowClass::ranks_512;
}

/// Rows that are sorted, in one bin or another, unless they turn out to be better made by hashing.
CUGRB_DEVICE RowClass class_of_bin(const RowLimits& limits, uint64_t products) {
  if (products <= short_row_products) return RowClass::esc_32;
  if (products <= 64) return RowClass::esc_64;
  if (products <= 128) return RowClass::esc_128;
  if (products <= 256) return RowClass::esc_256;
  if (products <= limits.esc_512) return RowClass::esc_512;
  if (products <= limits.esc_2048) return products <= 1024 ? RowClass::esc_1024 : RowClass::esc_2048;
  if (products <= limits.esc_8192) return products <= 4096 ? RowClass::esc_4096 : RowClass::esc_8192;
  return RowClass::hash_256;
}

/// A row that its lanes hash for longer keeps all others waiting in the end.
constexpr uint64_t most_hashed_a_lane = 64;

/// A row of more than 32 products whose entries are known: by ranks or hashing where many products meet in an
/// entry. A quarter of a warp hashes very few of them in half the time that a warp ranks them in. By ranks
/// none that may have been counted by merging: its columns were not kept.
CUGRB_DEVICE RowClass class_of_filled_row(const RowLimits& limits, uint64_t products, uint64_t words,
                                          uint64_t entries) {
  const auto hashes_well = [&](uint64_t most_entries, uint64_t lanes) {
    return 2 * entries <= products && entries <= most_entries && products <= lanes * most_hashed_a_lane;
  };
  if (hashes_well(limits.hash_8, 8)) return RowClass::hash_8;
  if (is_by_ranks(limits, products, words) &&
      (2 * entries <= products || products > greater(limits.esc_2048, limits.merge_12)))
    return class_by_ranks(limits, products, entries);
  if (hashes_well(limits.hash_16, 16)) return RowClass::hash_16;
  if (hashes_well(limits.hash_32, 32)) return RowClass::hash_32;
  return products > limits.esc_512 && products >= 4 * entries ? RowClass::hash_256
                                                              : class_of_bin(limits, products);
}

/// What it needs room for in a table.
CUGRB_DEVICE uint64_t columns_of_row(const MxmProfileArguments& a, uint64_t r) {
  return a.columns != nullptr ? a.columns[r] : a.row_starts[r + 1] - a.row_starts[r];
}

/// Merging goes on from entry to entry, sorting takes all products at once.
CUGRB_DEVICE bool merges_well(const MxmProfileArguments& a, uint64_t r, uint64_t products) {
  return a.row_starts == nullptr || products <= short_row_products ||
         5 * columns_of_row(a, r) <= 3 * products;
}

CUGRB_DEVICE uint64_t words_of_window(const MxmProfileArguments& a, uint64_t r) {
  return a.windows != nullptr ? a.windows[r].words : 0;
}

/// Before that: who counts it. `left`: its left entries.
CUGRB_DEVICE RowClass class_of_row(const MxmProfileArguments& a, uint64_t r, uint64_t left,
                                   uint64_t products) {
  if (products == 0) return RowClass::none;
  if (a.limits.all_by_sort) return RowClass::sort;
  if (left <= 12 && products <= (left <= 8 ? a.limits.merge_8 : a.limits.merge_12) &&
      merges_well(a, r, products))
    return left <= 8 ? RowClass::merge_8 : RowClass::merge_12;
  if (products <= short_row_products) return RowClass::esc_32;
  const uint64_t words = words_of_window(a, r);
  const bool by_ranks = is_by_ranks(a.limits, products, words);
  if (products <= greater(a.limits.hash_256, a.limits.esc_8192) || by_ranks) {
    if (a.row_starts != nullptr) return class_of_filled_row(a.limits, products, words, columns_of_row(a, r));
    return by_ranks ? class_by_ranks(a.limits, products, 0) : class_of_bin(a.limits, products);
  }
  return a.limits.windows * products_per_window <= products || a.limits.windows == 1 ? RowClass::bitmap
                                                                                     : RowClass::sort;
}

/// Of a row of class bitmap.
CUGRB_DEVICE unsigned bitmap_bucket(uint64_t products) {
  unsigned magnitude = 0;  // lighter rows have classes of their own
  for (products >>= 9; products > 0 && magnitude < bitmap_buckets - 1; products >>= 1) ++magnitude;
  return unsigned(sort_bucket - 1) - magnitude;
}
template <class Offset>
CUGRB_DEVICE unsigned bucket_of_row(const MxmProfileArguments& a, uint64_t r, uint64_t products) {
  const Offset* starts = static_cast<const Offset*>(a.left.offsets);
  const RowClass row_class = class_of_row(a, r, uint64_t(starts[r + 1] - starts[r]), products);
  if (row_class == RowClass::bitmap) return bitmap_bucket(products);
  return row_class == RowClass::sort ? unsigned(sort_bucket) : unsigned(row_class);
}

/// The calling block's rows of each bucket, to be added to all by add_block_counts after a barrier.
CUGRB_DEVICE void add_block_counts(const MxmProfileArguments& a, const uint32_t* counts, unsigned buckets) {
  if (thread_index() < buckets && counts[thread_index()] > 0)
    atomic_add(a.counts + thread_index(), uint64_t(counts[thread_index()]));
}

template <class Product>
CUGRB_DEVICE uint64_t right_length(const MxmProfileArguments& a, uint64_t k) {
  return row_begin<typename Product::Right>(a.right, k + 1) - row_begin<typename Product::Right>(a.right, k);
}

/// Of some left entries of a row: the products, their least and their greatest column.
struct RowPart {
  uint64_t products, first, last;  // may be in shared memory: without a constructor

  static CUGRB_DEVICE RowPart empty() { return {0, ~uint64_t(0), 0}; }
  CUGRB_DEVICE void add(uint64_t more, uint64_t other_first, uint64_t other_last) {
    products += more;
    if (other_first < first) first = other_first;
    if (other_last > last) last = other_last;
  }
  /// Of `lanes` neighbouring lanes, for the first of them.
  template <bool windows>
  CUGRB_DEVICE void gather(unsigned lanes) {
    for (unsigned delta = lanes / 2; delta > 0; delta /= 2) {
      const uint64_t more = shuffle_down(full_warp, products, delta, int(lanes));
      if constexpr (windows) {
        const uint64_t other_first = shuffle_down(full_warp, first, delta, int(lanes)),
                       other_last = shuffle_down(full_warp, last, delta, int(lanes));
        add(more, other_first, other_last);
      } else {
        products += more;
      }
    }
  }
  /// Too wide to be looked at where the columns have not been.
  CUGRB_DEVICE RowWindow window() const {
    if (products == 0) return {0, 0};
    if (first > last) return {0, ~0u};
    return {uint32_t(first / 32), uint32_t(last / 32 - first / 32 + 1)};
  }
};

/// Whether the first product of a row's first left entry and the last one of its last left entry are so far
/// apart that the row is not made by ranks. That takes two loads, where looking for its window takes two a
/// left entry. For all of `lanes` neighbouring lanes, which have the same row.
template <class Product>
CUGRB_DEVICE bool is_wide(const MxmProfileArguments& a, uint64_t begin, uint64_t end, unsigned lane,
                          unsigned lanes) {
  using Right = typename Product::Right;
  constexpr uint64_t none = ~uint64_t(0);
  uint64_t column = none;
  if (lane < 2 && begin < end) {
    const uint64_t k =
        uint64_t(read_only(columns_of<typename Product::Left>(a.left) + (lane == 0 ? begin : end - 1)));
    const uint64_t from = row_begin<Right>(a.right, k), to = row_begin<Right>(a.right, k + 1);
    if (from < to) column = uint64_t(read_only(columns_of<Right>(a.right) + (lane == 0 ? from : to - 1)));
  }
  const uint64_t x = shuffle(full_warp, column, 0, int(lanes)), y = shuffle(full_warp, column, 1, int(lanes));
  return x != none && y != none && (x < y ? y - x : x - y) > a.limits.ranks_words * 32;
}

/// Of the left entries from `begin` to `end`, the right rows that they meet; the part of thread `thread` of
/// `threads`. Four loads are under way at once. `columns`: they are looked at; right rows ascend.
template <class Product, bool windows>
CUGRB_DEVICE RowPart part_of_row(const MxmProfileArguments& a, uint64_t begin, uint64_t end, unsigned thread,
                                 unsigned threads, bool columns) {
  using Right = typename Product::Right;
  constexpr int at_once = 4;
  RowPart part = RowPart::empty();
  for (uint64_t first = begin + thread; first < end; first += at_once * threads) {
    uint64_t k[at_once];
    bool has[at_once];
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const uint64_t p = first + unsigned(u) * threads;
      has[u] = p < end;
      k[u] = has[u] ? uint64_t(read_only(columns_of<typename Product::Left>(a.left) + p)) : 0;
    }
    if constexpr (!windows) {
#pragma unroll
      for (int u = 0; u < at_once; ++u)
        if (has[u]) part.products += right_length<Product>(a, k[u]);
    } else {
      uint64_t from[at_once], to[at_once];
#pragma unroll
      for (int u = 0; u < at_once; ++u) {
        from[u] = has[u] ? row_begin<Right>(a.right, k[u]) : 0;
        to[u] = has[u] ? row_begin<Right>(a.right, k[u] + 1) : 0;
        part.products += to[u] - from[u];
      }
#pragma unroll
      for (int u = 0; u < at_once; ++u) {
        if (!columns || from[u] == to[u]) continue;
        part.add(0, uint64_t(read_only(columns_of<Right>(a.right) + from[u])),
                 uint64_t(read_only(columns_of<Right>(a.right) + (to[u] - 1))));
      }
    }
  }
  return part;
}

/// The row of the calling thread's `lanes`, of profiled_rows(lanes) from first_row on: store(r, its part) by
/// the first lane. A row that would keep them for long is put down in `longer`, and true returned.
template <class Product, unsigned lanes, bool windows, class Store>
CUGRB_DEVICE bool count_short_row(const MxmProfileArguments& a, uint64_t first_row, uint32_t* longer,
                                  uint32_t* longer_rows, const Store& store) {
  using Left = typename Product::Left;
  constexpr uint64_t longest_short = 16 * lanes;
  const unsigned row = thread_index() / lanes, lane = thread_index() % lanes;
  const bool valid = first_row + row < a.left.rows;
  const uint64_t begin = valid ? row_begin<Left>(a.left, first_row + row) : 0,
                 end = valid ? row_begin<Left>(a.left, first_row + row + 1) : 0;
  const bool is_short = end - begin <= longest_short;
  const bool columns = windows && !is_wide<Product>(a, begin, end, lane, lanes);
  RowPart part = RowPart::empty();
  if (is_short) part = part_of_row<Product, windows>(a, begin, end, lane, lanes, columns);
  part.template gather<windows>(lanes);
  if (!valid || lane != 0) return false;
  if (is_short) {
    store(first_row + row, part);
  } else {
    longer[atomic_add(longer_rows, 1u)] = row;
  }
  return !is_short;
}

/// Those that were put down: by a warp each, the longest ones by the block.
template <class Product, bool windows, class Store>
CUGRB_DEVICE void count_longer_rows(const MxmProfileArguments& a, uint64_t first_row, const uint32_t* longer,
                                    unsigned longer_rows, RowPart* block_part, const Store& store) {
  using Left = typename Product::Left;
  constexpr uint64_t longest_of_warp = 1024;
  const auto of_warp = [&](uint64_t begin, uint64_t end, unsigned thread, unsigned threads) {
    const bool columns = windows && !is_wide<Product>(a, begin, end, lane_index(), 32);
    RowPart part = part_of_row<Product, windows>(a, begin, end, thread, threads, columns);
    part.template gather<windows>(32);
    return part;
  };
  bool block_rows = false;
  for (unsigned n = thread_index() / 32; n < longer_rows; n += 256 / 32) {
    const uint64_t r = first_row + longer[n];
    const uint64_t begin = row_begin<Left>(a.left, r), end = row_begin<Left>(a.left, r + 1);
    block_rows = block_rows || end - begin > longest_of_warp;
    if (end - begin > longest_of_warp) continue;
    const RowPart part = of_warp(begin, end, lane_index(), 32);
    if (lane_index() == 0) store(r, part);
  }
  if (!sync_block_or(block_rows)) return;
  for (unsigned n = 0; n < longer_rows; ++n) {
    const uint64_t r = first_row + longer[n];
    const uint64_t begin = row_begin<Left>(a.left, r), end = row_begin<Left>(a.left, r + 1);
    if (end - begin <= longest_of_warp) continue;
    if (thread_index() == 0) *block_part = RowPart::empty();
    sync_block();
    const RowPart part = of_warp(begin, end, thread_index(), 256);
    if (lane_index() == 0) {
      atomic_add(&block_part->products, part.products);
      if (windows) {
        atomic_update(&block_part->first, part.first, lesser);
        atomic_update(&block_part->last, part.last, greater);
      }
    }
    sync_block();
    if (thread_index() == 0) store(r, *block_part);
  }
}

/// What a block makes of the rows whose products it knows: `counts` and `block` are in shared memory, the
/// rest is the calling thread's. Offset: of the left factor. `windows`: rows have theirs.
template <class Offset, bool windows>
struct RowWeigher {
  const MxmProfileArguments& a;
  uint32_t* counts;
  RowTotals* block;
  uint64_t total = 0, of_short = 0, of_bins = 0, merged = 0;

  /// Ends with a barrier.
  CUGRB_DEVICE void begin() {
    if (thread_index() == 0) *block = RowTotals{};
    if (thread_index() < profiled_buckets) counts[thread_index()] = 0;
    sync_block();
  }
  CUGRB_DEVICE void add(uint64_t r, uint64_t products) {
    add_weight(*block, products);
    const unsigned bucket = bucket_of_row<Offset>(a, r, products);
    atomic_add(counts + bucket, 1u);
    if constexpr (windows) {
      const bool by_ranks = bucket >= unsigned(RowClass::ranks_32) && bucket <= unsigned(RowClass::ranks_512);
      const uint64_t words = by_ranks ? a.windows[r].words : 0;
      if (words > relaxed_load(&block->widest)) atomic_update(&block->widest, words, greater);
    }
    total += products;
    if (bucket == unsigned(RowClass::esc_32)) of_short += products;
    if (bucket >= unsigned(RowClass::esc_64) && bucket <= unsigned(RowClass::esc_8192)) of_bins += products;
    if (bucket == unsigned(RowClass::merge_8) || bucket == unsigned(RowClass::merge_12)) {
      merged += products;
      atomic_add(
          counts + row_buckets + unsigned(class_of_bin(a.limits, products)) - unsigned(RowClass::esc_32), 1u);
    }
  }
  /// All threads of the block.
  CUGRB_DEVICE void end() {
    for (unsigned delta = 16; delta > 0; delta /= 2) {
      total += shuffle_down(full_warp, total, delta);
      of_short += shuffle_down(full_warp, of_short, delta);
      of_bins += shuffle_down(full_warp, of_bins, delta);
      merged += shuffle_down(full_warp, merged, delta);
    }
    if (lane_index() == 0 && total > 0) {
      atomic_add(&block->products, total);
      atomic_add(&block->of_short, of_short);
      atomic_add(&block->of_bins, of_bins);
      atomic_add(&block->merged, merged);
    }
    sync_block();
    add_block_counts(a, counts, profiled_buckets);
    if (thread_index() == 0) add_totals(*a.totals, *block);
  }
};

/// a.list, by the one block that has looked at all rows. `counts`: of each bucket, in shared memory.
template <class Offset>
CUGRB_DEVICE void list_rows_of_block(const MxmProfileArguments& a, uint32_t* counts) {
  sync_block();
  if (thread_index() == 0) {
    counts[unsigned(RowClass::none)] = 0;
    uint32_t listed = 0;
    for (unsigned bucket = 0; bucket < row_buckets; ++bucket) {
      const uint32_t rows = counts[bucket];
      counts[bucket] = listed;
      listed += rows;
    }
  }
  sync_block();
  for (uint64_t r = thread_index(); r < a.left.rows; r += 256) {
    const unsigned bucket = bucket_of_row<Offset>(a, r, a.products[r]);
    if (bucket != unsigned(RowClass::none)) a.list[atomic_add(counts + bucket, 1u)] = r;
  }
}

/// products[r] = sum over the entries (r,k) of left of the length of right's row k. With `windows` it finds
/// the columns that they are in, too, by two loads a left entry more. It also makes the totals and counts,
/// the rows of each bucket while their entries are not known. The first `samples` blocks of 256 draw a row
/// each (mxm_drawn_rows.h); any number of further ones take profiled_rows(lanes) rows in turn, and all update
/// the same few totals, a thousand times a microsecond at most.
template <class Product, unsigned lanes, bool windows>
CUGRB_KERNEL(256)
void mxm_row_products(MxmProfileArguments a) {
  CUGRB_SHARED(RowPart, block_part, 1);
  CUGRB_SHARED(uint32_t, longer, profiled_rows(lanes));
  CUGRB_SHARED(uint32_t, longer_rows, 1);
  CUGRB_SHARED(uint32_t, counts, profiled_buckets);
  CUGRB_SHARED(RowTotals, block_totals, 1);
  CUGRB_SHARED(RowDrawing, drawing, 1);
  if (block_index() < a.samples) {
    count_drawn_row<Product>(a, drawing[0]);
    return;
  }
  RowWeigher<typename Product::Left::Offset, windows> rows{a, counts, block_totals};
  if (thread_index() == 0) longer_rows[0] = 0;
  rows.begin();
  const auto store = [&](uint64_t r, const RowPart& part) {
    a.products[r] = part.products;
    if (windows) a.windows[r] = part.window();
    rows.add(r, part.products);
  };
  const uint64_t stride = uint64_t(grid_blocks() - a.samples) * profiled_rows(lanes);
  for (uint64_t first_row = uint64_t(block_index() - a.samples) * profiled_rows(lanes);
       first_row < a.left.rows; first_row += stride) {
    const bool has_longer =
        count_short_row<Product, lanes, windows>(a, first_row, longer, longer_rows, store);
    if (!sync_block_or(has_longer)) continue;
    count_longer_rows<Product, windows>(a, first_row, longer, longer_rows[0], block_part, store);
    sync_block();
    if (thread_index() == 0) longer_rows[0] = 0;
    sync_block();
  }
  rows.end();
  if (a.list != nullptr) list_rows_of_block<typename Product::Left::Offset>(a, counts);
}

/// products[r] += the same, for few rows of very many entries; zero before. Grid: a block of 256 for each
/// tile of left's entries.
template <class Product>
CUGRB_KERNEL(256)
void mxm_tile_products(MxmProfileArguments a) {
  uint64_t row = 0, sum = 0;
  for_entries_of_tile<typename Product::Left>(a.left, [&](uint64_t, uint64_t i, uint64_t k) {
    if (i != row && sum > 0) {
      atomic_add(a.products + row, sum);
      sum = 0;
    }
    row = i;
    sum += right_length<Product>(a, k);
  });
  const bool alone = ballot(full_warp, row != shuffle(full_warp, row, 0)) != 0;
  if (!alone) {
    for (unsigned delta = 16; delta > 0; delta /= 2) sum += shuffle_down(full_warp, sum, delta);
  }
  if (sum > 0 && (alone || lane_index() == 0)) atomic_add(a.products + row, sum);
}

/// Then: totals and counts, as mxm_row_products has them. A thread a row. Offset: of the left factor.
template <class Offset>
CUGRB_KERNEL(256)
void mxm_weigh_rows(MxmProfileArguments a) {
  CUGRB_SHARED(uint32_t, counts, profiled_buckets);
  CUGRB_SHARED(RowTotals, block_totals, 1);
  RowWeigher<Offset, false> rows{a, counts, block_totals};
  rows.begin();
  if (const uint64_t r = global_thread(); r < a.left.rows) rows.add(r, a.products[r]);
  rows.end();
}

/// counts[b], over the rows that are looked at. A thread a row. Offset: of the left factor.
template <class Offset>
CUGRB_KERNEL(256)
void mxm_count_rows(MxmProfileArguments a) {
  CUGRB_SHARED(uint32_t, counts, row_buckets);
  if (thread_index() < row_buckets) counts[thread_index()] = 0;
  sync_block();
  const uint64_t n = global_thread();
  if (n < a.count) {
    const uint64_t r = a.rows != nullptr ? a.rows[n] : n;
    atomic_add(counts + bucket_of_row<Offset>(a, r, a.products[r]), 1u);
  }
  sync_block();
  add_block_counts(a, counts, row_buckets);
}

/// list: the rows that are looked at, bucket by bucket; rows that are near each other there are near each
/// other in the list, too. Offset: of the left factor. Grid: a block of 256 for listed_rows rows.
template <class Offset>
CUGRB_KERNEL(256)
void mxm_list_rows(MxmListArguments a) {
  constexpr unsigned each = listed_rows / 256;
  CUGRB_SHARED(uint32_t, counts, row_buckets);
  CUGRB_SHARED(uint64_t, places, row_buckets);
  if (thread_index() < row_buckets) counts[thread_index()] = 0;
  sync_block();
  uint64_t row[each];
  unsigned bucket[each], rank[each];
#pragma unroll
  for (unsigned u = 0; u < each; ++u) {
    const uint64_t n = uint64_t(block_index()) * listed_rows + u * 256 + thread_index();
    const bool valid = n < a.profile.count;
    row[u] = !valid ? 0 : a.profile.rows != nullptr ? a.profile.rows[n] : n;
    bucket[u] = valid ? bucket_of_row<Offset>(a.profile, row[u], a.profile.products[row[u]]) : 0;
  }
#pragma unroll
  for (unsigned u = 0; u < each; ++u)
    rank[u] = bucket[u] != unsigned(RowClass::none) ? atomic_add(counts + bucket[u], 1u) : 0;
  sync_block();
  if (thread_index() < row_buckets && counts[thread_index()] > 0)
    places[thread_index()] =
        a.starts[thread_index()] + atomic_add(a.taken + thread_index(), uint64_t(counts[thread_index()]));
  sync_block();
#pragma unroll
  for (unsigned u = 0; u < each; ++u)
    if (bucket[u] != unsigned(RowClass::none)) a.list[places[bucket[u]] + rank[u]] = row[u];
}

}  // namespace cugrb
