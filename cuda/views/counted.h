// How a kernel counts the entries that it stores, and tells the host: cuda/kernels/counted.h.
#pragma once
#include "cuda/views/post.h"

namespace cugrb {

struct CountedArguments {
  uint64_t* sum = nullptr;  ///< 0 before the launch, and after it; null: nobody counts
  PostView post;            ///< the number, of 64 bits
  static constexpr unsigned bits_of_blocks = 24;
  static constexpr uint64_t most_blocks = (uint64_t(1) << bits_of_blocks) - 1;
};

}  // namespace cugrb
