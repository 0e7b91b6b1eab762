// TileCoo: the most popular columns cut into tiles, a list of entries for each and one for the other columns.
//
// After X. Yang, S. Parthasarathy and P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs:
// Implications for Graph Mining", VLDB 2011, section 3.1 (TILE-COO). Columns are ordered by their number of
// entries and the first ones cut into tiles. Every tile is a COO matrix whose operands fit the cache that its
// loads go through (there the texture cache, here L1).
#pragma once
#include <vector>

#include "src/formats/coo.h"
#include "src/formats/tile_composite.h"

namespace cugrb::formats {

/// bytes() = entries * (4 + column + value) + 4 * gathered; a column index takes 4 bytes in a tile, else as
/// in the CSR; value 0 when iso.
class TileCoo final : public SparseShape {
 public:
  /// What DeviceMatrix::derived keeps it by.
  struct Key {
    using Made = TileCoo;
    uint32_t tile_columns;
    bool operator==(const Key&) const = default;
  };
  explicit TileCoo(const SparseShape& shape) : SparseShape(shape) {}
  uint32_t tile_columns = 0;
  uint64_t gathered = 0;             ///< columns in tiles
  runtime::Buffer gathered_columns;  ///< uint32_t, by rank
  /// A list for each tile, whose column indices are ranks, then that of the other columns. Sorted by row,
  /// within a row by original column.
  std::vector<Coo> parts;

  size_t bytes() const;
};

/// Tiles for columns of at least least_gathered entries: at least one, at most most_tiles.
int coo_tiles(const ColumnPopularity& popularity, uint32_t tile_columns);

/// With so many tiles of the most popular columns. A launch and a stable sort over the entries, a launch for
/// every part; waits for the device. Rows and columns are fewer than 2^32 each.
TileCoo make_tile_coo(const Csr& matrix, int tiles, uint32_t tile_columns);

/// The same matrix by rows again (through the host; for tests and checks).
Csr to_csr(const TileCoo& matrix);
/// What is wrong with it; empty when nothing is (copies to the host).
std::string check(const TileCoo& matrix);

}  // namespace cugrb::formats
