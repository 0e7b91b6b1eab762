// Arguments of cuda/kernels/gather_sample.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// What a sample of a matrix's entries, in the order of CSR, gathers from a vector. A window is about what a
/// block gathers while its L1 cache keeps what came first.
struct GatherCounts {
  static constexpr uint64_t window_entries = 512, most_windows = 512;
  static constexpr uint64_t warp_entries = 32;    ///< what one instruction gathers
  static constexpr uint64_t columns_a_line = 32;  ///< of 128 bytes, with operands of 4
  /// Columns of a sector of 32 bytes, with operands of 1, 4 and 8 bytes.
  static constexpr uint64_t sector_widths = 3, columns_a_sector[sector_widths] = {32, 8, 4};

  uint64_t entries = 0;
  uint64_t lines = 0;                    ///< distinct ones among a warp's entries, summed
  uint64_t sectors[sector_widths] = {};  ///< distinct ones among a window's entries, summed
};

struct GatherSampleArguments {
  const void* columns = nullptr;  ///< entries
  uint64_t entries = 0;
  uint64_t step = 1;  ///< one of so many windows is looked at
  GatherCounts* counts = nullptr;
};

}  // namespace cugrb
