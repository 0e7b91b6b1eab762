// Arguments of cuda/kernels/reduce.h.
#pragma once
#include "cuda/views/vector.h"

namespace cugrb {

struct ReduceArguments {
  VectorView input;
  uint64_t count = 0;      ///< positions (full, bitmap) or entries (sparse)
  void* values = nullptr;  ///< one partial result a block, of the monoid's type
  uint8_t* has = nullptr;  ///< and whether it had any entry to start from
};

/// Shape of the first launch; fixed by `count` alone, so that the order of combination is, too.
struct ReduceShape {
  static constexpr unsigned threads = 256;
  static constexpr uint64_t items_per_thread = 16;
  static constexpr uint64_t most_blocks = 1024;
  static constexpr uint64_t in_order = 32;  ///< positions that are combined from the first to the last
};

}  // namespace cugrb
