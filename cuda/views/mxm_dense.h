// Arguments of cuda/kernels/mxm_dense.h and mxm_dense_push.h.
#pragma once
#include "cuda/views/mxv.h"

namespace cugrb {

/// mxm_dense_pack, mxm_dense_pack_mask: a matrix of few columns by its rows, or of few rows by those.
struct MxmDensePackArguments {
  CsrView matrix;
  uint64_t vectors = 0;        ///< how many the few are
  void* values = nullptr;      ///< positions * vectors
  uint8_t* present = nullptr;  ///< the same; zero before
};

/// mxm_dense, mxm_dense_push_begin, mxm_dense_push. In the operands' vector, mask and result place
/// i * vectors + r is position i of vector r.
struct MxmDenseArguments {
  MxvOperands operands;
  uint64_t vectors = 0;
  const uint64_t* long_rows = nullptr;  ///< mxm_dense: the rows that the first `long_count` blocks take
  uint64_t long_count = 0;
  uint64_t longest_short = 0;
  void* edge_starts = nullptr;  ///< push: matrix.rows + 1: first the lengths of the rows that some vector
                                ///< selects, then their exclusive sum
};

/// mxm_dense_turn: from place i * vectors + r to place r * positions + i.
struct MxmDenseTurnArguments {
  const void* values = nullptr;
  const uint8_t* present = nullptr;
  uint64_t positions = 0, vectors = 0;
  void* turned_values = nullptr;
  uint8_t* turned_present = nullptr;
};

/// mxm_dense_rows: places of a dense matrix that have an entry, as a pattern by rows.
struct MxmDenseRowsArguments {
  const void* places = nullptr;  ///< entries, ascending: row * columns_count + column
  uint64_t entries = 0, rows = 0, columns_count = 0;
  void* offsets = nullptr;  ///< rows + 1
  void* columns = nullptr;  ///< entries
};

}  // namespace cugrb
