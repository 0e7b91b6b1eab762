// MergePlan: the merge path of a matrix's rows and entries, cut into tiles (cuda/kernels/mxv_merge.h).
#pragma once
#include "src/formats/csr.h"

namespace cugrb::formats {

/// Where the merge path of rows and entries is cut into tiles of merge_tile_steps (cuda/views/mxv.h).
struct MergePlan {
  uint64_t tiles = 0;
  runtime::Buffer tile_rows;  ///< tiles + 1 positions, uint64_t
  size_t bytes() const { return tile_rows.bytes(); }
};

/// Reads the offsets alone. One launch; a binary search a tile.
MergePlan cut_merge_path(const Csr& rows);

}  // namespace cugrb::formats
