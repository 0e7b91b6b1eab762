// The columns of both matrices of a merge (matrix_merge.h) in shared memory.
#pragma once
#include "cuda/kernels/matrix_merge_entries.h"

namespace cugrb {

/// The entries of both matrices in a tile: columns in shared memory, the second's behind the first's, and the
/// ends of rows behind those.
template <class Merge>
struct merge_pair {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  using Pool = part_array<Column, Tile::capacity + 3>;  ///< with that of the second's entry behind the tile
  Tile& tile;
  Column* columns = nullptr;
  unsigned shift = 0;      ///< of the first's in their pool
  unsigned second_at = 0;  ///< where the second's begin, counted from the first's

  CUGRB_DEVICE explicit merge_pair(Tile& of) : tile(of) {}
  CUGRB_DEVICE Column* seconds() const { return columns + second_at; }

  /// Behind the second's columns comes the one with which its row goes on.
  CUGRB_DEVICE void load(const MatrixMergeArguments& a, Pool* pool, typename Tile::Parts& parts) {
    constexpr unsigned of_16 = 16 / sizeof(Column);
    const auto* const first = columns_of<typename Tile::First>(a.first) + tile.from.p;
    const auto* const second = columns_of<typename Tile::Second>(a.second) + tile.from.q;
    shift = Tile::Parts::shift_of(first);
    columns = pool->at + shift;
    second_at = tile.firsts + (of_16 + Tile::Parts::shift_of(second) - (shift + tile.firsts) % of_16) % of_16;
    tile.ends = reinterpret_cast<uint32_t*>(seconds() + tile.seconds + 1);
    parts.load(first, tile.firsts, columns);
    parts.load(second, tile.seconds_and_next(), seconds());
  }
};

}  // namespace cugrb
