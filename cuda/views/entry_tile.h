// The shape of launches whose blocks take a tile of entries each. Host and kernels share it.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

struct EntryTile {
  static constexpr unsigned threads = 256;  ///< of a block
  static constexpr uint64_t entries = 1024;
  /// Of blocks that only move entries: to find a tile's rows takes as long as to move some thousands.
  static constexpr uint64_t moved_entries = 4096;
};

}  // namespace cugrb
