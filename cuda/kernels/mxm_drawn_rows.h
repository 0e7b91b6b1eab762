// How many products of a row of T meet in an entry, from a few rows that blocks draw while others count the
// products of all rows: so it costs no launch and no wait of its own. What is known by then decides how rows
// are made (src/operations/multiply/mxm/rows/profile.cpp); nothing depends on it being right.
#pragma once
#include "cuda/kernels/mxm_operands.h"

namespace cugrb {

/// 32 bits that every bit of x has a part in (the finalizer of MurmurHash3).
CUGRB_DEVICE uint32_t scattered(uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return uint32_t((x ^ (x >> 33)) >> 32);
}

/// What a block of 256 needs to draw a row. Columns are marked by their lowest bits, or by hash.
struct RowDrawing {
  static constexpr unsigned fields = 1u << 15;
  uint32_t bits[fields / 32];
  uint32_t warp_sums[8];
  uint64_t row;
  uint32_t products, entries;
};

/// One of 256 rows, with a probability that is its share of their left entries; false when they have none.
/// Passes barriers.
template <class Left>
CUGRB_DEVICE bool draw_row(const MxmProfileArguments& a, RowDrawing& drawing) {
  const uint64_t r = scattered(global_thread()) % a.left.rows;
  const uint64_t length = row_begin<Left>(a.left, r + 1) - row_begin<Left>(a.left, r);
  const uint32_t weight = length < (1u << 20) ? uint32_t(length) : 1u << 20;
  uint32_t sum = weight;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const uint32_t other = shuffle_up(full_warp, sum, delta);
    if (lane_index() >= delta) sum += other;
  }
  if (lane_index() == 31) drawing.warp_sums[thread_index() / 32] = sum;
  sync_block();
  uint32_t before = sum - weight, total = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == thread_index() / 32) before += total;
    total += drawing.warp_sums[w];
  }
  if (total == 0) return false;
  const uint32_t target = scattered(~uint64_t(block_index())) % total;
  if (before <= target && target < before + weight) drawing.row = r;
  sync_block();
  return true;
}

/// sampled_products and sampled_entries of a.totals += those of a row that is drawn, unless it is short or
/// heavy. Eight lanes take a left entry. Called by all threads of a block of 256.
template <class Product>
CUGRB_DEVICE void count_drawn_row(const MxmProfileArguments& a, RowDrawing& drawing) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  for (unsigned w = thread_index(); w < RowDrawing::fields / 32; w += 256) drawing.bits[w] = 0;
  if (thread_index() == 0) drawing.products = drawing.entries = 0;
  if (!draw_row<Left>(a, drawing)) return;
  const uint64_t begin = row_begin<Left>(a.left, drawing.row), end = row_begin<Left>(a.left, drawing.row + 1);
  if (end - begin > medium_row_products) return;
  uint32_t products = 0;
  for (uint64_t p = begin + thread_index(); p < end; p += 256) {
    const uint64_t k = read_only(columns_of<Left>(a.left) + p);
    const uint64_t length = row_begin<Right>(a.right, k + 1) - row_begin<Right>(a.right, k);
    products += length <= medium_row_products ? uint32_t(length) : uint32_t(medium_row_products) + 1;
  }
  if (products > 0) atomic_add(&drawing.products, products);
  sync_block();
  if (drawing.products <= short_row_products || drawing.products > medium_row_products) return;
  for (uint64_t p = begin + thread_index() / 8; p < end; p += 32) {
    const uint64_t k = read_only(columns_of<Left>(a.left) + p);
    const uint64_t last = row_begin<Right>(a.right, k + 1);
    for (uint64_t q = row_begin<Right>(a.right, k) + thread_index() % 8; q < last; q += 8) {
      const uint64_t column = read_only(columns_of<Right>(a.right) + q);
      const unsigned field =
          (a.right.columns_count <= RowDrawing::fields ? unsigned(column) : scattered(column)) %
          RowDrawing::fields;
      atomic_or(drawing.bits + field / 32, 1u << field % 32);
    }
  }
  sync_block();
  uint32_t entries = 0;
  for (unsigned w = thread_index(); w < RowDrawing::fields / 32; w += 256)
    entries += unsigned(count_bits(drawing.bits[w]));
  for (unsigned delta = 16; delta > 0; delta /= 2) entries += shuffle_down(full_warp, entries, delta);
  if (lane_index() == 0) atomic_add(&drawing.entries, entries);
  sync_block();
  if (thread_index() != 0) return;
  atomic_add(&a.totals->sampled_products, uint64_t(drawing.products));
  atomic_add(&a.totals->sampled_entries, uint64_t(drawing.entries));
}

}  // namespace cugrb
