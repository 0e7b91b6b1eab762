// Merges of two matrices of either of which entries may be kept (matrix_merge.h): items in their merged
// order.
#pragma once
#include "cuda/kernels/matrix_merge_pair.h"

namespace cugrb {

/// An item of a tile: where its column is, and whether the other matrix has an entry there.
struct merge_item {
  static constexpr unsigned both_bit = 1u << 15;
  unsigned word;
  CUGRB_DEVICE unsigned place() const { return word & (both_bit - 1); }
  CUGRB_DEVICE bool both() const { return (word & both_bit) != 0; }
};

/// The items of a tile in their merged order, as a thread goes through some of them. Of two at one place that
/// of the first matrix goes first. Counts of both matrices are halves of one word, as in merge_tile::ends.
template <class Merge>
class merge_walk {
 public:
  using Pair = merge_pair<Merge>;
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;

  /// From the tile's item n on, which is there.
  CUGRB_DEVICE merge_walk(const Pair& of, unsigned n) : pair(of) {
    enter(pair.tile.row_of(n));
    const unsigned first = at & 0xffffu, second = at >> 16, seconds = (end >> 16) - second;
    const unsigned rest = n - (first + second);
    const unsigned firsts = merged_of_first<unsigned>(pair.columns + first, (end & 0xffffu) - first,
                                                      pair.seconds() + second, seconds, rest);
    at += firsts | (rest - firsts) << 16;
    const bool follows = n == 0 ? (pair.tile.from.edges & merge_place::meets) != 0
                                : firsts > 0 && rest - firsts < seconds &&
                                      pair.columns[first + firsts - 1] == pair.seconds()[at >> 16];
    met = follows ? merge_item::both_bit : 0;
  }
  /// Goes through so many of them, which follow each other. Stores what they are, and gives a bit for each
  /// one that is kept. Where memory has to be asked for that, it stores their rows instead.
  CUGRB_DEVICE uint32_t go(const MatrixMergeArguments& a, unsigned count, uint16_t* items, uint16_t* rows) {
    Column of_first = pair.columns[at & 0xffffu], of_second = pair.seconds()[at >> 16];
    uint32_t kept = 0;
#pragma unroll 5
    for (unsigned k = 0; k < Tile::each; ++k) {
      if (k >= count) break;  // no smaller end of the loop: NVVM 13.0 took that for a multiple of 5
      if (at == end) enter_next();
      const bool has_first = ((at ^ end) & 0xffffu) != 0, has_second = (at ^ end) > 0xffffu;
      const bool takes_first = has_first & (!has_second | (of_first <= of_second));
      const bool meets = has_first & has_second & (of_first == of_second);
      const unsigned both = takes_first ? (meets ? merge_item::both_bit : 0) : met;
      const unsigned place = takes_first ? at & 0xffffu : pair.second_at + (at >> 16);
      items[k] = uint16_t(place | both);
      if constexpr (Merge::asks_memory) {
        rows[k] = uint16_t(row);
      } else if (Merge::keeps(a, entry(takes_first, both != 0, takes_first ? of_first : of_second))) {
        kept |= 1u << k;
      }
      met = takes_first ? both : 0;
      at += takes_first ? 1u : 1u << 16;
      const Column next = pair.columns[place + 1];
      of_first = takes_first ? next : of_first;
      of_second = takes_first ? of_second : next;
    }
    return kept;
  }

 private:
  const Pair& pair;
  unsigned row = 0, at = 0, end = 0;
  unsigned met = 0;  ///< both_bit: the item before is one of the first matrix, at the place of the next one

  CUGRB_DEVICE void enter(unsigned r) {
    row = r;
    at = pair.tile.ends[r], end = pair.tile.ends[r + 1];
  }
  /// The next row with an entry: mostly it follows.
  CUGRB_DEVICE void enter_next() {
    const unsigned n = (at & 0xffffu) + (at >> 16);
    enter(row + 1);
    if (at == end) enter(pair.tile.row_of(n));
  }
  CUGRB_DEVICE merge_entry entry(bool of_first, bool both, Column column) const {
    const merge_place& from = pair.tile.from;
    return {from.p + (at & 0xffffu), from.q + (at >> 16), from.row + row, uint64_t(column), of_first, both};
  }
};

/// What a tile's items are in their merged order.
template <class Merge>
struct merge_order {
  using Pair = merge_pair<Merge>;
  using Tile = merge_tile<Merge>;
  const Pair& pair;
  uint16_t* items;
  uint16_t* rows;  ///< where memory is asked for what is kept

  CUGRB_DEVICE unsigned count() const { return pair.tile.looked_at(); }

