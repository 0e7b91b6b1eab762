// Arguments of cuda/kernels/convert.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

struct ConvertArguments {
  const void* in = nullptr;
  const void* indices = nullptr;
  void* out = nullptr;
  uint8_t* present = nullptr;
  uint64_t count = 0;  ///< elements
  uint64_t shift = 0;  ///< added to every index (shift_indices)
};

}  // namespace cugrb
