// How a tile-composite's rows are laid out in workloads, and how blocks share these: numbers alone.
// tile_composite.cpp finds the rows before, and fills the workloads behind.
#pragma once
#include "src/formats/tile_composite.h"

namespace cugrb::formats {

/// One tile, or the cold part, between counting and filling.
struct TileRows {
  uint64_t count = 0;      ///< rows that are not cut into pieces
  runtime::Buffer sorted;  ///< they, by class, window and length; uint64_t
  std::vector<uint64_t> class_counts;
  std::vector<TileLongRow> long_rows;
  runtime::Buffer long_list;  ///< the same on the device
};

/// Part t is the cold one, the last.
inline bool is_cold(const TileComposite& made, size_t t) { return t == size_t(made.parameters.tiles); }
TileRowClasses classes_of(const TileComposite& made, size_t t);

/// Numbers the workloads and their rows' slots: part by part, class by class. Sets `parts`, `workloads` and
/// `slots`, and each long row's first slot. O(long rows).
void lay_out(TileComposite& made, std::vector<TileRows>& parts);

/// Steps of the long rows' pieces, in their order.
std::vector<uint32_t> steps_of_pieces(const std::vector<TileLongRow>& rows, const TileRowClasses& classes);

/// A part's first step, when `step_offsets` are there. Waits for it.
uint64_t first_step_of(const TileComposite& made, size_t t);

/// Who works on what: each part's warps and where their cuts begin, the cuts, a share for each block. `made`
/// has all its steps. A launch a part.
void share_out(TileComposite& made, const std::vector<TileRows>& parts);

}  // namespace cugrb::formats
