// The paper's tiles of packed rows as kernels see them. src/formats/tile_rectangles.h says what the format
// is.
#pragma once
#include "cuda/views/mask.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// A workload: its places begin at `start`, and its rows at `first_row` of all packed rows.
struct TileRectangle {
  uint64_t start = 0, first_row = 0;
  uint32_t rows = 0;               ///< that hold entries
  uint32_t width = 0, height = 0;  ///< by rows when width >= height, else by columns
};
/// A place that no entry takes.
constexpr uint32_t no_rectangle_column = 0xffffffffu;

/// mxv_tile_rectangles: the workloads [first, first + count).
struct MxvTileRectanglesArguments {
  const TileRectangle* workloads = nullptr;
  uint64_t first = 0, count = 0;
  const uint32_t* rows = nullptr;     ///< by packed row: which
  const uint32_t* columns = nullptr;  ///< by place: rank of the column, or no_rectangle_column
  const void* values = nullptr;       ///< by place, or one
  const void* reordered = nullptr;    ///< u by rank, as the multiply operator takes it
  MaskView mask;
  VectorView result;  ///< a bitmap
};

}  // namespace cugrb
