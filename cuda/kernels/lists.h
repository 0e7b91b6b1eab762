// Lists that threads of a grid fill, in no order.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

/// The next place of a list for each calling thread that `adds`, whose number is `*count`: one addition a
/// warp. All lanes of the warp call.
CUGRB_DEVICE uint64_t next_in_list(uint64_t* count, bool adds) {
  const unsigned adding = ballot(full_warp, adds);
  if (adding == 0) return 0;
  const unsigned first_lane = unsigned(lowest_bit(adding));
  uint64_t first = 0;
  if (lane_index() == first_lane) first = atomic_add(count, uint64_t(count_bits(adding)));
  return shuffle(full_warp, first, int(first_lane)) +
         uint64_t(count_bits(adding & ((1u << lane_index()) - 1)));
}

}  // namespace cugrb
