// The tile that a block of a merge (matrix_merge.h) works on: where it lies, the rows that end in it, and
// where what it keeps begins in the result.
#pragma once
#include "cuda/kernels/counted_bits.h"
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_merge_place.h"
#include "cuda/kernels/matrix_merge_rule.h"
#include "cuda/kernels/shared_parts.h"

namespace cugrb {

/// The tile's share of what one number tells.
template <class NewOffset>
CUGRB_DEVICE void store_ends(const MatrixMergeArguments& a, uint64_t number, uint64_t end) {
  if (thread_index() != 0) return;
  if (number == 0) static_cast<NewOffset*>(a.offsets)[0] = 0;
  if (number + 1 == a.tiles) *a.entries = end;
}

/// Items of a tile that fall to a thread.
template <class Column>
constexpr unsigned merge_items_of_thread = sizeof(Column) == 8 ? MergeTile::each_of_wide : MergeTile::each;

/// A tile that a block works on.
template <class Merge>
struct merge_tile {
  using First = typename Merge::First;
  using Second = typename Merge::Second;
  using FirstColumn = typename First::Column;
  using SecondColumn = typename Second::Column;
  using Column = choose<(sizeof(FirstColumn) > sizeof(SecondColumn)), FirstColumn, SecondColumn>;
  static constexpr unsigned threads = MergeTile::threads, warps = threads / warp_lanes,
                            each = merge_items_of_thread<Column>, capacity = threads * each;
  static constexpr bool knows_rows = !Merge::keeps_by_entry || Merge::reads_places;
  static constexpr bool goes_through = Merge::has_second && !Merge::keeps_meetings;
  using Bits = counted_bits<capacity>;
  using Marks = group_marks<capacity>;
  using Parts = shared_parts<threads>;

  merge_place from, to;
  unsigned firsts, seconds, rows;
  uint32_t* ends;  ///< of the row before, of those that end in it, and of the row that goes on: in the first
                   ///< matrix and, from bit 16 on, in the second, with the one behind the tile
  Bits kept;
  uint64_t* begin;  ///< in the result

