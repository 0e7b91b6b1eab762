// A short list's flagged entries, their number sent to the host: what select_flagged (cuda/primitives) does
// with indices and with values, in one launch.
#pragma once
#include "cuda/kernels/post.h"
#include "cuda/views/compact.h"

namespace cugrb {

/// One block. Positions keep their order. O(count / 256).
template <class Element, class Index, bool has_values>
CUGRB_KERNEL(256)
void compact_few(CompactArguments a) {
  constexpr unsigned warps = 256 / 32;
  CUGRB_SHARED(uint32_t, kept_by, warps);
  const unsigned warp = thread_index() / 32;
  uint64_t kept = 0;
  for (uint64_t first = 0; first < a.count; first += 256) {
    const uint64_t p = first + thread_index();
    const bool keeps = p < a.count && a.flags[p] != 0;
    const unsigned bits = ballot(full_warp, keeps);
    if (lane_index() == 0) kept_by[warp] = uint32_t(count_bits(bits));
    sync_block();
    uint64_t place = kept + uint64_t(count_bits(bits & ((1u << lane_index()) - 1u)));
    for (unsigned w = 0; w < warps; ++w) {
      if (w < warp) place += kept_by[w];
      kept += kept_by[w];
    }
    if (keeps) {
      static_cast<Index*>(a.kept_indices)[place] = static_cast<const Index*>(a.indices)[p];
      if constexpr (has_values)
        static_cast<Element*>(a.kept_values)[place] = static_cast<const Element*>(a.values)[p];
    }
    sync_block();
  }
  if (thread_index() != 0) return;
  relaxed_store(a.kept, kept);
  if (is_awaited(a.post)) tell_host(a.post);
}

}  // namespace cugrb
