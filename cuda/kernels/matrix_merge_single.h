// Merges of one matrix (matrix_merge.h): which of its entries are kept.
#pragma once
#include "cuda/kernels/matrix_merge_entries.h"

namespace cugrb {

/// The entries of a tile of one matrix: columns in shared memory, and behind them the ends of rows. A thread
/// has every 256th one.
template <class Merge>
struct merge_single {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  using Pool = part_array<Column, Tile::capacity + 2>;
  static constexpr unsigned unrolled = Merge::searches ? 1 : 4;
  Tile& tile;
  Column* columns = nullptr;
  unsigned shift = 0;
  typename Tile::Marks marks = {};  ///< of rows, where they are asked for

  CUGRB_DEVICE explicit merge_single(Tile& of) : tile(of) {
    if constexpr (Tile::knows_rows) {
      marks = Tile::Marks::shared();
      marks.clear();
    }
  }
  CUGRB_DEVICE void load(const MatrixMergeArguments& a, Pool* pool, typename Tile::Parts& parts) {
    const auto* const from = columns_of<typename Merge::First>(a.first) + tile.from.p;
    shift = Tile::Parts::shift_of(from);
    columns = pool->at + shift;
    parts.load(from, tile.firsts, columns);
    tile.ends = reinterpret_cast<uint32_t*>(columns + tile.firsts);
  }
  /// When all has been loaded. Passes barriers.
  CUGRB_DEVICE void mark_rows() const {
    sync_block();
    if constexpr (Tile::knows_rows) tile.mark_rows(marks);
  }
  /// `values`: in shared memory, or none.
  template <class Staged>
  CUGRB_DEVICE merge_entry entry(unsigned n, const void* values) const {
    const uint64_t row =
        Tile::knows_rows ? tile.from.row + marks.group_of(n / warp_lanes, n % warp_lanes) : uint64_t(0);
    merge_entry at = {tile.from.p + n, 0, row, uint64_t(columns[n]), true, false};
    if constexpr (is_staged<Staged>) at.value = static_cast<const Staged*>(values) + n;
    return at;
  }
  /// Calls on_word(word, kept) for each 32 of them, as the calling lane's one is kept or not.
  template <class Staged, class OnWord>
  CUGRB_DEVICE void find(const MatrixMergeArguments& a, const void* values, OnWord on_word) const {
#pragma unroll unrolled
    for (unsigned n = thread_index(); n / warp_lanes * warp_lanes < tile.firsts; n += Tile::threads)
      on_word(n / warp_lanes, n < tile.firsts && Merge::keeps(a, entry<Staged>(n, values)));
  }
};

/// Of one matrix some entries.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_one(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  using Single = merge_single<Merge>;
  using Values = merge_values<Merge, has_values>;
  using Entry = merged_entry<Merge, NewColumn, has_values>;
  CUGRB_SHARED(typename Single::Pool, columns, 1);
  CUGRB_SHARED(typename Values::Pool, values_pool, 1);
  CUGRB_SHARED(typename Tile::Bits::word, kept, Tile::Bits::room);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.begin = begin;
  auto parts = Tile::Parts::open(merge_parts<Merge, has_values>);
  Single single(tile);
  tile.kept.clear();
  const uint64_t number = take_tile(a.taken);
  find_tile(a, number, tile);
  single.load(a, columns, parts);
  const Values values(a, tile, values_pool, single.shift, 0, parts);
  tile.load_ends(a);
  parts.wait();
  single.mark_rows();
  single.template find<typename Values::First>(
      a, values.first, [&](unsigned word, bool keeps) { tile.kept.set(word, keeps); });
  place_kept<NewOffset>(a, number, tile);
  tile.template store_row_ends<NewOffset>(a,
                                          [&](unsigned row) { return tile.kept.rank(tile.first_end(row)); });
  if (a.columns == nullptr) return;
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile, values);
  store_kept<Values::any>(
      a, streams, tile.firsts,
      [&](unsigned n, unsigned& place) { return tile.kept.has(n / warp_lanes, lane_index(), place); },
      [&](unsigned n, Entry& entry) {
        entry.load(streams, single.template entry<typename Values::First>(n, values.first), n, 0);
      });
}

}  // namespace cugrb
