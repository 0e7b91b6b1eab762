// Arguments of cuda/kernels/matrix_parts.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

/// part_lengths, part_entries: rows and columns of `from` that follow each other.
struct MatrixPartArguments {
  CsrView from;
  uint64_t row = 0, rows = 0;        ///< of the part; those beyond `from` are empty
  uint64_t column = 0, columns = 0;  ///< the same
  void* offsets = nullptr;           ///< rows + 1: of the part; first its rows' lengths
  void* begins = nullptr;            ///< rows: the first entry of each in `from`
  uint64_t entries = 0;              ///< of the part
  void* out_columns = nullptr;
  void* out_values = nullptr;  ///< not written when iso
};

/// tile_lengths, tile_entries: a tile of a larger matrix.
struct MatrixTileArguments {
  CsrView tile;
  uint64_t row = 0, column = 0;  ///< of the tile's first entry in the whole
  void* offsets = nullptr;       ///< of the whole; first its rows' lengths
  void* before = nullptr;        ///< tile.rows: entries of each row in the tiles before this one
  void* out_columns = nullptr;
  void* out_values = nullptr;  ///< not written when iso
};

/// line_offsets: those of a matrix in which row `row` has another length.
struct MatrixLineOffsetsArguments {
  CsrView from;
  uint64_t row = 0, length = 0;
  void* offsets = nullptr;  ///< from.rows + 1
};

}  // namespace cugrb
