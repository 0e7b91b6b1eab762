// Rows of T in which many products meet in an entry, as those of finite elements: a warp takes a left entry
// at a time and its lanes the right entries of its row, which lie side by side. So a product costs few
// instructions beside its two loads, where products that are dealt out one by one (mxm_products.h) are first
// looked for; that is done where most left entries meet few right entries each.
//
// A bitmap over all columns, or over those from the row's first to its last one (its window), says which have
// an entry, and how many come before each 32 of them: the place of its sum. Counting keeps the bits where
// there is room; filling has them or marks them again, stores the columns, and adds up; a row of more entries
// than there are sums in several passes. Where there is room for a sum of each warp's, these are added up
// without atomics: the right entries of one left entry have different columns.
#pragma once
#include "cuda/kernels/mxm_bitmap.h"

namespace cugrb {

/// use(load(p, k, q)) for every product of row r: a warp takes a left entry p at a time, `each` right entries
/// q of its row k under way in each lane. Called by all threads of the block. A barrier of the warp lies
/// between left entries.
template <class Product, int threads, int each, class Load, class Use>
CUGRB_DEVICE void for_products_by_entries(const MxmRowsArguments& a, uint64_t r, Load load, Use use) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  using LeftColumn = typename Left::Column;
  using Offset = typename Right::Offset;
  using LeftOffset = typename Left::Offset;
  constexpr unsigned warps = threads / 32;
  const unsigned lane = lane_index(), warp = thread_index() / 32;
  const LeftOffset end = LeftOffset(row_begin<Left>(a.left, r + 1));
#pragma unroll 1
  for (LeftOffset base = LeftOffset(row_begin<Left>(a.left, r)) + warp; base < end; base += threads) {
    const LeftOffset p = base + lane * warps;  // neighbouring left entries go to different warps
    LeftColumn k = 0;
    Offset first = 0, last = 0;
    if (p < end) {
      k = read_only(columns_of<Left>(a.left) + p);
      first = Offset(row_begin<Right>(a.right, k));
      last = Offset(row_begin<Right>(a.right, uint64_t(k) + 1));
    }
    const LeftOffset left = (end - base + warps - 1) / warps;
    const unsigned count = left < 32 ? unsigned(left) : 32u;
#pragma unroll 1
    for (unsigned j = 0; j < count; ++j) {
      const LeftColumn k_of = shuffle(full_warp, k, int(j));
      const Offset end_of = shuffle(full_warp, last, int(j));
      const uint64_t p_of = uint64_t(base) + j * warps;
#pragma unroll 1
      for (Offset q = Offset(shuffle(full_warp, first, int(j)) + lane); q < end_of; q += each * 32) {
        decltype(load(p_of, uint64_t(0), uint64_t(0))) loaded[each];
#pragma unroll
        for (int u = 0; u < each; ++u) {
          const Offset own = q + Offset(u * 32);
          if (own < end_of) loaded[u] = load(p_of, uint64_t(k_of), uint64_t(own));
        }
#pragma unroll
        for (int u = 0; u < each; ++u)
          if (q + Offset(u * 32) < end_of) use(loaded[u]);
      }
      sync_warp(full_warp);
    }
  }
}

/// The same; `each` 0: the products are dealt out one by one (mxm_products.h). All threads of the block wait
/// for each other before `ranges` is used again.
template <class Product, int threads, int each, class Load, class Use>
CUGRB_DEVICE void for_products_of_ranked(const MxmRowsArguments& a, uint64_t r,
                                         ranges_of_group<Product, threads>& ranges, Load load, Use use) {
  if constexpr (each > 0) {
    for_products_by_entries<Product, threads, each>(a, r, load, use);
  } else {
    using Loaded = decltype(load(uint64_t(0), uint64_t(0), uint64_t(0)));
    for_products_of_row<Product, threads>(a, r, true, thread_index(), ranges, load,
                                          [&](const Loaded& loaded, unsigned) { use(loaded); });
  }
}

/// The bits of a word, but those of columns that the mask forbids.
template <class Mask>
CUGRB_DEVICE uint32_t allowed_bits(const MxmRowsArguments& a, uint64_t r, uint64_t word, uint32_t bits) {
  if constexpr (is_same<Mask, matrix_mask_none>) return bits;
  uint32_t allowed = bits;
#pragma unroll 1
  for (uint32_t left = bits; left != 0; left &= left - 1) {
    if (!Mask::allows(a.mask, r, word * 32 + unsigned(lowest_bit(left)))) allowed &= ~(left & -left);
  }
  return allowed;
}

