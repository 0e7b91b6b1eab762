// The shape of launches whose blocks take a tile of entries each. Host and kernels share it.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

struct EntryTile {
  static constexpr unsigned threads = 256;  ///< of a block
  static constexpr uint64_t entries = 1024;
};

}  // namespace cugrb
