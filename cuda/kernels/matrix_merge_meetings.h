// Merges that keep only what both matrices have (matrix_merge.h): entries of the first are searched for in
// the second, most of those that are not there by a filter.
#pragma once
#include "cuda/kernels/column_filter.h"
#include "cuda/kernels/matrix_merge_pair.h"

namespace cugrb {

/// The entries of the first matrix in a tile that the second one has, too.
template <class Merge>
struct merge_meetings {
  using Pair = merge_pair<Merge>;
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  Pair& pair;
  column_filter filter;

  /// The tile, and the second's columns to the filter. Passes barriers.
  CUGRB_DEVICE void load(const MatrixMergeArguments& a, typename Pair::Pool* pool,
                         typename Tile::Parts& parts) const {
    filter.clear();
    sync_block();
    pair.load(a, pool, parts);
    pair.tile.load_ends(a);
    parts.wait();
    sync_block();
#pragma unroll 4
    for (unsigned m = thread_index(); m < pair.tile.seconds_and_next(); m += Tile::threads)
      filter.add(pair.seconds()[m]);
    sync_block();
  }
  /// Calls on_word(word, kept) for each 32 of them, as the calling lane's one is kept or not. In the place of
  /// a kept one then stands which of the second's it meets.
  template <class OnWord>
  CUGRB_DEVICE void find(const MatrixMergeArguments& a, OnWord on_word) const {
    const unsigned words = (pair.tile.firsts + warp_lanes - 1) / warp_lanes;
#pragma unroll 4
    for (unsigned word = thread_index() / warp_lanes; word < words; word += Tile::warps) {
      const unsigned n = word * warp_lanes + lane_index();
      const bool may_meet = n < pair.tile.firsts && filter.may_have(pair.columns[n]);
      on_word(word, may_meet && meets(a, n));
    }
  }
  /// Entry n, which is kept.
  template <class Entry, class Streams>
  CUGRB_DEVICE void load_entry(const Streams& streams, unsigned n, Entry& entry) const {
    const unsigned m = unsigned(pair.columns[n]);
    const uint64_t row = Merge::reads_places ? pair.tile.from.row + pair.tile.row_of_first(n) : 0;
    entry.load(streams, met(n, m, row, pair.seconds()[m]), n, m);
  }

 private:
  CUGRB_DEVICE merge_entry met(unsigned n, unsigned m, uint64_t row, Column column) const {
    return {pair.tile.from.p + n, pair.tile.from.q + m, row, uint64_t(column), true, true};
  }
  CUGRB_DEVICE bool meets(const MatrixMergeArguments& a, unsigned n) const {
    const unsigned row = pair.tile.row_of_first(n);
    const Column column = pair.columns[n];
    unsigned low = pair.tile.ends[row] >> 16, high = pair.tile.second_end(row);
    const unsigned end = high;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (pair.seconds()[middle] < column) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == end || pair.seconds()[low] != column) return false;
    if (!Merge::keeps(a, met(n, low, pair.tile.from.row + row, column))) return false;
    pair.columns[n] = Column(low);
    return true;
  }
};

/// a.begins[tile] = entries that it keeps, of which a sum makes where they begin. Where tiles are many this
/// is sooner done than that each waits for those before it. Grid: a block for each tile.
template <class Merge>
CUGRB_KERNEL_RESIDENT(256, Merge::searches ? 4 : 6)
void matrix_merge_count(MatrixMergeArguments a) {
  using Tile = merge_tile<Merge>;
  CUGRB_SHARED(typename merge_pair<Merge>::Pool, columns, 1);
  CUGRB_SHARED(uint32_t, sum, 1);
  Tile tile;
  auto parts = Tile::Parts::open(2);
  merge_pair<Merge> pair(tile);
  const merge_meetings<Merge> meetings = {pair, column_filter::shared()};
  if (thread_index() == 0) sum[0] = 0;
  find_tile(a, block_index(), tile);
  meetings.load(a, columns, parts);
  uint32_t count = 0;
  meetings.find(a, [&](unsigned, bool keeps) { count += unsigned(keeps); });
  for (int lanes = 16; lanes > 0; lanes /= 2) count += shuffle_xor(full_warp, count, lanes);
  if (lane_index() == 0 && count != 0) atomic_add(sum, count);
  sync_block();
  if (thread_index() == 0) a.begins[block_index()] = sum[0];
}

/// A tile of two matrices, of which entries at the same places may be kept.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_meeting(const MatrixMergeArguments& a, uint64_t number,
                                typename merge_tile<Merge>::Parts& parts) {
  using Tile = merge_tile<Merge>;
  using Entry = merged_entry<Merge, NewColumn, has_values>;
  using Values = merge_values<Merge, has_values>;
  CUGRB_SHARED(typename merge_pair<Merge>::Pool, columns, 1);
  CUGRB_SHARED(typename Tile::Bits::word, kept, Tile::Bits::room);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.begin = begin;
  merge_pair<Merge> pair(tile);
  const merge_meetings<Merge> meetings = {pair, column_filter::shared()};
  tile.kept.clear();
  find_tile(a, number, tile);
  meetings.load(a, columns, parts);
  meetings.find(a, [&](unsigned word, bool keeps) { tile.kept.set(word, keeps); });
  place_kept<NewOffset>(a, number, tile);
  tile.template store_row_ends<NewOffset>(a,
                                          [&](unsigned row) { return tile.kept.rank(tile.first_end(row)); });
  if (a.columns == nullptr) return;
  static_assert(!Values::any, "few values are needed");
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile, Values(a, tile, nullptr, 0, 0, parts));
  store_kept<false>(
      a, streams, tile.firsts,
      [&](unsigned n, unsigned& place) { return tile.kept.has(n / warp_lanes, lane_index(), place); },
      [&](unsigned n, Entry& entry) { meetings.load_entry(streams, n, entry); });
}

/// A tile of which nothing is kept: the ends of its rows. Called by a whole warp.
template <class NewOffset>
CUGRB_DEVICE void pass_over(const MatrixMergeArguments& a, uint64_t number) {
  const uint64_t begin = a.begins[number];
  const uint64_t first = a.places[merge_place::words * number],
                 last = a.places[merge_place::words * (number + 1)];
  auto* const offsets = static_cast<NewOffset*>(a.offsets) + 1;
  for (uint64_t row = first + lane_index(); row < last; row += warp_lanes) offsets[row] = NewOffset(begin);
  if (number == 0 && lane_index() == 0) static_cast<NewOffset*>(a.offsets)[0] = 0;
}

/// Tiles of two matrices, whose entries have been counted: a warp looks at one each.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_counted(const MatrixMergeArguments& a) {
  constexpr unsigned tiles = MergeTile::counted_tiles;
  CUGRB_SHARED(uint32_t, keeps, tiles);
  auto parts = merge_tile<Merge>::Parts::open(2);
  const uint64_t first = uint64_t(block_index()) * tiles, own = first + thread_index() / warp_lanes;
  const bool keeps_some = own < a.tiles && a.begins[own] != a.begins[own + 1];
  if (lane_index() == 0) keeps[thread_index() / warp_lanes] = keeps_some;
  if (own < a.tiles && !keeps_some) pass_over<NewOffset>(a, own);
  sync_block();
  for (unsigned n = 0; n < tiles; ++n) {
    if (keeps[n] == 0) continue;
    merge_meeting<Merge, NewOffset, NewColumn, has_values>(a, first + n, parts);
    sync_block();
  }
}

}  // namespace cugrb
