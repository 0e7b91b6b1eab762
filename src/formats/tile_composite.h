// Tile-composite: the most popular columns in tiles that fit shared memory, their rows packed into
// rectangular workloads; the entries of the other columns, the cold part, packed likewise by 32-bit places.
//
// After X. Yang, S. Parthasarathy and P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs:
// Implications for Graph Mining", VLDB 2011, sections 3.1-3.3. Columns are reordered by their number of
// entries, and the first ones cut into tiles (partial tiling). The rows of a tile are ranked by length and
// packed into workloads of about equal size, wide ones row-major, narrow ones column-major. What differs: a
// tile lives in shared memory and not in the texture cache. There is one size of workloads for all tiles, and
// longer rows are cut. A workload is 128 entries a step and as many steps as its longest row needs, and a
// row's lanes are one of 1, 4, 16, 32. Equations 1 to 5 are another formula. The paper's own construction
// stands in src/formats/tile_rectangles.h; docs/tile_composite.md has both side by side.
#pragma once
#include <vector>

#include "cuda/views/tile_composite.h"
#include "src/formats/column_popularity.h"

namespace cugrb::formats {

struct TileCompositeParameters {
  uint32_t tile_columns = 0;  ///< columns of a tile; 1 to 65535
  int tiles = 0;              ///< 1 to most_tiles
  uint64_t gathered = 0;      ///< columns that are reordered in front of the others, at least all tiles'
  /// Short rows are ranked by length within windows of so many: a warp stores the sums of neighbours at about
  /// the same time.
  uint64_t window_rows = 1 << 16;
  /// Longest workload of a tile, of the cold part, in steps: what decides how many lanes a row gets.
  uint32_t tile_steps = 16, cold_steps = 4;
  uint32_t blocks = 1;  ///< that share the tiles: as many as are resident at once
  uint32_t warps_of_block = 32;
  /// That share the cold part: the fewest (as many as are resident at once, unless there is less work), the
  /// most.
  uint32_t least_cold_warps = 1, most_cold_warps = 1;
};

/// Columns of operands of so many bytes that a tile holds on this device: shared memory, or 16-bit indices.
uint32_t tile_columns_for(size_t operand_bytes);
/// The same for a GPU whose blocks have so much shared memory.
uint32_t tile_columns_in(size_t shared_bytes_per_block, size_t operand_bytes);

/// bytes = padded entries * (value + 2 in a tile or 4 in the cold part) + 4 * (slots + rows + workloads
/// + cuts + gathered columns).
class TileComposite {
 public:
  /// Tiles suit the operands' size.
  struct Key {
    using Made = TileComposite;
    size_t operand_bytes;
    bool operator==(const Key&) const = default;
  };
  TileCompositeParameters parameters;
  Type type;
  uint64_t row_count = 0, column_count = 0;
  bool iso = false;
  uint64_t workloads = 0, steps = 0, cold_step = 0;  ///< of all parts; the cold part's first step
  std::vector<TileLayout> parts;                     ///< the tiles, then the cold part
  uint64_t share_count = 0;
  runtime::Buffer shares;                  ///< TileShare, one a block
  runtime::Buffer gathered_columns;        ///< uint32_t
  runtime::Buffer columns, cold_columns;   ///< cold_step * 128; (steps - cold_step) * 128
  runtime::Buffer values;                  ///< steps * 128
  runtime::Buffer step_offsets, cuts;      ///< TileCompositeView
  uint64_t slots = 0;                      ///< sums that the workloads give
  runtime::Buffer row_offsets, row_slots;  ///< TileCombineArguments
  uint64_t listed_slots = 0, long_count = 0;
  runtime::Buffer long_rows;

  TileCompositeView view() const;
  size_t bytes() const;
};

/// The columns by their numbers of entries (uint32_t each), most first, those of equal numbers ascending:
/// uint64_t each. A sort.
runtime::Buffer columns_in_order(const runtime::Buffer& counts, uint64_t columns);
/// Where each column of the matrix goes, uint32_t: the first `gathered` in that order, the others behind
/// them, at gathered + column. The first ones themselves, uint32_t, into `gathered_columns`. An atomic
/// addition an entry, and the sort. Throws Declined for 2^32 columns or more.
runtime::Buffer place_columns(const Csr& matrix, uint64_t gathered, runtime::Buffer& gathered_columns);

/// Throws Declined when rows, or columns + gathered, do not fit 32 bits. Two passes over the entries,
/// whatever the number of tiles, and a sort of the rows of each.
TileComposite make_tile_composite(const Csr& matrix, const TileCompositeParameters& parameters);

/// The same matrix by rows again (through the host; for tests and checks).
Csr to_csr(const TileComposite& matrix);
/// What is wrong with it; empty when nothing is (copies to the host).
std::string check(const TileComposite& matrix);

}  // namespace cugrb::formats
