// Arguments of the matrix-vector kernels: cuda/kernels/mxv_*.h and vxm_push.h.
#pragma once
#include "cuda/views/counted.h"
#include "cuda/views/csr.h"
#include "cuda/views/l2_policy.h"
#include "cuda/views/mask.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// What every matrix-vector kernel reads and writes. `result` is full (values) or bitmap (values and
/// present), of the monoid's type; positions that the mask does not allow get no entry.
struct MxvOperands {
  CsrView matrix;
  VectorView vector;
  MaskView mask;
  VectorView result;
  uint64_t policy = l2_evict_first;  ///< for what is read of the matrix
};

/// mxv_rows: the first `long_count` blocks take one row of `long_rows` each, the others the rest.
struct MxvRowsArguments {
  MxvOperands operands;
  const uint64_t* long_rows = nullptr;  ///< positions of the rows that are longer than `longest_short`
  uint64_t long_count = 0;
  uint64_t longest_short = 0;
  CountedArguments counted;  ///< of the result's entries, where it is a bitmap
};

/// Steps of the merge path that a warp of mxv_merge takes a lane, and all together: a tile. (H200: 8 a lane
/// are as fast for FP32 and up to 25 % slower for FP64; they need 56 registers.)
constexpr int merge_items = 4;
constexpr uint64_t merge_tile_steps = 32 * merge_items;

/// mxv_merge and mxv_merge_carries. Tile t covers the merge path from diagonal t * merge_tile_steps to the
/// next.
struct MxvMergeArguments {
  MxvOperands operands;
  const uint64_t* tile_rows = nullptr;  ///< tiles + 1: rows that end before each tile's first diagonal
  uint64_t tiles = 0;
  void* heads = nullptr;        ///< tiles: the sum in the tile of the row that began before it and ends in it
  void* tails = nullptr;        ///< tiles: of the row that goes on in the next tile
  uint8_t* head_has = nullptr;  ///< tiles: whether there was a term; not used where every entry has one
  uint8_t* tail_has = nullptr;  ///< tiles
};

/// vxm_push_begin and vxm_push. The matrix's rows are those that the vector's positions select.
struct VxmPushArguments {
  MxvOperands operands;
  void* edge_starts = nullptr;  ///< vector.entries + 1: first the rows' lengths, then their exclusive sum
  /// Of dynamic CSR: cuda/views/dcsr.h.
  const void* sizes = nullptr;
  const void* segments = nullptr;
  uint64_t pitch = 0, slots = 0;
};

/// list_long_rows, merge_tile_rows (cuda/kernels/mxv_profile.h).
struct MxvProfileArguments {
  const void* offsets = nullptr;
  uint64_t rows = 0, entries = 0;
  uint64_t longest_short = 0;
  uint64_t* long_rows = nullptr;  ///< positions of longer rows
  uint64_t* listed = nullptr;     ///< how many of them, from zero
  uint64_t* tile_rows = nullptr;  ///< tiles + 1
  uint64_t tiles = 0;
};

}  // namespace cugrb
