// Blocked: entries by column tile and bin, so that a product gathers from shared memory alone.
#pragma once
#include <vector>

#include "cuda/views/blocked.h"
#include "src/formats/matrix.h"

namespace cugrb::formats {

struct BlockedParameters {
  uint32_t tile_columns = 0;  ///< columns of a tile; 1 to 65535, a multiple of 4
  uint32_t sum_threads = 0;   ///< a bin has sum_threads * blocked_run entries; whole warps
  uint32_t blocks = 1;        ///< that share the tiles: as many as are resident at once
  uint32_t multiply_threads = 1024;

  uint32_t bin_entries() const { return sum_threads * blocked_run; }
};

/// Tile t is the columns from t * tile_columns on, bin b the entries from b * bin_entries on in the order of
/// rows. A piece, what a tile and a bin share, takes whole chunks of blocked_chunk places. Places are stored
/// by (tile, bin), their products by (bin, tile), and the entries' order of rows is a list of 16-bit
/// positions of products in the bin. Rows are bits: where they end. bytes = places * (2 + value + 4 /
/// blocked_chunk) + entries * (2 + 8 / blocked_run) + 4 * rows with entries (when there are others), places =
/// entries + less than blocked_chunk a piece.
class Blocked {
 public:
  /// Tiles suit the operands' size, bins the products'.
  struct Key {
    using Made = Blocked;
    size_t operand_bytes, product_bytes;
    bool operator==(const Key&) const = default;
  };
  BlockedParameters parameters;
  Type type;
  uint64_t row_count = 0, column_count = 0, entries = 0;
  bool iso = false;
  uint64_t tiles = 0, bins = 0, filled_rows = 0;
  uint64_t most_products = 0;         ///< places of the largest bin
  uint64_t most_rows = 0;             ///< that end in one bin
  std::vector<uint32_t> tile_chunks;  ///< tiles + 1: first chunk of places of each tile
  runtime::Buffer columns, values;    ///< BlockedView
  runtime::Buffer destinations, bin_chunks, positions, row_ends, ordinals, bin_rows, rows;
  runtime::Buffer shares, first_shares;  ///< MxvBlockedArguments

  uint64_t chunks() const { return tile_chunks.empty() ? 0 : tile_chunks.back(); }
  BlockedView view() const;
  size_t bytes() const;
};

/// Why shared memory of so many bytes a block, or 16-bit positions, may not hold a bin's products and sums
/// for so many rows and tiles; empty when they surely do.
std::string blocked_refusal(const BlockedParameters& parameters, uint64_t rows, uint64_t tiles,
                            size_t product_bytes, size_t shared_bytes_per_block);

/// Six launches, three scans and a compaction; O(entries + tiles * bins). Throws Declined when rows or
/// chunks do not fit 32 bits.
Blocked make_blocked(const Csr& matrix, const BlockedParameters& parameters);

/// The same matrix by rows again (through the host; for tests and checks).
Csr to_csr(const Blocked& matrix);
/// What is wrong with it; empty when nothing is (copies to the host).
std::string check(const Blocked& matrix);

}  // namespace cugrb::formats
