// Arguments of cuda/kernels/dcsr_select.h: some entries of a dynamic CSR become a CSR, or a vector.
#pragma once
#include "cuda/views/dcsr.h"
#include "cuda/views/scalar.h"

namespace cugrb {

/// Of 32 entries, counted through all rows in the order in which these hold them.
struct KeptWord {
  uint32_t bits = 0;    ///< which of them are kept
  uint32_t before = 0;  ///< those of the tile's entries before these that are
};

struct DcsrSelectArguments {
  DcsrView dcsr;
  const void* offsets = nullptr;        ///< rows + 1: the entries before each row
  uint64_t entries = 0;                 ///< of dcsr
  const uint64_t* tile_rows = nullptr;  ///< a row for each tile of entries, and one more
  ScalarView thunk;
  KeptWord* kept = nullptr;    ///< of each tile as many as it has entries for
  uint64_t* before = nullptr;  ///< tiles + 1: kept entries of the tiles before each
  /// Zeroed first: tiles that have begun, and a word for each of them (cuda/kernels/look_back.h).
  uint64_t* tiles = nullptr;
  void* new_offsets = nullptr;  ///< rows + 1: of the result
  void* columns = nullptr;
  void* values = nullptr;  ///< not written when iso
};

/// dcsr_search_column.
struct DcsrLineArguments {
  DcsrView dcsr;
  uint64_t column = 0;
  uint8_t* present = nullptr;  ///< rows
  void* values = nullptr;      ///< rows; not written when iso
};

}  // namespace cugrb
