// Arguments of cuda/kernels/loaded_parts.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Two parts of an array, loaded twice to places that lie as `shift` says, and stored one behind the other.
struct LoadedPartsArguments {
  const void* values = nullptr;
  uint32_t first = 0, first_count = 0, second = 0, second_count = 0;
  uint32_t shift = 0;  ///< added to where the parts are to lie: 0 for those that are copied as a whole
  void* loaded = nullptr;
};

}  // namespace cugrb