  /// Whether the tile's part of the second matrix is all that there is, and is kept as it is.
  CUGRB_DEVICE bool passes(const MatrixMergeArguments& a) const {
    const Tile& tile = pair.tile;
    return !Merge::reads_places && tile.firsts == 0 && (tile.from.edges & merge_place::meets) == 0 &&
           Merge::passes_seconds(a, tile.from.row, tile.to.row);
  }
  /// Finds it, and sets the bits of those that are kept, where no memory is asked for that. `passing`: all
  /// are, and no order is needed.
  CUGRB_DEVICE void find(const MatrixMergeArguments& a, bool passing) const {
    const unsigned begin = thread_index() * Tile::each;
    if (begin >= count()) return;
    const unsigned left = count() - begin;
    uint32_t kept = (1u << (left < Tile::each ? left : Tile::each)) - 1;
    if (!passing) kept = merge_walk<Merge>(pair, begin).go(a, left, items + begin, rows + begin);
    if constexpr (!Merge::asks_memory) pair.tile.kept.add(begin, kept);
  }
  /// Item n of those that pass.
  template <class Entry, class Streams>
  CUGRB_DEVICE void load_passing(const Streams& streams, unsigned n, Entry& entry) const {
    entry.load(streams, {0, 0, 0, uint64_t(pair.seconds()[n]), false, false}, 0, n);
  }
  /// Sets the bit of each item that is kept, where memory is asked for that: by lanes that ask for
  /// neighbours.
  CUGRB_DEVICE void keep(const MatrixMergeArguments& a, bool passing) const {
    for (unsigned n = thread_index(); n / warp_lanes * warp_lanes < count(); n += Tile::threads) {
      const bool keeps = n < count() && (passing || Merge::keeps(a, entry(n, pair.tile.from.row + rows[n])));
      pair.tile.kept.set(n / warp_lanes, keeps);
    }
  }
  /// Item n.
  template <class Entry, class Streams>
  CUGRB_DEVICE void load(const Streams& streams, unsigned n, Entry& loaded) const {
    const uint64_t row = Merge::reads_places ? pair.tile.from.row + pair.tile.row_of(n) : 0;
    if constexpr (Streams::Values::alike) {
      const merge_item item = {items[n]};
      const unsigned own = item.place();
      const bool of_both = item.both() & (own < pair.second_at);
      loaded.load_alike(streams, entry(n, row), own, of_both ? pair.second_at + n - own : own);
    } else {
      const merge_entry at = entry(n, row);
      loaded.load(streams, at, unsigned(at.p - pair.tile.from.p), unsigned(at.q - pair.tile.from.q));
    }
  }

 private:
  CUGRB_DEVICE merge_entry entry(unsigned n, uint64_t row) const {
    const merge_item item = {items[n]};
    const unsigned place = item.place();
    const bool of_first = place < pair.second_at;
    const unsigned own = of_first ? place : place - pair.second_at, other = n - own;
    const unsigned first = of_first ? own : other, second = of_first ? other : own;
    return {pair.tile.from.p + first,
            pair.tile.from.q + second,
            row,
            uint64_t(pair.columns[place]),
            of_first,
            item.both()};
  }
};

/// Two matrices, of either of which entries may be kept.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_two(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  using Entry = merged_entry<Merge, NewColumn, has_values>;
  using Pair = merge_pair<Merge>;
  using Values = merge_values<Merge, has_values>;
  CUGRB_SHARED(typename Pair::Pool, columns, 1);
  CUGRB_SHARED(typename Values::Pool, values_pool, 1);
  CUGRB_SHARED(uint16_t, items, Tile::capacity);
  CUGRB_SHARED(uint16_t, rows, Merge::asks_memory ? Tile::capacity : 1);
  CUGRB_SHARED(typename Tile::Bits::word, kept, Tile::Bits::room);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.begin = begin;
  auto parts = Tile::Parts::open(merge_parts<Merge, has_values>);
  Pair pair(tile);
  const merge_order<Merge> order = {pair, items, rows};
  tile.kept.clear();
  const uint64_t number = take_tile(a.taken);
  find_tile(a, number, tile);
  pair.load(a, columns, parts);
  const Values values(a, tile, values_pool, pair.shift, pair.second_at, parts);
  tile.load_ends(a);
  parts.wait();
  sync_block();
  const bool passing = order.passes(a);
  order.find(a, passing);
  if constexpr (Merge::asks_memory) {
    sync_block();
    order.keep(a, passing);
  }
  place_kept<NewOffset>(a, number, tile);
  tile.template store_row_ends<NewOffset>(
      a, [&](unsigned row) { return tile.kept.rank(tile.first_end(row) + tile.second_end(row)); });
  if (a.columns == nullptr) return;
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile, values);
  if (passing) {
    store_kept<Values::any>(
        a, streams, order.count(), [&](unsigned n, unsigned& place) { return place = n, n < order.count(); },
        [&](unsigned n, Entry& entry) { order.load_passing(streams, n, entry); });
  } else {
    store_kept<Values::alike>(
        a, streams, order.count(),
        [&](unsigned n, unsigned& place) { return tile.kept.has(n / warp_lanes, lane_index(), place); },
        [&](unsigned n, Entry& entry) { order.load(streams, n, entry); });
  }
}

}  // namespace cugrb
