// TileCoo: columns ordered by their number of entries and cut into tiles, a list of entries for each tile,
// HYB storage for the other columns.
//
// X. Yang, S. Parthasarathy and P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs:
// Implications for Graph Mining", VLDB 2011, section 3.1 (TILE-COO) and Algorithm 1: there is a tile while
// its first column has more than one entry. Every tile is a COO matrix whose operands fit the cache that its
// loads go through (there the texture cache, here L1). HYB's threshold is that of Bell and Garland, whose
// library the paper uses. A tile's width is the kernel's choice.
#pragma once
#include <vector>

#include "src/formats/hyb.h"
#include "src/formats/tile_composite.h"

namespace cugrb::formats {

/// bytes() = entries in tiles * (8 + value) + 4 * gathered + those of the HYB storage; value 0 when iso.
class TileCoo final : public SparseShape {
 public:
  /// What DeviceMatrix::derived keeps it by.
  struct Key {
    using Made = TileCoo;
    uint32_t tile_columns;
    bool operator==(const Key&) const = default;
  };
  TileCoo(const SparseShape& shape, Hyb others) : SparseShape(shape), others(std::move(others)) {}
  uint32_t tile_columns = 0;
  uint64_t gathered = 0;             ///< columns in tiles
  runtime::Buffer gathered_columns;  ///< uint32_t, by rank
  /// A list for each tile, whose column indices are ranks. Sorted by row, within a row by original column.
  std::vector<Coo> tiles;
  Hyb others;  ///< the columns that are in no tile

  size_t bytes() const;
};

/// The columns' entries are counted. A launch and a stable sort over the entries, a launch for every tile,
/// and those of HYB; waits for the device. Rows and columns are fewer than 2^32 each.
TileCoo make_tile_coo(const Csr& matrix, uint32_t tile_columns);

/// The same matrix by rows again (through the host; for tests and checks).
Csr to_csr(const TileCoo& matrix);
/// What is wrong with it; empty when nothing is (copies to the host).
std::string check(const TileCoo& matrix);

}  // namespace cugrb::formats
