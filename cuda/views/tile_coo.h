// Arguments of cuda/kernels/tile_coo_build.h. src/formats/tile_coo.h says what the format is.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct TileCooBuildArguments {
  CsrView matrix;
  const uint32_t* places =
      nullptr;  ///< by column: its rank when it is in a tile, else `tiles * tile_columns` or more
  uint32_t tile_columns = 0, tiles = 0;
  uint32_t* parts = nullptr;      ///< by entry of the matrix: the tile of its column, `tiles` for none
  uint64_t* positions = nullptr;  ///< entries: 0, 1, 2, ...

  const uint64_t* sorted = nullptr;  ///< one part's entries: their positions in the matrix
  uint64_t entries = 0;              ///< of that part
  const uint32_t* rows = nullptr;    ///< by entry of the matrix
  uint32_t* part_rows = nullptr;
  void* part_columns = nullptr;
  void* part_values = nullptr;
};

}  // namespace cugrb
