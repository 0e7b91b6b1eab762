// A bit for each item of a tile, and how many come before it.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

/// A bit for each item of a tile, and the bits before each word.
template <unsigned capacity>
struct counted_bits {
  static constexpr unsigned of_word = 32,
                            most_words = (capacity + of_word - 1) / of_word + 1,  ///< one behind the last
      room = most_words + 32;  ///< and what a block asks for behind the items, of which none has a bit
  struct alignas(8) word {
    uint32_t bits, before;
  };
  word* words;

  /// No bits. Called by all threads, which pass a barrier before the first add() or set().
  CUGRB_DEVICE void clear() const {
    if (thread_index() < room) words[thread_index()].bits = 0;
  }
  /// Sets the bits of `added`, the lowest of which is that of item n.
  CUGRB_DEVICE void add(unsigned n, uint32_t added) const {
    const uint64_t both = uint64_t(added) << n % of_word;
    atomic_or(&words[n / of_word].bits, uint32_t(both));
    if (both >> of_word != 0) atomic_or(&words[n / of_word + 1].bits, uint32_t(both >> of_word));
  }

  /// Whether bit `n` of that word is set, and the bits before it.
  CUGRB_DEVICE bool has(unsigned w, unsigned n, unsigned& rank) const {
    const word at = words[w];
    const uint32_t bit = 1u << n;
    rank = at.before + unsigned(count_bits(at.bits & (bit - 1)));
    return (at.bits & bit) != 0;
  }
  /// Bits before that of item n.
  CUGRB_DEVICE unsigned rank(unsigned n) const {
    unsigned before;
    has(n / of_word, n % of_word, before);
    return before;
  }
  /// The word of which each lane has a bit.
  CUGRB_DEVICE void set(unsigned w, bool bit) const {
    const unsigned bits = ballot(full_warp, bit);
    if (lane_index() == 0) words[w].bits = bits;
  }
  /// Counts those of `items` items, and gives their sum. Called by a whole warp.
  CUGRB_DEVICE uint32_t count(unsigned items) const {
    constexpr unsigned of_lane = 4;
    static_assert(most_words <= of_lane * warp_lanes + 1, "a warp looks at all words");
    const unsigned used = (items + of_word - 1) / of_word;
    uint32_t counts[of_lane], sum = 0;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      counts[k] = w < used ? unsigned(count_bits(words[w].bits)) : 0;
      sum += counts[k];
    }
    const uint32_t own = sum;
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const uint32_t other = shuffle_up(full_warp, sum, delta);
      if (lane_index() >= delta) sum += other;
    }
    uint32_t here = sum - own;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      if (w <= used) words[w].before = here;
      here += counts[k];
    }
    return shuffle(full_warp, sum, 31);
  }
};

}  // namespace cugrb