  /// The second's entries, with the one behind the tile with which its row goes on.
  CUGRB_DEVICE unsigned seconds_and_next() const {
    return seconds + unsigned(to.edges & merge_place::goes_on);
  }
  /// Entries that may be kept.
  CUGRB_DEVICE unsigned looked_at() const { return goes_through ? firsts + seconds : firsts; }
  CUGRB_DEVICE unsigned first_end(unsigned row) const { return ends[row + 1] & 0xffffu; }
  CUGRB_DEVICE unsigned second_end(unsigned row) const { return ends[row + 1] >> 16; }
  /// The row of the tile's entry n, counted among both matrices' or among the first's.
  CUGRB_DEVICE unsigned row_of(unsigned n) const {
    return last_row(n, [&](unsigned row) { return (ends[row] & 0xffffu) + (ends[row] >> 16); });
  }
  CUGRB_DEVICE unsigned row_of_first(unsigned n) const {
    return last_row(n, [&](unsigned row) { return ends[row] & 0xffffu; });
  }
  /// The last of the tile's rows before which there are at most n entries by that count.
  template <class Before>
  CUGRB_DEVICE unsigned last_row(unsigned n, Before entries_before) const {
    unsigned low = 0, high = rows + 1;
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      if (entries_before(middle) <= n) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  CUGRB_DEVICE void load_ends(const MatrixMergeArguments& a) const {
    if (thread_index() == 0) ends[0] = 0, ends[rows + 1] = firsts | seconds_and_next() << 16;
#pragma unroll 1
    for (unsigned n = thread_index(); n < rows; n += threads) {
      const uint64_t row = from.row + n + 1;
      uint32_t end = uint32_t(row_begin<First>(a.first, row) - from.p);
      if constexpr (Merge::has_second) end |= uint32_t(second_begin<Merge>(a, row) - from.q) << 16;
      ends[n + 1] = end;
    }
  }
  /// Marks rows by the first of their entries. Passes barriers.
  CUGRB_DEVICE void mark_rows(const Marks& marks) const {
    for (unsigned row = thread_index(); row <= rows; row += threads) {
      if (ends[row] < ends[row + 1]) marks.mark(ends[row], row);
    }
    sync_block();
    if (thread_index() < warp_lanes) marks.count();
    sync_block();
  }
  /// Stores the ends of rows. kept_before_end(row): of the tile's entries, of the row and of those before.
  template <class NewOffset, class KeptBeforeEnd>
  CUGRB_DEVICE void store_row_ends(const MatrixMergeArguments& a, KeptBeforeEnd kept_before_end) const {
    auto* const offsets = static_cast<NewOffset*>(a.offsets) + from.row + 1;
    for (unsigned n = thread_index(); n < rows; n += threads)
      offsets[n] = NewOffset(begin[0] + kept_before_end(n));
  }
};

/// Where a tile lies. Passes a barrier where it has not been found before.
template <class Merge>
CUGRB_DEVICE void find_tile(const MatrixMergeArguments& a, uint64_t number, merge_tile<Merge>& tile) {
  constexpr unsigned words = merge_place::words;
  uint64_t ends[2 * words];
  if (a.places != nullptr) {
    read_together(a.places + words * number, ends);
  } else {
    CUGRB_SHARED(uint64_t, found, 2 * words);
    if (thread_index() < 64) {
      const uint64_t all = items_before<Merge>(a, a.first.rows);
      const uint64_t item = (number + thread_index() / 32) * merge_tile<Merge>::capacity;
      const merge_place place = place_of_item<Merge>(a, item < all ? item : all);
      if (lane_index() == 0) place.store(found + words * (thread_index() / 32));
    }
    sync_block();
#pragma unroll
    for (unsigned w = 0; w < 2 * words; ++w) ends[w] = found[w];
  }
  tile.from = merge_place::load(ends);
  tile.to = merge_place::load(ends + words);
  tile.rows = unsigned(tile.to.row - tile.from.row);
  tile.firsts = unsigned(tile.to.p - tile.from.p);
  tile.seconds = unsigned(tile.to.q - tile.from.q);
}

/// a.places: where each tile begins, and where the last one ends. In a launch of its own where tiles are
/// many: a block that searches waits for one load after the other, and has nothing else to do. A warp for
/// each.
template <class Merge>
CUGRB_KERNEL(256)
void matrix_merge_places(MatrixMergeArguments a) {
  const uint64_t number = global_thread() / 32;
  if (number > a.tiles) return;
  const uint64_t all = items_before<Merge>(a, a.first.rows), item = number * merge_tile<Merge>::capacity;
  const merge_place place = place_of_item<Merge>(a, item < all ? item : all);
  if (lane_index() == 0) place.store(a.places + merge_place::words * number);
}

/// Where the tile's kept entries begin in the result, of which it has so many: told to later tiles, and found
/// out. Called by a whole warp.
template <class NewOffset>
CUGRB_DEVICE void find_begin(const MatrixMergeArguments& a, uint64_t number, uint32_t of_tile,
                             uint64_t* begin) {
  const uint64_t before = a.begins != nullptr ? a.begins[number] : sum_before_tile(a.sums, number, of_tile);
  if (lane_index() == 0) begin[0] = before;
  store_ends<NewOffset>(a, number, before + of_tile);
}
/// The same, where the tile's bits have been set by words of warps: they are counted. Passes barriers.
template <class NewOffset, class Merge>
CUGRB_DEVICE void place_kept(const MatrixMergeArguments& a, uint64_t number, const merge_tile<Merge>& tile) {
  sync_block();
  if (thread_index() < warp_lanes)
    find_begin<NewOffset>(a, number, tile.kept.count(tile.looked_at()), tile.begin);
  sync_block();
}

}  // namespace cugrb
