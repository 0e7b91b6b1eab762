// Rows of T by Gustavson's order: T(r,:) = sum over the entries (r,k) of left of left(r,k) (x) right(k,:).
// What is counted first, so that every row goes to a kernel that fits it: the number of its products bounds
// its entries.
#pragma once
#include "cuda/kernels/atomic_sum.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"

namespace cugrb {

CUGRB_DEVICE uint64_t greater(uint64_t x, uint64_t y) { return x > y ? x : y; }

/// A row's part in all totals but `products`. Few rows are not light, or the product takes long by itself.
CUGRB_DEVICE void add_weight(RowTotals& totals, uint64_t products) {
  if (products <= light_row_products) return;
  const bool heavy = products > medium_row_products;
  atomic_add(heavy ? &totals.heavy : &totals.medium, products);
  if (!heavy) return;
  atomic_add(&totals.heavy_rows, uint64_t(1));
  atomic_update(&totals.heaviest, products, greater);
}

/// products[r] = sum over the entries (r,k) of left of the length of right's row k. Grid: a block of 256 for
/// profiled_rows rows. (One update of the total for each warp of 4 rows took 200 of the 225 us that a million
/// rows took on an H200.)
template <class Product>
CUGRB_KERNEL(256)
void mxm_row_products(MxmProfileArguments a) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  constexpr uint64_t longest_short = 512, rows_at_once = 32;
  CUGRB_SHARED(uint64_t, long_sum, rows_at_once);
  CUGRB_SHARED(RowTotals, block_totals, 1);
  if (thread_index() == 0) block_totals[0] = RowTotals{};
  sync_block();
  const unsigned lane = thread_index() % 8;
  const auto length_at = [&](uint64_t p) {
    const uint64_t k = read_only(columns_of<Left>(a.left) + p);
    return row_begin<Right>(a.right, k + 1) - row_begin<Right>(a.right, k);
  };
  const uint64_t block_begin = uint64_t(block_index()) * profiled_rows;
  uint64_t total = 0;  // of the rows whose sums this thread stores
  for (uint64_t first_row = block_begin; first_row < block_begin + profiled_rows; first_row += rows_at_once) {
    const uint64_t r = first_row + thread_index() / 8;
    if (thread_index() < rows_at_once) long_sum[thread_index()] = 0;
    bool is_long = false;
    uint64_t sum = 0;
    if (r < a.left.rows) {
      const uint64_t begin = row_begin<Left>(a.left, r), end = row_begin<Left>(a.left, r + 1);
      is_long = end - begin > longest_short;
      if (!is_long) {
        for (uint64_t p = begin + lane; p < end; p += 8) sum += length_at(p);
      }
    }
    for (unsigned delta = 4; delta > 0; delta /= 2) sum += shuffle_down(full_warp, sum, delta, 8);
    if (r < a.left.rows && lane == 0 && !is_long) {
      a.products[r] = sum;
      add_weight(block_totals[0], sum);
      total += sum;
    }
    if (!sync_block_or(is_long)) continue;
    for (unsigned n = 0; n < rows_at_once && first_row + n < a.left.rows; ++n) {
      const uint64_t begin = row_begin<Left>(a.left, first_row + n),
                     end = row_begin<Left>(a.left, first_row + n + 1);
      if (end - begin <= longest_short) continue;
      uint64_t mine = 0;
      for (uint64_t p = begin + thread_index(); p < end; p += 256) mine += length_at(p);
      for (unsigned delta = 16; delta > 0; delta /= 2) mine += shuffle_down(full_warp, mine, delta);
      if (lane_index() == 0) atomic_add(long_sum + n, mine);
      sync_block();
      if (thread_index() != 0) continue;
      a.products[first_row + n] = long_sum[n];
      add_weight(block_totals[0], long_sum[n]);
      total += long_sum[n];
    }
    sync_block();
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) total += shuffle_down(full_warp, total, delta);
  if (lane_index() == 0 && total > 0) atomic_add(&block_totals[0].products, total);
  sync_block();
  if (thread_index() != 0 || block_totals[0].products == 0) return;
  atomic_add(&a.totals->products, block_totals[0].products);
  if (block_totals[0].medium > 0) atomic_add(&a.totals->medium, block_totals[0].medium);
  if (block_totals[0].heavy_rows == 0) return;
  atomic_add(&a.totals->heavy, block_totals[0].heavy);
  atomic_add(&a.totals->heavy_rows, block_totals[0].heavy_rows);
  atomic_update(&a.totals->heaviest, block_totals[0].heaviest, greater);
}

/// A bitmap costs about as much for each window as sorting does for so many products.
constexpr uint64_t products_per_window = 16;

