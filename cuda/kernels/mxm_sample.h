// What a product will be, from looking at a little of it: the distribution of its rows' products, the columns
// of a few rows of T, the steps of a few dot products.
//
// A row's columns are marked in a field of bits: a column's own bit where the field has one for each, else
// one by hash, so that distinct columns may share a bit (linear counting: K.-Y. Whang and others, "A
// linear-time probabilistic counting algorithm for database applications", ACM TODS 15(2), 1990). The host
// makes of it what it means.
#pragma once
#include "cuda/kernels/mxm_bitmap.h"
#include "cuda/kernels/mxm_drawn_rows.h"

namespace cugrb {

/// floor(log2(x)), x > 0.
CUGRB_DEVICE unsigned binary_logarithm(uint64_t x) {
  unsigned logarithm = 0;
  for (unsigned half = 32; half > 0; half /= 2) {
    if (x >> half != 0) {
      x >>= half;
      logarithm += half;
    }
  }
  return logarithm;
}

/// The mask of a call that has none.
struct selects_nothing {
  static CUGRB_DEVICE uint64_t length(const CsrView&, uint64_t) { return 0; }
};
template <class Select>
struct selects_entries {
  static CUGRB_DEVICE uint64_t length(const CsrView& mask, uint64_t r) {
    return row_begin<Select>(mask, r + 1) - row_begin<Select>(mask, r);
  }
};

/// octaves (zero before). Any number of blocks. A warp adds up each of its rows' octaves before it adds to
/// the block's, and a block before it adds to all.
template <class Mask>
CUGRB_KERNEL(256)
void mxm_product_octaves(MxmSampleArguments a) {
  CUGRB_SHARED(uint64_t, sums, 3 * product_octaves);
  for (unsigned n = thread_index(); n < 3 * product_octaves; n += 256) sums[n] = 0;
  sync_block();
  const uint64_t rows = a.rows.left.rows, stride = global_threads();
  for (uint64_t first = global_thread() - lane_index(); first < rows; first += stride) {
    const uint64_t r = first + lane_index();
    const uint64_t products = r < rows ? a.rows.products[r] : 0;
    const unsigned octave = products > 0 ? binary_logarithm(products) : 0;
    const uint64_t mask_entries = products > 0 ? Mask::length(a.rows.mask, r) : 0;
    for (unsigned pending = ballot(full_warp, products > 0); pending != 0;) {
      const unsigned common = shuffle(full_warp, octave, lowest_bit(pending));
      const bool counts = products > 0 && octave == common;
      const unsigned same = ballot(full_warp, counts);
      uint64_t sum = counts ? products : 0, mask_sum = counts ? mask_entries : 0;
      for (unsigned delta = 16; delta > 0; delta /= 2) {
        sum += shuffle_down(full_warp, sum, delta);
        mask_sum += shuffle_down(full_warp, mask_sum, delta);
      }
      if (lane_index() == 0) {
        atomic_add(sums + 3 * common, uint64_t(count_bits(same)));
        atomic_add(sums + 3 * common + 1, sum);
        if (mask_sum > 0) atomic_add(sums + 3 * common + 2, mask_sum);
      }
      pending &= ~same;
    }
  }
  sync_block();
  for (unsigned n = thread_index(); n < 3 * product_octaves; n += 256) {
    ProductOctave& octave = a.octaves[n / 3];
    uint64_t* place = n % 3 == 0 ? &octave.rows : n % 3 == 1 ? &octave.products : &octave.mask_entries;
    if (sums[n] > 0) atomic_add(place, sums[n]);
  }
}

/// list, taken (zero before): the same rows of the same product at every call. One thread a row.
template <class Index>
CUGRB_KERNEL(256)
void mxm_sample_rows(MxmSampleArguments a) {
  const Index r = global_thread();
  if (r >= a.rows.left.rows) return;
  const uint64_t products = a.rows.products[r];
  if (products == 0 || scattered(r) >= a.thresholds[binary_logarithm(products)]) return;
  const uint32_t place = atomic_add(a.taken, 1u);
  if (place < a.capacity) a.list[place] = r;
}

/// Which bit a column of T sets: its own where there are as many, else one that it shares.
CUGRB_DEVICE unsigned sampled_bit(uint64_t columns, uint64_t column) {
  return unsigned((columns <= sampled_row_bits ? column : scattered(column)) % sampled_row_bits);
}

/// The mask's row against the marked columns. Called by all threads of the block.
CUGRB_DEVICE void count_hits(selects_nothing, const MxmRowsArguments&, uint64_t, const uint32_t*, uint32_t*) {
}
template <class Select>
CUGRB_DEVICE void count_hits(selects_entries<Select>, const MxmRowsArguments& a, uint64_t r,
                             const uint32_t* bits, uint32_t* counts) {
  const auto* columns = static_cast<const typename Select::Column*>(a.mask.columns);
  uint32_t selecting = 0, hits = 0;
  const uint64_t end = row_begin<Select>(a.mask, r + 1);
  for (uint64_t p = row_begin<Select>(a.mask, r) + thread_index(); p < end; p += bitmap_threads) {
    if (!Select::holds(a.mask, p)) continue;
    const unsigned bit = sampled_bit(a.right.columns_count, read_only(columns + p));
    ++selecting;
    hits += bits[bit / 32] >> (bit % 32) & 1u;
  }
  if (selecting > 0) atomic_add(counts + 1, selecting);
  if (hits > 0) atomic_add(counts + 2, hits);
}

/// samples[n] of list[n]. Grid: a block of bitmap_threads for each place of the list; those beyond `taken`
/// end.
template <class Product, class Mask>
CUGRB_KERNEL(bitmap_threads)
void mxm_sample_count(MxmSampleArguments a) {
  CUGRB_SHARED(uint32_t, bits, sampled_row_bits / 32);
  CUGRB_SHARED(uint32_t, counts, 3);  // bits, selecting, hits
  CUGRB_SHARED(bitmap_ranges<Product>, ranges, 1);
  if (block_index() >= a.capacity || block_index() >= *a.taken) return;
  const uint64_t r = a.list[block_index()], columns = a.rows.right.columns_count;
  if (thread_index() < 3) counts[thread_index()] = 0;
  for (unsigned w = thread_index(); w < sampled_row_bits / 32; w += bitmap_threads) bits[w] = 0;
  sync_block();
  for_products_by_block<Product, bitmap_threads>(
      a.rows, r, {0, columns}, ranges[0],
      [&](uint64_t, uint64_t, uint64_t q) {
        return sampled_bit(columns, read_only(columns_of<typename Product::Right>(a.rows.right) + q));
      },
      [&](unsigned bit, unsigned) { set_bit(bits, bit); });
  sync_block();
  uint32_t set = 0;
  for (unsigned w = thread_index(); w < sampled_row_bits / 32; w += bitmap_threads)
    set += unsigned(count_bits(bits[w]));
  if (set > 0) atomic_add(counts, set);
  count_hits(Mask(), a.rows, r, bits, counts);
  sync_block();
  if (thread_index() == 0)
    a.samples[block_index()] = {a.rows.products[r], counts[0], Mask::length(a.rows.mask, r), counts[1],
                                counts[2]};
}

}  // namespace cugrb
