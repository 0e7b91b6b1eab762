// The lanes that work on one thing together: some of a warp, a warp, or a block.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

struct warp_team {
  static constexpr unsigned lanes = warp_lanes;
  static CUGRB_DEVICE unsigned lane() { return lane_index(); }
  static CUGRB_DEVICE void sync() { sync_warp(full_warp); }
  static CUGRB_DEVICE bool any(bool predicate) { return any_lane(full_warp, predicate) != 0; }
  static CUGRB_DEVICE unsigned count(bool predicate) {
    return unsigned(count_bits(ballot(full_warp, predicate)));
  }
  /// Lanes before this one where it holds.
  static CUGRB_DEVICE unsigned rank(bool predicate) {
    return unsigned(count_bits(ballot(full_warp, predicate) & ((1u << lane_index()) - 1)));
  }
};

/// So many lanes of a warp, a power of two; the others work on things of their own.
template <unsigned width>
struct part_of_warp_team {
  static constexpr unsigned lanes = width;
  static CUGRB_DEVICE unsigned lane() { return lane_index() % width; }
  static CUGRB_DEVICE unsigned mask() { return ((1u << width) - 1) << (lane_index() - lane()); }
  static CUGRB_DEVICE void sync() { sync_warp(mask()); }
  static CUGRB_DEVICE bool any(bool predicate) { return any_lane(mask(), predicate) != 0; }
  static CUGRB_DEVICE unsigned count(bool predicate) {
    return unsigned(count_bits(ballot(mask(), predicate)));
  }
  /// Lanes of them before this one where it holds.
  static CUGRB_DEVICE unsigned rank(bool predicate) {
    return unsigned(count_bits(ballot(mask(), predicate) & ((1u << lane_index()) - 1)));
  }
};

/// A block of so many threads.
template <unsigned threads>
struct block_team {
  static constexpr unsigned lanes = threads;
  static CUGRB_DEVICE unsigned lane() { return thread_index(); }
  static CUGRB_DEVICE void sync() { sync_block(); }
  static CUGRB_DEVICE bool any(bool predicate) { return sync_block_or(predicate) != 0; }
  static CUGRB_DEVICE unsigned count(bool predicate) { return unsigned(sync_block_count(predicate)); }
  static CUGRB_DEVICE unsigned rank(bool predicate) {
    CUGRB_SHARED(unsigned, counts, threads / warp_lanes);
    const unsigned warp = thread_index() / warp_lanes, held = unsigned(warp_team::count(predicate));
    if (lane_index() == 0) counts[warp] = held;
    sync_block();
    unsigned before = warp_team::rank(predicate);
    for (unsigned w = 0; w < warp; ++w) before += counts[w];
    sync_block();
    return before;
  }
};

}  // namespace cugrb
