// How much of a vector a matrix's neighbouring entries gather together.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/gather_sample.h"

namespace cugrb {

/// A set of numbers below 2^64 - 1 in shared memory: open addressing, twice as many slots as numbers.
struct number_set {
  static constexpr unsigned slot_bits = 12, slots = 1u << slot_bits;
  static constexpr uint64_t none = ~uint64_t(0);
  uint64_t* numbers;

  CUGRB_DEVICE void clear() const {
    for (unsigned s = thread_index(); s < slots; s += 256) numbers[s] = none;
  }
  /// Whether it was not there yet: true for one of all that insert the same number.
  CUGRB_DEVICE bool insert(uint64_t number) const {
    unsigned slot = unsigned(number * 0x9e3779b97f4a7c15u >> (64 - slot_bits));
    for (;; slot = (slot + 1) % slots) {
      const uint64_t found = atomic_compare_and_swap(&numbers[slot], none, number);
      if (found == none) return true;
      if (found == number) return false;
    }
  }
};

/// Adds what every `step`-th window of entries gathers into *counts (zeros at first). A block of 256 threads
/// a window.
template <class Column>
CUGRB_KERNEL(256)
void gather_sample(GatherSampleArguments a) {
  constexpr uint64_t widths = GatherCounts::sector_widths, kinds = widths + 1;
  constexpr uint64_t warps = GatherCounts::window_entries / GatherCounts::warp_entries;
  static_assert(GatherCounts::window_entries * kinds * 2 <= number_set::slots, "the set fills up");
  CUGRB_SHARED(uint64_t, numbers, number_set::slots);
  CUGRB_SHARED(uint32_t, found, kinds + 1);  // of each kind; entries. Few blocks' atomics meet in *counts
  const number_set seen{numbers};
  seen.clear();
  if (thread_index() <= kinds) found[thread_index()] = 0;
  sync_block();
  const uint64_t begin = block_index() * a.step * GatherCounts::window_entries;
  const auto add = [&](uint64_t kind, bool counts) {
    const uint32_t lanes = uint32_t(count_bits(ballot(full_warp, counts)));
    if (lane_index() == 0 && lanes > 0) atomic_add(&found[kind], lanes);
  };
  for (uint64_t e = thread_index(); e < GatherCounts::window_entries; e += 256) {
    const bool entry = begin + e < a.entries;
    const uint64_t column = entry ? uint64_t(static_cast<const Column*>(a.columns)[begin + e]) : 0;
    // Numbers of one kind are those that leave its remainder; lines are told apart by warp. Unrolled:
    // divisors are constants then.
#pragma unroll
    for (uint64_t kind = 0; kind < kinds; ++kind) {
      const uint64_t place =
          kind < widths ? column / GatherCounts::columns_a_sector[kind]
                        : column / GatherCounts::columns_a_line * warps + e / GatherCounts::warp_entries;
      add(kind, entry && seen.insert(place * kinds + kind));
    }
    add(kinds, entry);
  }
  sync_block();
  const uint64_t n = thread_index();
  if (n > kinds) return;
  uint64_t* total = n < widths ? &a.counts->sectors[n] : n == widths ? &a.counts->lines : &a.counts->entries;
  atomic_add(total, uint64_t(found[n]));
}

}  // namespace cugrb