/// A row of 65 to 2048 products whose entries are known: by hashing where many products meet in an entry.
CUGRB_DEVICE RowClass class_of_filled_row(const RowLimits& limits, uint64_t products, uint64_t entries) {
  if (2 * entries <= products) {
    if (entries <= limits.hash_8) return RowClass::hash_8;
    if (entries <= limits.hash_16) return RowClass::hash_16;
    if (entries <= limits.hash_32) return RowClass::hash_32;
  }
  if (products <= 128) return RowClass::esc_128;
  if (products <= 256) return RowClass::esc_256;
  if (products <= limits.esc_512) return RowClass::esc_512;
  return products <= limits.esc_2048 && products < 4 * entries ? RowClass::esc_2048 : RowClass::hash_256;
}

/// Hashing counts as fast as sorting does from 65 products on.
CUGRB_DEVICE RowClass class_of_row(const MxmProfileArguments& a, uint64_t r) {
  const uint64_t products = a.products[r];
  if (products == 0) return RowClass::none;
  if (a.limits.all_by_sort) return RowClass::sort;
  if (products <= 32) return RowClass::esc_32;
  if (products <= 64) return RowClass::esc_64;
  if (products <= a.limits.hash_256) {
    if (a.entries != nullptr) return class_of_filled_row(a.limits, products, a.entries[r]);
    if (products <= a.limits.hash_32) return RowClass::hash_32;
    return products <= a.limits.counted_512 ? RowClass::esc_512 : RowClass::hash_256;
  }
  return a.limits.windows * products_per_window <= products || a.limits.windows == 1 ? RowClass::bitmap
                                                                                     : RowClass::sort;
}

/// keys[r]: sorted ascending they give the rows of each class together, the heaviest first. One thread a row.
template <class Weight>
CUGRB_KERNEL(256)
void mxm_row_classes(MxmProfileArguments a) {
  CUGRB_SHARED(uint32_t, counts, row_classes);
  if (thread_index() < row_classes) counts[thread_index()] = 0;
  sync_block();
  const uint64_t r = global_thread();
  if (r < a.left.rows) {
    const uint32_t row_class = uint32_t(class_of_row(a, r));
    Weight weight = a.entries != nullptr ? a.entries[r] : a.products[r];
    uint32_t magnitude = 0;
    for (; weight > 1 && magnitude < 63; weight /= 2) ++magnitude;
    magnitude = magnitude < 8    ? 0
                : magnitude < 23 ? magnitude - 8
                                 : 15;  // lighter rows have classes of their own
    a.keys[r] = row_class * 16 + 15 - magnitude;
    a.ordinals[r] = r;
    atomic_add(counts + row_class, 1u);
  }
  sync_block();
  if (thread_index() < row_classes && counts[thread_index()] > 0) {
    atomic_add(a.counts + thread_index(), uint64_t(counts[thread_index()]));
  }
}

/// offsets[r] = starts[r] in the matrix's width. One thread for each of rows + 1.
template <class Offset>
CUGRB_KERNEL(256)
void mxm_offsets(MxmRowsArguments a) {
  const uint64_t r = global_thread();
  if (r <= a.left.rows) static_cast<Offset*>(a.columns)[r] = Offset(a.row_starts[r]);
}

/// The n-th row that the launch makes: all rows in order when there is no list.
CUGRB_DEVICE uint64_t listed_row(const MxmRowsArguments& a, uint64_t n) {
  return a.list != nullptr ? a.list[n] : n;
}

// ---- what the kernels that sum in shared memory have in common

/// What a sum starts from: the identity, with two exceptions. NaN under a monoid that a NaN loses to (MIN,
/// MAX of floats), because there the sum of one NaN alone is NaN; -0 under PLUS of floats, because the sum of
/// one -0 alone is -0.
template <class Add>
CUGRB_DEVICE typename Add::type start_of_sum() {
  using T = typename Add::type;
  if constexpr (!Add::has_identity) {
    return T();
  } else {
    if constexpr (is_float<T>) {
      const T nan = not_a_number<T>(), sum = Add::combine(nan, Add::identity());
      if (sum == Add::identity()) return nan;
      if constexpr (is_same<typename Add::op, plus<T>>) return -T(0);
    }
    return Add::identity();
  }
}

/// *place = *place + term; with ANY one of the racing stores wins.
template <class Add>
CUGRB_DEVICE void add_term(typename Add::type* place, const typename Add::type& term) {
  if constexpr (Add::is_any) {
    relaxed_store(place, term);
  } else {
    add_atomically<Add>(place, term);
  }
}

}  // namespace cugrb
