// One tile looks back over words that a test has written.
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/views/earlier_tiles.h"

namespace cugrb {

/// One block; its first warp looks back.
template <int>
CUGRB_KERNEL(256)
void earlier_tiles(EarlierTilesArguments a) {
  if (thread_index() >= 32) return;
  const uint64_t before = sum_of_earlier_tiles(a.sums, a.tile, a.own);
  if (thread_index() == 0) *a.before = before;
}

}  // namespace cugrb