/// The words that a row's products are in.
CUGRB_DEVICE RowWindow ranked_window(const MxmRanksArguments& a, uint64_t r) {
  if (a.windows != nullptr) return a.windows[r];
  return {0, uint32_t((a.right.columns_count + 31) / 32)};
}

/// Where a column of the window is in it. (Its low bits are enough: a register less than in 64 bits.)
CUGRB_DEVICE unsigned place_in(const RowWindow& window, uint64_t column) {
  return unsigned(column) - window.first * 32u;
}

/// row_entries, with a mask row_columns, of the listed rows. Grid: a block for each. Dynamic shared memory: a
/// bit for each column of the widest window.
template <class Product, class Mask, int threads, int each>
CUGRB_KERNEL(threads)
void mxm_ranks_count(MxmRanksArguments a) {
  CUGRB_DYNAMIC_SHARED(uint32_t, bits);
  using Ranges = ranges_of_group<Product, threads>;
  CUGRB_SHARED(Ranges, ranges, 1);
  CUGRB_SHARED(uint32_t, totals, 2);
  constexpr bool masked = !is_same<Mask, matrix_mask_none>;
  const uint64_t r = a.list[block_index()];
  const RowWindow window = ranked_window(a, r);
  const unsigned words = window.words;
#pragma unroll 4
  for (unsigned w = thread_index(); w < words; w += threads) bits[w] = 0;
  if (thread_index() == 0) totals[0] = totals[1] = 0;
  sync_group<threads>();
  for_products_of_ranked<Product, threads, each>(
      a, r, ranges[0],
      [&](uint64_t, uint64_t, uint64_t q) {
        return place_in(window, uint64_t(read_only(columns_of<typename Product::Right>(a.right) + q)));
      },
      [&](unsigned place) { set_bit(bits, place); });
  sync_group<threads>();
  uint32_t columns = 0, entries = 0;
  const uint64_t slot = a.first_slot + block_index();
#pragma unroll 4
  for (unsigned w = thread_index(); w < words; w += threads) {
    const uint32_t allowed = allowed_bits<Mask>(a, r, window.first + w, bits[w]);
    columns += unsigned(count_bits(bits[w]));
    if (masked) entries += unsigned(count_bits(allowed));
    if (a.row_bits != nullptr) a.row_bits[slot * a.kept_words + w] = allowed;
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    columns += shuffle_down(full_warp, columns, delta);
    if (masked) entries += shuffle_down(full_warp, entries, delta);
  }
  if (lane_index() == 0) {
    atomic_add(totals, columns);
    if (masked) atomic_add(totals + 1, entries);
  }
  sync_group<threads>();
  if (thread_index() != 0) return;
  a.row_entries[r] = totals[masked ? 1 : 0];
  if (masked) a.row_columns[r] = totals[0];
  if (a.row_bits != nullptr) a.row_slots[r] = uint32_t(slot);
}

/// Ranks so many words. Returns how many bits they have. Each thread takes consecutive words; `warp_sums`:
/// one a warp. Passes barriers, the last one at the end.
template <int threads>
CUGRB_DEVICE unsigned rank_words(ranked_word* words, unsigned count, uint32_t* warp_sums) {
  const unsigned share = (count + threads - 1) / threads, begin = thread_index() * share;
  const unsigned end = begin + share < count ? begin + share : count;
  uint32_t own = 0;
#pragma unroll 4
  for (unsigned w = begin; w < end; ++w) own += unsigned(count_bits(words[w].bits));
  uint32_t before = own;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const uint32_t other = shuffle_up(full_warp, before, delta);
    if (lane_index() >= delta) before += other;
  }
  if (lane_index() == 31) warp_sums[thread_index() / 32] = before;
  before -= own;
  sync_group<threads>();
  uint32_t total = 0;
#pragma unroll
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w == thread_index() / 32) before += total;
    total += warp_sums[w];
  }
#pragma unroll 4
  for (unsigned w = begin; w < end; ++w) {
    words[w].before = before;
    before += unsigned(count_bits(words[w].bits));
  }
  sync_group<threads>();
  return total;
}

/// Sets the bits of the row's columns that the mask allows. Ends with a barrier.
template <class Product, class Mask, int threads, int each>
CUGRB_DEVICE void mark_ranked(const MxmRowsArguments& a, uint64_t r, ranked_word* words,
                              const RowWindow& window, ranges_of_group<Product, threads>& ranges) {
  for_products_of_ranked<Product, threads, each>(
      a, r, ranges,
      [&](uint64_t, uint64_t, uint64_t q) {
        return place_in(window, uint64_t(read_only(columns_of<typename Product::Right>(a.right) + q)));
      },
      [&](unsigned place) {
        const uint32_t bit = 1u << (place % 32);
        uint32_t* bits = &words[place / 32].bits;
        if ((relaxed_load(bits) & bit) == 0) atomic_or(bits, bit);
      });
  sync_group<threads>();
  if constexpr (!is_same<Mask, matrix_mask_none>) {
#pragma unroll 1
    for (unsigned w = thread_index(); w < window.words; w += threads)
      words[w].bits = allowed_bits<Mask>(a, r, window.first + w, words[w].bits);
    sync_group<threads>();
  }
}

