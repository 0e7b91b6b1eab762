// Arguments of cuda/kernels/full_pattern.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

struct FullPatternArguments {
  uint64_t rows = 0, columns = 0;
  void* offsets = nullptr;         ///< rows + 1
  void* column_indices = nullptr;  ///< rows * columns
};

}  // namespace cugrb
