// Arguments of cuda/kernels/length_distribution.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Lengths below `bins` are counted in shared memory, the others listed.
struct LengthHistogramShape {
  static constexpr uint64_t bins = 4096;
};

struct LengthHistogramArguments {
  const void* lengths = nullptr;  ///< rows + 1 offsets, or rows lengths: the specialisation knows which
  uint64_t rows = 0;
  uint64_t* counters = nullptr;  ///< bins + 1: rows of each length below `bins`, then rows of any other
  uint64_t* longer = nullptr;    ///< the lengths of those, in no order
};

struct CountColumnsArguments {
  const void* columns = nullptr;  ///< entries
  uint64_t entries = 0;
  void* counts = nullptr;  ///< a counter a column
};

}  // namespace cugrb
