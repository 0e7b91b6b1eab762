// Arguments of cuda/kernels/coo_build.h and mxv_coo.h: a matrix as a list of entries, sorted by row, then
// column.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/mxv.h"

namespace cugrb {

/// mxv_coo and mxv_coo_carries. `operands.matrix` has the columns, the values and both counts. Tile t covers
/// the entries from t * tile_entries on; its last row's sum is carried.
struct MxvCooArguments {
  MxvOperands operands;
  const void* rows = nullptr;  ///< entries
  uint64_t tiles = 0;
  void* carry_values = nullptr;  ///< tiles
  uint8_t* carry_has = nullptr;  ///< tiles
};

/// lengths_beyond, coo_rows, coo_beyond.
struct CooBuildArguments {
  CsrView csr;
  uint64_t threshold = 0;        ///< the first so many entries of every row are left out
  const void* starts = nullptr;  ///< rows + 1: where the rows' entries lie in the list
  uint64_t entries = 0;          ///< of the list
  void* lengths = nullptr;       ///< rows
  void* rows = nullptr;
  void* columns = nullptr;
  void* values = nullptr;
};

}  // namespace cugrb