constexpr int ranks_blocks(int threads) { return threads == 32 ? 32 : threads == 128 ? 10 : 3; }

/// The listed rows of T, stored at row_starts. Grid: a block for each. Dynamic shared memory: value_capacity
/// sums, a ranked_word for 32 columns of the widest window.
template <class Product, class Mask, class NewColumn, int threads, int each>
CUGRB_KERNEL_RESIDENT(threads, ranks_blocks(threads))
void mxm_ranks_fill(MxmRanksArguments a) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Operands = product_operands<Product>;
  CUGRB_DYNAMIC_SHARED(T, sums);
  using Ranges = ranges_of_group<Product, threads>;
  CUGRB_SHARED(Ranges, ranges, 1);
  CUGRB_SHARED(uint32_t, warp_sums, threads / 32);
  const uint64_t r = a.list[block_index()], start = a.row_starts[r];
  const RowWindow window = ranked_window(a, r);
  const unsigned count = window.words, capacity = unsigned(a.value_capacity);
  ranked_word* words = reinterpret_cast<ranked_word*>(sums + capacity);
  const uint32_t* const kept =
      a.row_bits != nullptr ? a.row_bits + uint64_t(a.row_slots[r]) * a.kept_words : nullptr;
#pragma unroll 4
  for (unsigned w = thread_index(); w < count; w += threads) words[w].bits = kept != nullptr ? kept[w] : 0;
  sync_group<threads>();
  if (kept == nullptr) mark_ranked<Product, Mask, threads, each>(a, r, words, window, ranges[0]);
  const unsigned entries = rank_words<threads>(words, count, warp_sums);
  store_columns<threads>(static_cast<NewColumn*>(a.columns) + start, uint64_t(window.first) * 32, 0, entries,
                         0, count, reinterpret_cast<NewColumn*>(sums),
                         unsigned(capacity * sizeof(T) / sizeof(NewColumn)),
                         [&](unsigned w) { return words[w]; });
  // With a sum of its own for each warp nothing is updated atomically.
  constexpr bool can_split = each > 0 && Add::has_identity && !Add::is_any;
  const unsigned copies = can_split && entries * (threads / 32) <= capacity ? threads / 32 : 1;
  const bool alone = can_split && (threads == 32 || copies > 1);
  T* own = sums + (copies > 1 ? thread_index() / 32 * entries : 0);
#pragma unroll 1
  for (unsigned first = 0; first < entries; first += capacity) {
    const unsigned taken = entries - first < capacity ? entries - first : capacity;
#pragma unroll 1
    for (unsigned e = thread_index(); e < copies * taken; e += threads) sums[e] = start_of_sum<Add>();
    sync_group<threads>();
    for_products_of_ranked<Product, threads, each>(
        a, r, ranges[0], [&](uint64_t p, uint64_t k, uint64_t q) { return Operands::load(a, p, k, q); },
        [&](const Operands& product) {
          const unsigned place = place_in(window, product.column);
          const ranked_word word = words[place / 32];
          const uint32_t bit = 1u << (place % 32);
          const unsigned rank = word.before + unsigned(count_bits(word.bits & (bit - 1u))) - first;
          if constexpr (!is_same<Mask, matrix_mask_none>) {
            if ((word.bits & bit) == 0) return;
          }
          if (rank >= taken) return;
          if (alone) {
            if constexpr (can_split) own[rank] = Add::combine(own[rank], product.term(a, r));
          } else {
            add_term<Add>(sums + rank, product.term(a, r));
          }
        });
    sync_group<threads>();
    // Read again where wide values have the registers.
    const uint64_t place = (sizeof(T) > 4 ? a.row_starts[r] : start) + first;
#pragma unroll 1
    for (unsigned e = thread_index(); e < taken; e += threads) {
      T sum = sums[e];
      if constexpr (can_split) {
#pragma unroll 1
        for (unsigned n = 1; n < copies; ++n) sum = Add::combine(sum, sums[n * taken + e]);
      }
      static_cast<T*>(a.values)[place + e] = sum;
    }
    sync_group<threads>();
  }
}

}  // namespace cugrb
