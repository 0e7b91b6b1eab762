// Arguments of cuda/kernels/earlier_tiles.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

struct EarlierTilesArguments {
  uint64_t* sums;    ///< a word for each tile (cuda/kernels/look_back.h)
  uint64_t tile;     ///< the calling one
  uint64_t own;      ///< what it adds
  uint64_t* before;  ///< becomes the sum of the tiles before it
};

}  // namespace cugrb
