// What a kernel tells the host by itself (cuda/kernels/post.h): a few bytes, and then a number that the host
// watches.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

struct PostView {
  void* to = nullptr;  ///< the host's memory; null: nobody waits
  uint64_t* arrived = nullptr;
  uint64_t number = 0;  ///< *arrived becomes that
};

/// At `to`, at most.
constexpr unsigned most_post_bytes = 48;

}  // namespace cugrb
