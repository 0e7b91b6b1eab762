// Arguments of cuda/kernels/reduce.h.
#pragma once
#include "cuda/views/post.h"
#include "cuda/views/vector.h"

namespace cugrb {

struct ReduceArguments {
  VectorView input;
  uint64_t count = 0;      ///< positions (full, bitmap) or entries (sparse)
  void* values = nullptr;  ///< one partial result a block, of the monoid's type
  uint8_t* has = nullptr;  ///< and whether it had any entry to start from
  void* result = nullptr;  ///< of several blocks: what their partial results come to
  uint8_t* result_has = nullptr;
  uint32_t* blocks_done = nullptr;  ///< of several blocks: 0 before the launch, and after it
  PostView post;                    ///< awaited where the result lies there
};

/// Shape of the launch; fixed by `count` alone, so that the order of combination is, too.
struct ReduceShape {
  static constexpr unsigned threads = 256;
  static constexpr uint64_t items_per_thread = 16;
  static constexpr uint64_t most_blocks = 1024;
  static constexpr uint64_t in_order = 32;  ///< positions that are combined from the first to the last

  static constexpr uint64_t blocks(uint64_t count) {
    constexpr uint64_t share = threads * items_per_thread;
    const uint64_t wanted = (count + share - 1) / share;
    return wanted < most_blocks ? wanted : most_blocks;
  }
};

}  // namespace cugrb
