// Tile-composite as kernels see it, and the arguments of cuda/kernels/tile_composite_build.h and
// mxv_tile_composite.h. src/formats/tile_composite.h says what the format is.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/mask.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// A workload is a rectangle of 128 entries a step: 32 / lanes rows of `lanes` lanes each, 4 entries a lane.
/// Classes of rows by their length in a tile, in the order in which a tile's workloads are stored.
constexpr int tile_classes = 4;
constexpr int tile_class_lanes[tile_classes] = {32, 16, 4, 1};
/// Longest row of each class, and what follows from it. Longer ones than class 1's are cut into pieces of at
/// most longest[0], equal but for one entry.
struct TileRowClasses {
  uint32_t longest[tile_classes] = {};

  CUGRB_HOST_DEVICE bool is_long(uint32_t length) const { return length > longest[1]; }
  CUGRB_HOST_DEVICE int class_of(uint32_t length) const {
    return is_long(length) ? 0 : length > longest[2] ? 1 : length > longest[3] ? 2 : 3;
  }
  CUGRB_HOST_DEVICE uint32_t pieces_of(uint32_t length) const {
    return (length + longest[0] - 1) / longest[0];
  }
  CUGRB_HOST_DEVICE uint64_t begin_of_piece(uint32_t length, uint32_t piece) const {
    const uint32_t pieces = pieces_of(length);
    return (uint64_t(piece) * length + pieces - 1) / pieces;
  }
};
constexpr uint32_t tile_step_entries = 128;
/// The classes of workloads of at most so many steps: a row has the fewest lanes that are done with it by
/// then.
inline TileRowClasses row_classes_of(uint32_t most_steps) {
  TileRowClasses classes;
  for (int c = 0; c < tile_classes; ++c) classes.longest[c] = uint32_t(tile_class_lanes[c]) * 4 * most_steps;
  return classes;
}
/// A place of a workload that no entry takes.
constexpr uint16_t no_tile_column = 0xffffu;
constexpr uint32_t no_cold_column = 0xffffffffu;
constexpr int most_tiles = 14;

/// A tile's workloads of one class: workload w gives the sums slot_base + (w - first) * (32 / lanes) and
/// those after it, a row each (class 0: a piece).
struct TileWorkloads {
  uint64_t first = 0, last = 0;
  uint64_t slot_base = 0;
};
/// Where a warp's stretch of a class begins.
struct TileCut {
  uint32_t workload = 0, step = 0;
};
/// A tile, or (number == tiles) the cold part, and the warps that share it: warp g of class c takes the
/// workloads from cuts[first_cut + c * (warps + 1) + g] on.
struct TileLayout {
  uint32_t tile = 0, columns = 0;  ///< which; how many columns it has (0: the cold part)
  uint64_t first_cut = 0;
  uint32_t warps = 0;
  TileWorkloads classes[tile_classes];
};
/// What one block works on.
struct TileShare {
  TileLayout layout;
  uint32_t first_warp = 0;  ///< its first warp's number among those that share the tile
};

struct TileCompositeView {
  const uint16_t* columns = nullptr;       ///< of the tiles' steps: column in the tile, or no_tile_column
  const uint32_t* cold_columns = nullptr;  ///< of the cold part's steps: place, or no_cold_column
  const void* values = nullptr;            ///< of all steps, unless iso
  const uint32_t* step_offsets = nullptr;  ///< workloads + 1: first step of each, in steps of 128 entries
  const TileCut* cuts = nullptr;
  uint32_t tile_columns = 0;
  uint32_t cold_step = 0;  ///< the cold part's first step
};

/// tile_gather: u as the tiles want it, cast to the operand's type: the gathered columns, then (where u has
/// another type) all.
struct TileGatherArguments {
  static constexpr unsigned threads = 256, each = 4;  ///< of a block; places of a thread
  static constexpr uint64_t block_places = threads * each;
  VectorView vector;
  const uint32_t* gathered_columns = nullptr;
  uint64_t gathered = 0;
  uint64_t copied = 0;  ///< 0 or the vector's length: how much of u follows
  void* reordered = nullptr;
};

