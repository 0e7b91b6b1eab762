// Sums of rows that go on from thread to thread of a block, and from tile to tile. The kernels on lists of
// entries and on the blocked format carry them; they are added up in a fixed order.
#pragma once
#include "cuda/kernels/mxv_operands.h"

namespace cugrb {

/// Inclusive scan step of (sum, a row ended in it): `left` comes before `right`.
template <class Add, class T>
CUGRB_DEVICE void join_tails(const partial<T>& left, bool left_ended, partial<T>& right, bool& right_ended) {
  if (!right_ended) {
    partial<T> joined = left;
    add_partial<Add>(joined, right);
    right = joined;
  }
  right_ended = right_ended || left_ended;
}

/// What all threads before this one carry into it; `total` (in the last thread): what the block of so many
/// warps carries out.
template <class Add, int warps_of_block = 8, class T>
CUGRB_DEVICE partial<T> carry_in(const partial<T>& tail, bool ended, partial<T>& total) {
  CUGRB_SHARED(partial<T>, warp_tails, warps_of_block);
  CUGRB_SHARED(bool, warp_ended, warps_of_block);
  const unsigned lane = lane_index(), warp = thread_index() / 32;
  partial<T> sum = tail;
  bool any_ended = ended;
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    partial<T> left;
    left.value = shuffle_up(full_warp, sum.value, delta);
    left.has = shuffle_up(full_warp, sum.has, delta);
    const bool left_ended = shuffle_up(full_warp, any_ended, delta);
    if (lane >= delta) join_tails<Add>(left, left_ended, sum, any_ended);
  }
  if (lane == 31) {
    warp_tails[warp] = sum;
    warp_ended[warp] = any_ended;
  }
  partial<T> before;
  before.value = shuffle_up(full_warp, sum.value, 1);
  before.has = shuffle_up(full_warp, sum.has, 1);
  bool before_ended = shuffle_up(full_warp, any_ended, 1);
  if (lane == 0) {
    before = no_terms<T>();
    before_ended = false;
  }
  sync_block();
  partial<T> warps = no_terms<T>();
  bool warps_ended = false;
  for (unsigned w = warp; w > 0 && !warps_ended; --w) {  // back to the last one in which a row ended
    partial<T> left = warp_tails[w - 1];
    warps_ended = warp_ended[w - 1];
    add_partial<Add>(left, warps);
    warps = left;
  }
  join_tails<Add>(warps, warps_ended, before, before_ended);
  bool through_ended = ended;
  total = tail;
  join_tails<Add>(before, false, total, through_ended);
  return before;
}

/// The sum of a run of carries to one row, by a warp, in its first lane: those from `last` on for which
/// inside(t) holds. `last`: afterwards, the first after the run.
template <class Add, class T, class Inside>
CUGRB_DEVICE partial<T> sum_carries(const T* values, const uint8_t* has, uint64_t& last, Inside inside) {
  partial<T> sum = no_terms<T>();
  while (true) {
    const uint64_t t = last + lane_index();
    const bool member = inside(t);
    if (member && has[t] != 0) add_term<Add>(sum, values[t]);
    const unsigned members = ballot(full_warp, member);
    last += uint64_t(count_bits(members));
    if (members != full_warp) return sum_over_lanes<Add, 32>(full_warp, sum);
  }
}

}  // namespace cugrb
