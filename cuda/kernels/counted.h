// The number of entries that a launch stores, counted by the launch itself: an addition a block to one word,
// whose low bits count the blocks. The block that comes last tells the host, and leaves the word 0 for the
// next launch.
#pragma once
#include "cuda/kernels/post.h"
#include "cuda/views/counted.h"

namespace cugrb {

/// All threads of the launch call it once, at their end: `stored` is whether the calling one has stored an
/// entry.
CUGRB_DEVICE void count_stored(const CountedArguments& counted, bool stored) {
  if (counted.sum == nullptr) return;
  const uint64_t mine = uint64_t(sync_block_count(stored));
  if (thread_index() != 0) return;
  const uint64_t before = atomic_add(counted.sum, (mine << CountedArguments::bits_of_blocks) + 1);
  if ((before & CountedArguments::most_blocks) + 1 != grid_blocks()) return;
  relaxed_store(counted.sum, uint64_t(0));
  relaxed_store(static_cast<uint64_t*>(counted.post.to), (before >> CountedArguments::bits_of_blocks) + mine);
  tell_host(counted.post);
}

}  // namespace cugrb