struct MxvTileCompositeArguments {
  TileCompositeView matrix;
  const void* reordered = nullptr;    ///< tile_gather's result
  const void* others = nullptr;       ///< all of u, of the operand's type
  uint32_t popular = 0;               ///< how many places `reordered` has
  const TileShare* shares = nullptr;  ///< one a block (tiles)
  TileLayout cold;                    ///< what all blocks share (cold part)
  void* sums = nullptr;               ///< by slot: a row's sum in a part, or a piece's
};

/// tile_combine: T from what the tiles and the cold part give. Row i has the sums of the slots
/// row_slots[row_offsets[i]] up to row_slots[row_offsets[i + 1]].
struct TileCombineArguments {
  MaskView mask;
  VectorView result;
  const void* sums = nullptr;  ///< by slot
  const uint32_t* row_offsets = nullptr;
  const uint32_t* row_slots = nullptr;
  const uint32_t* long_rows = nullptr;  ///< rows of more than most_row_slots slots, ascending
  uint64_t long_count = 0;
  uint64_t rows = 0;
};
/// Rows with more slots get a warp.
constexpr uint32_t most_row_slots = 32;

// ---- construction
// -------------------------------------------------------------------------------------------

struct TileColumnsArguments {
  CsrView matrix;
  const uint32_t* counts = nullptr;  ///< columns: entries of each
  uint32_t* keys = nullptr;  ///< columns: the counts, complemented (an ascending sort puts the largest first)
  uint64_t* payload = nullptr;  ///< columns
  uint64_t gathered = 0;
  uint32_t* gathered_columns = nullptr;
  uint32_t* places = nullptr;  ///< columns: rank below `gathered`, else gathered + column
};

/// One tile's rows, or (tile == tiles) the cold part.
struct TileRowsArguments {
  CsrView matrix;
  const uint32_t* places = nullptr;  ///< by column
  uint32_t tile_columns = 0;
  int tiles = 0, tile = 0;
  TileRowClasses classes;               ///< this part's
  uint32_t* lengths = nullptr;          ///< (tiles + 1) * rows
  uint8_t* flags = nullptr;             ///< rows
  const uint64_t* positions = nullptr;  ///< rows with few entries in the tile, ascending
  uint64_t count = 0;
  uint64_t window_rows = 0;
  uint64_t* keys = nullptr;
  uint64_t* class_counts = nullptr;            ///< tile_classes
  const uint64_t* sorted_rows = nullptr;       ///< count: by class, window and length
  TileLayout layout;                           ///< the tile's workloads
  uint64_t first_of_class[tile_classes] = {};  ///< in sorted_rows
  uint32_t* slot_counts = nullptr;             ///< rows: slots of each, so far
  const uint32_t* row_offsets = nullptr;       ///< rows + 1
  uint32_t* row_slots = nullptr;               ///< TileCombineArguments
  uint32_t* steps = nullptr;                   ///< workloads
};

/// A long row in a part: its pieces' slots are consecutive.
struct TileLongRow {
  uint32_t row = 0, tile = 0;
  uint64_t first_slot = 0;
  uint32_t length = 0;
};

/// A part's sorted rows and its long ones.
struct TileSlotsArguments {
  TileRowsArguments rows;
  const TileLongRow* long_rows = nullptr;
  uint64_t long_count = 0;
};

/// All entries of all parts.
struct TileFillArguments {
  CsrView matrix;
  const uint32_t* places = nullptr;  ///< by column
  uint32_t tile_columns = 0;
  int tiles = 0;
  TileRowClasses tile_rows, cold_rows;
  const uint32_t* lengths = nullptr;  ///< (tiles + 1) * rows
  const TileLayout* parts = nullptr;  ///< tiles + 1
  const uint32_t* step_offsets = nullptr;
  const uint32_t* row_offsets = nullptr;
  const uint32_t* row_slots = nullptr;
  uint32_t cold_step = 0;
  uint16_t* columns = nullptr;
  uint32_t* cold_columns = nullptr;
  void* values = nullptr;
};

/// Where the warps that share a tile begin.
struct TileCutsArguments {
  TileLayout layout;
  const uint32_t* step_offsets = nullptr;
  TileCut* cuts = nullptr;
};

}  // namespace cugrb
