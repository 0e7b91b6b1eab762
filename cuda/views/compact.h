// Arguments of cuda/kernels/compact.h.
#pragma once
#include "cuda/views/post.h"

namespace cugrb {

/// A list of entries of which the flagged ones are kept.
struct CompactArguments {
  const uint8_t* flags = nullptr;
  const void* indices = nullptr;
  const void* values = nullptr;
  uint64_t count = 0;
  void* kept_indices = nullptr;
  void* kept_values = nullptr;
  uint64_t* kept = nullptr;  ///< how many they are
  PostView post;             ///< awaited where that lies there
};

}  // namespace cugrb
