// Two matrices are merged, row by row and column by column, and what is kept of their entries becomes a
// matrix: in one launch, that reads each entry once. The write-back, eWiseAdd, eWiseMult, eWiseUnion and
// select of matrices are such merges.
//
// Each block takes a tile of as many items as any other: entries of both matrices, and the ends of rows.
// Where the tile begins in both is found by a search over rows and one over the columns of a row (merge
// path). The tile's columns lie in shared memory, and every entry searches for its place in the other
// matrix's row there. What is kept is a bit for each entry. Its ordinal in the result is the number of bits
// before it and before its place in the other matrix. Where a tile's entries begin in the result the block
// learns by looking back over the tiles before it (look_back.h). So no row's length matters much, nor does an
// empty row's presence.
//
// O. Green, R. McColl, D. Bader, GPU Merge Path, ICS 2012. D. Merrill, M. Garland, Merge-based Parallel
// Sparse Matrix-Vector Multiplication, SC 2016 (rows as items).
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

// A merge says what is kept, and what becomes of it:
//   First, Second          csr_rows of both; has_second: the second one is there
//   reads_places           whether values depend on rows, or are searched for
//   searches               whether keeps_first and keeps_second search in a matrix: that takes registers
//   keeps_by_entry         whether keeps_first and keeps_second look at no row
//   keeps_meetings         whether nothing is kept but entries of the first, and keeps_second is not asked
//   keeps_firsts           whether all entries of the first are kept, and keeps_first is not asked
//   Value                  the type of the result's values
//   keeps_first(a, p, i, j, both, q)   of the first's entry p at (i, j); both: the second has an entry there,
//   q keeps_second(a, q, i, j, both)     of the second's entry q; both: the first has an entry there
//   first_values(a, p), second_values(a, q) the values from that one on
//   load_first(values, n), load_second      what is read of the n-th of them (FirstValue, SecondValue)
//   combines               whether the second's is read where both have one and the first's stands for both
//   value(a, at, first, second)             the result's, of what has been read
//   new_column(a, j)       the result's column

/// An entry that a merge looks at: where it is in its matrix, and at which place. q is of the second's entry
/// there, where it is one of the first.
struct merge_entry {
  uint64_t p, q, row, column;
  bool of_first, both;
};

/// What most merges do.
struct merge_of_same_columns {
  static constexpr bool keeps_by_entry = false, keeps_meetings = false, keeps_firsts = false, combines = true,
                        searches = false;
  static CUGRB_DEVICE uint64_t new_column(const MatrixMergeArguments&, uint64_t j) { return j; }
};

/// What is read where nothing has to be.
struct merge_nothing {};

/// Of one matrix, beside which there is no second one.
template <class Rows>
struct merge_without_second : merge_of_same_columns {
  using First = Rows;
  using Second = Rows;
  using SecondValue = merge_nothing;
  static constexpr bool has_second = false;
  static CUGRB_DEVICE bool keeps_second(const MatrixMergeArguments&, uint64_t, uint64_t, uint64_t, bool) {
    return false;
  }
  static CUGRB_DEVICE const void* second_values(const MatrixMergeArguments&, uint64_t) { return nullptr; }
  static CUGRB_DEVICE merge_nothing load_second(const void*, unsigned) { return {}; }
};

/// The same, whose entries keep their values.
template <class Rows, class Element>
struct merge_of_one_matrix : merge_without_second<Rows> {
  using Value = Element;
  using FirstValue = Element;
  static constexpr bool reads_places = false;
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments& a, uint64_t p) {
    return static_cast<const Element*>(a.first.values) + p;
  }
  static CUGRB_DEVICE Element load_first(const void* values, unsigned n) {
    return static_cast<const Element*>(values)[n];
  }
  static CUGRB_DEVICE Element value(const MatrixMergeArguments&, const merge_entry&, const Element& first,
                                    merge_nothing) {
    return first;
  }
};

/// Where an item lies: behind `row` ended rows, `p` entries of the first matrix and `q` of the second.
/// `edges`: bits for the row that goes on there with the second's entry q, and for an entry p - 1 at its
/// place.
struct merge_place {
  static constexpr uint64_t goes_on = 1, meets = 2;
  static constexpr unsigned words = MergeTile::place_words;
  uint64_t row, p, q, edges;

  CUGRB_DEVICE void store(uint64_t* to) const { to[0] = row, to[1] = p, to[2] = q, to[3] = edges; }
  static CUGRB_DEVICE merge_place load(const uint64_t* from) { return {from[0], from[1], from[2], from[3]}; }
};

template <class Merge>
CUGRB_DEVICE uint64_t second_begin(const MatrixMergeArguments& a, uint64_t row) {
  if constexpr (Merge::has_second) return row_begin<typename Merge::Second>(a.second, row);
  return 0;
}
/// Items before the row.
template <class Merge>
CUGRB_DEVICE uint64_t items_before(const MatrixMergeArguments& a, uint64_t row) {
  return row_begin<typename Merge::First>(a.first, row) + second_begin<Merge>(a, row) + row;
}

/// Of the first `rest` entries of a row, merged, those of the first matrix, which goes first where columns
/// are equal.
template <class FirstColumn, class SecondColumn>
CUGRB_DEVICE uint64_t merged_of_first(const FirstColumn* first, uint64_t firsts, const SecondColumn* second,
                                      uint64_t seconds, uint64_t rest) {
  uint64_t low = rest > seconds ? rest - seconds : 0, high = rest < firsts ? rest : firsts;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (uint64_t(first[middle]) <= uint64_t(second[rest - 1 - middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The place of an item, found by a warp.
template <class Merge>
CUGRB_DEVICE merge_place place_of_item(const MatrixMergeArguments& a, uint64_t item) {
  using First = typename Merge::First;
  const uint64_t low =
      last_by_warp(0, a.first.rows + 1, [&](uint64_t row) { return items_before<Merge>(a, row) <= item; });
  if (low == a.first.rows) return {low, a.first.entries, Merge::has_second ? a.second.entries : 0, 0};
  const uint64_t p = row_begin<First>(a.first, low), q = second_begin<Merge>(a, low);
  const uint64_t rest = item - (p + q + low);
  if constexpr (!Merge::has_second) {
    return {low, p + rest, 0, 0};
  } else {
    const uint64_t firsts = row_begin<First>(a.first, low + 1) - p,
                   seconds = second_begin<Merge>(a, low + 1) - q;
    const auto* const first = columns_of<First>(a.first) + p;
    const auto* const second = columns_of<typename Merge::Second>(a.second) + q;
    const uint64_t of_first = merged_of_first(first, firsts, second, seconds, rest);
    const uint64_t of_second = rest - of_first;
    const bool goes_on = of_second < seconds;
    const bool meets =
        goes_on && of_first > 0 && uint64_t(first[of_first - 1]) == uint64_t(second[of_second]);
    return {low, p + of_first, q + of_second,
            (goes_on ? merge_place::goes_on : 0) | (meets ? merge_place::meets : 0)};
  }
}

/// The tile's share of what one number tells.
template <class NewOffset>
CUGRB_DEVICE void store_ends(const MatrixMergeArguments& a, uint64_t number, uint64_t end) {
  if (thread_index() != 0) return;
  if (number == 0) static_cast<NewOffset*>(a.offsets)[0] = 0;
  if (number + 1 == a.tiles) *a.entries = end;
}

template <class Merge>
CUGRB_DEVICE bool keeps_entry(const MatrixMergeArguments& a, const merge_entry& at) {
  return at.of_first ? Merge::keeps_first(a, at.p, at.row, at.column, at.both, at.q)
                     : Merge::keeps_second(a, at.q, at.row, at.column, at.both);
}

/// Items of a tile that fall to a thread.
template <class Column>
constexpr unsigned merge_items_of_thread = sizeof(Column) == 8 ? MergeTile::each_of_wide : MergeTile::each;

/// A bit for each item of a tile, and the bits before each word.
template <unsigned capacity>
struct counted_bits {
  static constexpr unsigned most_words = (capacity + 31) / 32;
  uint32_t* words;   ///< and one behind the last
  uint32_t* before;  ///< the same

  CUGRB_DEVICE bool has(unsigned word, unsigned bit) const { return (words[word] >> bit & 1) != 0; }
  /// Bits before that one.
  CUGRB_DEVICE unsigned rank(unsigned word, unsigned bit) const {
    return before[word] + unsigned(count_bits(words[word] & ((1u << bit) - 1)));
  }
  CUGRB_DEVICE unsigned rank(unsigned n) const { return rank(n / 32, n % 32); }
  /// The word of which each lane has a bit.
  CUGRB_DEVICE void set(unsigned word, bool bit) const {
    const unsigned bits = ballot(full_warp, bit);
    if (lane_index() == 0) words[word] = bits;
  }
  /// Counts those of `items` items, and gives their sum. Called by a whole warp.
  CUGRB_DEVICE uint32_t count(unsigned items) const {
    constexpr unsigned of_lane = 4;
    static_assert(most_words <= of_lane * warp_lanes, "a warp looks at all words");
    const unsigned used = (items + 31) / 32;
    uint32_t counts[of_lane], sum = 0;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      counts[k] = w < used ? unsigned(count_bits(words[w])) : 0;
      sum += counts[k];
    }
    const uint32_t own = sum;
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const uint32_t other = shuffle_up(full_warp, sum, delta);
      if (lane_index() >= delta) sum += other;
    }
    uint32_t here = sum - own;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      if (w <= used) before[w] = here;
      here += counts[k];
    }
    return shuffle(full_warp, sum, 31);
  }
};

/// The tile of a block. Its entries are counted through: the first matrix's, then, from another word of bits
/// on, the second's.
template <class Merge>
struct merge_tile {
  using First = typename Merge::First;
  using Second = typename Merge::Second;
  using FirstColumn = typename First::Column;
  using SecondColumn = typename Second::Column;
  using Column = choose<(sizeof(FirstColumn) > sizeof(SecondColumn)), FirstColumn, SecondColumn>;
  static constexpr unsigned threads = MergeTile::threads, warps = threads / warp_lanes,
                            each = merge_items_of_thread<Column>,
                            at_once = sizeof(Column) == 8 ? 2 : 4,  ///< words that a warp looks at together
      capacity = threads * each + (Merge::has_second ? at_once * warp_lanes : 0);
  static constexpr bool knows_rows = !Merge::keeps_by_entry || Merge::reads_places;
  using Bits = counted_bits<capacity>;
  using Marks = group_marks<capacity>;

  merge_place from, to;
  merge_place later_from, later_to;  ///< of the tile that is fetched into L2; the same where there is none
  unsigned firsts, seconds, rows;
  uint32_t* ends;  ///< of the row before, of those that end in it, and of the row that goes on: in the first
                   ///< matrix and, from bit 16 on, in the second, with the one behind the tile
  Bits kept;
  uint64_t* begin;  ///< in the result

  CUGRB_DEVICE unsigned seconds_at() const { return (firsts + warp_lanes - 1) / warp_lanes * warp_lanes; }
  CUGRB_DEVICE unsigned first_end(unsigned row) const { return ends[row + 1] & 0xffffu; }
  CUGRB_DEVICE unsigned second_end(unsigned row) const { return ends[row + 1] >> 16; }

  /// `seconds_and_next`: the second's entries, with the one behind the tile.
  CUGRB_DEVICE void load_ends(const MatrixMergeArguments& a, unsigned seconds_and_next) const {
    if (thread_index() == 0) ends[0] = 0, ends[rows + 1] = firsts | seconds_and_next << 16;
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
      const uint32_t begins = ends[row], behind = ends[row + 1];
      if ((begins & 0xffffu) < (behind & 0xffffu)) marks.mark(begins & 0xffffu, row);
      const bool has_second = begins >> 16 < behind >> 16 && begins >> 16 < seconds;
      if (Merge::has_second && has_second) marks.mark(seconds_at() + (begins >> 16), row);
    }
    sync_block();
    if (thread_index() < warp_lanes) marks.count();
    sync_block();
  }
  /// Where the tile's kept entries go, of as many as there are bits, and of so many more; stores the ends of
  /// rows. kept_before_end(row): of its entries, and of rows before. Passes barriers.
  template <class NewOffset, class KeptBeforeEnd>
  CUGRB_DEVICE void place_kept(const MatrixMergeArguments& a, uint64_t number, unsigned items, unsigned more,
                               KeptBeforeEnd kept_before_end) const {
    sync_block();
    if (thread_index() < warp_lanes) {
      const uint32_t of_tile = kept.count(items) + more;
      const uint64_t before = sum_before_tile(a.sums, number, of_tile);
      if (lane_index() == 0) begin[0] = before;
      store_ends<NewOffset>(a, number, before + of_tile);
    }
    sync_block();
    auto* const offsets = static_cast<NewOffset*>(a.offsets) + from.row + 1;
    for (unsigned n = thread_index(); n < rows; n += threads)
      offsets[n] = NewOffset(begin[0] + kept_before_end(n));
  }
};

/// Where a tile's values are read and its result is written. Each is a tile's own address: an entry adds 32
/// bits.
template <class Merge, class NewColumn, bool has_values>
struct merge_streams {
  using Value = typename Merge::Value;
  const void *first, *second;
  NewColumn* columns;
  Value* values;

  CUGRB_DEVICE merge_streams(const MatrixMergeArguments& a, const merge_tile<Merge>& tile)
      : first(global_address(Merge::first_values(a, tile.from.p))),
        second(global_address(Merge::second_values(a, tile.from.q))),
        columns(global_address(static_cast<NewColumn*>(a.columns) + tile.begin[0])),
        values(global_address(static_cast<Value*>(a.values) + (has_values ? tile.begin[0] : 0))) {}
};

/// A kept entry on its way, of the first matrix or of the second.
template <class Merge, class NewColumn, bool has_values, bool of_first>
struct merged_entry {
  using Streams = merge_streams<Merge, NewColumn, has_values>;
  merge_entry at;
  typename Merge::FirstValue first;
  typename Merge::SecondValue second;

  /// `n`: of its matrix in the tile; `met`: of the second's that it meets.
  CUGRB_DEVICE void load(const Streams& streams, const merge_entry& entry, unsigned n, unsigned met) {
    at = entry;
    if constexpr (has_values && of_first) {
      first = Merge::load_first(streams.first, n);
      if constexpr (Merge::has_second && Merge::combines) {
        if (at.both) second = Merge::load_second(streams.second, met);
      }
    } else if constexpr (has_values) {
      second = Merge::load_second(streams.second, n);
    }
  }
  /// As the tile's entry `place` of the result.
  CUGRB_DEVICE void store(const MatrixMergeArguments& a, const Streams& streams, unsigned place) const {
    streams.columns[place] = NewColumn(Merge::new_column(a, at.column));
    if constexpr (has_values) streams.values[place] = Merge::value(a, at, first, second);
  }
};

/// The most bytes that are held of one entry's values.
template <class Merge>
constexpr unsigned merge_value_bytes = sizeof(typename Merge::FirstValue) >
                                               sizeof(typename Merge::SecondValue)
                                           ? sizeof(typename Merge::FirstValue)
                                           : sizeof(typename Merge::SecondValue);

/// Entries that a thread has on their way at once: their loads wait for memory together.
template <class Merge>
constexpr unsigned merged_at_once = Merge::searches                 ? 1
                                    : merge_value_bytes<Merge> <= 4 ? 4
                                    : merge_value_bytes<Merge> <= 8 ? 2
                                                                    : 1;

/// a.places: where each tile begins, and where the last one ends. In a launch of its own where tiles are
/// many: a block that searches waits for one load after the other, and has nothing else to do. A warp for
/// each.
template <class Merge>
CUGRB_KERNEL(256)
void matrix_merge_places(MatrixMergeArguments a) {
  constexpr uint64_t tile_items =
      uint64_t(MergeTile::threads) * merge_items_of_thread<typename merge_tile<Merge>::Column>;
  const uint64_t number = global_thread() / 32;
  if (number > a.tiles) return;
  const uint64_t all = items_before<Merge>(a, a.first.rows), item = number * tile_items;
  const merge_place place = place_of_item<Merge>(a, item < all ? item : all);
  if (lane_index() == 0) place.store(a.places + merge_place::words * number);
}

/// The tile that the block takes: where it lies. Passes barriers.
template <class Merge>
CUGRB_DEVICE uint64_t find_tile(const MatrixMergeArguments& a, merge_tile<Merge>& tile) {
  constexpr unsigned tile_items =
      MergeTile::threads * merge_items_of_thread<typename merge_tile<Merge>::Column>;
  constexpr unsigned words = merge_place::words;
  CUGRB_SHARED(uint64_t, ends, 4 * words);
  const uint64_t number = take_tile(a.taken);
  if (a.places != nullptr) {
    const uint64_t later = number + MergeTile::ahead < a.tiles ? number + MergeTile::ahead : number;
    if (thread_index() < 4 * words) {
      const unsigned word = thread_index() % (2 * words);
      ends[thread_index()] = a.places[words * (thread_index() < 2 * words ? number : later) + word];
    }
  } else if (thread_index() < 64) {
    const uint64_t all = items_before<Merge>(a, a.first.rows);
    const uint64_t item = (number + thread_index() / 32) * tile_items;
    const merge_place place = place_of_item<Merge>(a, item < all ? item : all);
    if (lane_index() == 0) place.store(ends + words * (thread_index() / 32));
    if (lane_index() == 0) place.store(ends + words * (2 + thread_index() / 32));
  }
  sync_block();
  tile.from = merge_place::load(ends);
  tile.to = merge_place::load(ends + words);
  tile.later_from = merge_place::load(ends + 2 * words);
  tile.later_to = merge_place::load(ends + 3 * words);
  tile.rows = unsigned(tile.to.row - tile.from.row);
  tile.firsts = unsigned(tile.to.p - tile.from.p);
  tile.seconds = unsigned(tile.to.q - tile.from.q);
  return number;
}

/// Has a part of an array loaded into L2: a thread a line.
CUGRB_DEVICE void prefetch_part(const void* begin, const void* end) {
  constexpr unsigned line = 128;
  const char* const last = static_cast<const char*>(end);
  for (const char* at = static_cast<const char*>(begin) + thread_index() * line; at < last;
       at += MergeTile::threads * line)
    prefetch_line(at);
}

/// Has what a later tile reads loaded into L2. Blocks finish in the order of their tiles, so that many of
/// them load, search and store at the same time; memory has something to do all the time so.
template <class Merge, bool has_values>
CUGRB_DEVICE void prefetch_later(const MatrixMergeArguments& a, const merge_tile<Merge>& tile) {
  const merge_place &from = tile.later_from, &to = tile.later_to;
  constexpr bool reads_values = has_values && !Merge::keeps_meetings;  // most of them are needed
  const auto* const first = columns_of<typename Merge::First>(a.first);
  prefetch_part(first + from.p, first + to.p);
  if constexpr (reads_values) prefetch_part(Merge::first_values(a, from.p), Merge::first_values(a, to.p));
  if constexpr (Merge::has_second) {
    const auto* const second = columns_of<typename Merge::Second>(a.second);
    prefetch_part(second + from.q, second + to.q);
    if constexpr (reads_values) prefetch_part(Merge::second_values(a, from.q), Merge::second_values(a, to.q));
  }
}

/// Of one matrix some entries. Columns stay in registers: a thread has every 256th entry.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_one(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  constexpr unsigned each = Tile::each, at_once = merged_at_once<Merge>,
                     unrolled = Merge::searches ? 1 : each;
  CUGRB_SHARED(uint32_t, ends, Tile::capacity + 2);
  CUGRB_SHARED(uint32_t, kept, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, kept_before, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.ends = ends;
  tile.kept.words = kept;
  tile.kept.before = kept_before;
  tile.begin = begin;
  const uint64_t number = find_tile(a, tile);
  const unsigned lane = lane_index(), warp = thread_index() / warp_lanes;
  prefetch_later<Merge, has_values>(a, tile);
  const auto* const from = global_address(columns_of<typename Merge::First>(a.first) + tile.from.p);
  typename Tile::Column columns[each];
#pragma unroll
  for (unsigned k = 0; k < each; ++k) {
    const unsigned n = k * Tile::threads + thread_index();
    columns[k] = n < tile.firsts ? read_only(from + n) : 0;
  }
  tile.load_ends(a, 0);
  typename Tile::Marks marks = {};
  if constexpr (Tile::knows_rows) {
    marks = Tile::Marks::shared();
    marks.clear();
    sync_block();
    tile.mark_rows(marks);
  }
  const auto entry_of = [&](unsigned k) {
    const uint64_t row =
        Tile::knows_rows ? tile.from.row + marks.group_of(k * Tile::warps + warp, lane) : uint64_t(0);
    const uint64_t p = tile.from.p + (k * Tile::threads + thread_index());
    return merge_entry{p, 0, row, uint64_t(columns[k]), true, false};
  };
#pragma unroll unrolled
  for (unsigned k = 0; k < each; ++k) {
    const bool is_there = k * Tile::threads + thread_index() < tile.firsts;
    tile.kept.set(k * Tile::warps + warp, is_there && keeps_entry<Merge>(a, entry_of(k)));
  }
  tile.template place_kept<NewOffset>(a, number, tile.firsts, 0,
                                      [&](unsigned row) { return tile.kept.rank(tile.first_end(row)); });
  if (a.columns == nullptr) return;
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile);
#pragma unroll unrolled
  for (unsigned first = 0; first < each; first += at_once) {
    merged_entry<Merge, NewColumn, has_values, true> entries[at_once];
#pragma unroll
    for (unsigned k = first; k < first + at_once && k < each; ++k) {
      if (tile.kept.has(k * Tile::warps + warp, lane))
        entries[k - first].load(streams, entry_of(k), k * Tile::threads + thread_index(), 0);
    }
#pragma unroll
    for (unsigned k = first; k < first + at_once && k < each; ++k) {
      const unsigned word = k * Tile::warps + warp;
      if (tile.kept.has(word, lane)) entries[k - first].store(a, streams, tile.kept.rank(word, lane));
    }
  }
}

/// The entries of both matrices in a tile.
template <class Merge>
struct merge_pair {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  using Marks = typename Tile::Marks;
  const Tile& tile;
  const Marks& marks;
  Column* columns;  ///< and that of the second's entry behind them; there is memory before them
  uint16_t* found;  ///< of each entry its place in the other matrix, from bit 1 on; bit 0: that has one there
  CUGRB_DEVICE unsigned behind() const { return tile.seconds_at() + tile.seconds; }

  /// Columns and the ends of rows, whose loads wait for memory together. Behind the second's the one with
  /// which its row goes on.
  CUGRB_DEVICE void load(const MatrixMergeArguments& a) const {
    const auto* const first = global_address(columns_of<typename Tile::First>(a.first) + tile.from.p);
    const auto* const second = global_address(columns_of<typename Tile::Second>(a.second) + tile.from.q);
    const unsigned goes_on = unsigned(tile.to.edges & merge_place::goes_on), seconds = tile.seconds + goes_on;
    const unsigned most = tile.firsts > seconds ? tile.firsts : seconds;
    unsigned done = 0;
    do {
      typename Tile::FirstColumn of_first[loads];
      typename Tile::SecondColumn of_second[loads];
      load_columns(first, tile.firsts, done, of_first);
      load_columns(second, seconds, done, of_second);
      if (done == 0) tile.load_ends(a, seconds);
      store_columns(of_first, tile.firsts, done, 0);
      store_columns(of_second, seconds, done, tile.seconds_at());
      done += loads * Tile::threads;
    } while (done < most);
  }

  /// The bit of the second's first entry, and the kept ones of the first before its n-th. Where all of the
  /// first are kept only the second's have bits.
  CUGRB_DEVICE unsigned second_bits() const { return Merge::keeps_firsts ? 0 : tile.seconds_at(); }
  CUGRB_DEVICE unsigned kept_firsts(unsigned n) const { return Merge::keeps_firsts ? n : tile.kept.rank(n); }
  CUGRB_DEVICE unsigned kept_seconds(unsigned m) const {
    return tile.kept.rank(second_bits() + m) - tile.kept.before[second_bits() / warp_lanes];
  }
  CUGRB_DEVICE unsigned kept_before_end(unsigned row) const {
    const unsigned firsts = kept_firsts(tile.first_end(row));
    return Merge::keeps_meetings ? firsts : firsts + kept_seconds(tile.second_end(row));
  }

 private:
  static constexpr unsigned loads = sizeof(Column) == 8 ? 4 : 8;  ///< of a thread from each matrix at once

  template <class T>
  static CUGRB_DEVICE void load_columns(const T* from, unsigned count, unsigned done, T (&loaded)[loads]) {
    if (done >= count) return;
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) {
      const unsigned n = done + k * Tile::threads + thread_index();
      loaded[k] = read_only(from + (n < count ? n : count - 1));
    }
  }
  template <class T>
  CUGRB_DEVICE void store_columns(const T (&loaded)[loads], unsigned count, unsigned done,
                                  unsigned begin) const {
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) {
      const unsigned n = done + k * Tile::threads + thread_index();
      if (n < count) columns[begin + n] = Column(loaded[k]);
    }
  }
};

/// Those of one of the two. A warp has words of them that follow each other.
template <class Merge, bool of_first>
struct merge_side {
  using Pair = merge_pair<Merge>;
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  static constexpr unsigned at_once = Tile::at_once;
  static constexpr bool all = of_first && Merge::keeps_firsts;  ///< are kept
  const Pair& pair;
  unsigned count, begin, begin_word;  ///< where the first one is among both
  unsigned bits;                      ///< the word of its bit
  unsigned first_word, end_word;      ///< of the warp

  CUGRB_DEVICE explicit merge_side(const Pair& of)
      : pair(of),
        count(of_first ? of.tile.firsts : of.tile.seconds),
        begin(of_first ? 0 : of.tile.seconds_at()),
        begin_word(begin / warp_lanes),
        bits(of_first ? 0 : of.second_bits() / warp_lanes) {
    const unsigned words = (count + warp_lanes - 1) / warp_lanes,
                   each = (words + Tile::warps - 1) / Tile::warps;
    first_word = thread_index() / warp_lanes * each;
    end_word = first_word + each < words ? first_word + each : words;
  }

  /// Searches for the entries of some words from the given one on, which wait for shared memory together:
  /// their rows in the tile, and what they find. No step has a branch; what is found behind the last entry
  /// means nothing.
  CUGRB_DEVICE void search(unsigned word, unsigned (&rows)[at_once], unsigned (&there)[at_once]) const {
    const unsigned others_at = of_first ? pair.tile.seconds_at() : 0, lane = lane_index();
    const Column *const columns = pair.columns, *const before = columns - 1;
    Column wanted[at_once];
    unsigned place[at_once], end[at_once], lengths = 0;
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      rows[k] = pair.marks.group_of(begin_word + word + k, lane);
      const uint32_t ends = pair.tile.ends[rows[k]], next_ends = pair.tile.ends[rows[k] + 1];
      wanted[k] = columns[begin + (word + k) * warp_lanes + lane];
      place[k] = others_at + (of_first ? ends >> 16 : ends & 0xffffu);
      end[k] = others_at + (of_first ? next_ends >> 16 : next_ends & 0xffffu);
      lengths |= end[k] - place[k];
    }
    for (unsigned step = lengths != 0 ? 1u << highest_bit(lengths) : 0; step > 0; step /= 2) {
      Column seen[at_once];
      unsigned next[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        next[k] = place[k] + step < end[k] ? place[k] + step : end[k];
        seen[k] = before[next[k]];
      }
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) place[k] = seen[k] < wanted[k] ? next[k] : place[k];
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const bool meets = (place[k] < end[k]) & (columns[place[k]] == wanted[k]);
      there[k] = place[k] << 1 | unsigned(meets);
      if (word + k < end_word) pair.found[begin + (word + k) * warp_lanes + lane] = uint16_t(there[k]);
    }
  }
  /// The entry that the word has the calling thread's bit of. `there`: what it found; `row`: in the tile.
  CUGRB_DEVICE merge_entry entry_of(unsigned word, unsigned there, unsigned row) const {
    const unsigned n = word * warp_lanes + lane_index(), place = there >> 1;
    const bool met_before = !of_first && n == 0 && (pair.tile.from.edges & merge_place::meets) != 0;
    const uint64_t p = pair.tile.from.p + (of_first ? n : place);
    const uint64_t q = pair.tile.from.q + (of_first ? place - pair.tile.seconds_at() : n);
    return {p,
            q,
            pair.tile.from.row + row,
            uint64_t(pair.columns[begin + n]),
            of_first,
            ((there & 1) | unsigned(met_before)) != 0};
  }
  CUGRB_DEVICE unsigned found(unsigned word) const {
    return pair.found[begin + word * warp_lanes + lane_index()];
  }

  /// What is kept of them.
  CUGRB_DEVICE void keep(const MatrixMergeArguments& a) const {
    for (unsigned first = first_word; first < end_word; first += at_once) {
      unsigned rows[at_once], there[at_once];
      search(first, rows, there);
#pragma unroll Merge::searches ? 1 : at_once
      for (unsigned k = 0; k < at_once; ++k) {
        const unsigned word = first + k;
        if (word >= end_word) break;
        const merge_entry entry = entry_of(word, there[k], rows[k]);
        const bool is_there =
            (word * warp_lanes + lane_index() < count) & (!Merge::keeps_meetings | entry.both);
        if constexpr (!all) pair.tile.kept.set(bits + word, is_there && keeps_entry<Merge>(a, entry));
      }
    }
  }
  /// Stores what is kept of them.
  template <class Streams, class Entry>
  CUGRB_DEVICE void store(const MatrixMergeArguments& a, const Streams& streams) const {
    constexpr unsigned together = merged_at_once<Merge>;
    const auto& kept = pair.tile.kept;
    const unsigned lane = lane_index(), of_firsts = kept.before[pair.second_bits() / warp_lanes];
    for (unsigned first = first_word; first < end_word; first += together) {
      Entry entries[together];
      unsigned places[together];
      bool keeps[together];
#pragma unroll
      for (unsigned k = 0; k < together; ++k) {
        const unsigned word = first + k;
        keeps[k] = word < end_word && (all ? word * warp_lanes + lane < count : kept.has(bits + word, lane));
        if (!keeps[k]) continue;
        const unsigned there = found(word);
        const unsigned row = Merge::reads_places ? pair.marks.group_of(begin_word + word, lane) : 0;
        entries[k].load(streams, entry_of(word, there, row), word * warp_lanes + lane,
                        (there >> 1) - pair.tile.seconds_at());
        places[k] = all ? word * warp_lanes + lane : kept.rank(bits + word, lane);
        if constexpr (!Merge::keeps_meetings)
          places[k] += of_first ? pair.kept_seconds((there >> 1) - pair.tile.seconds_at())
                                : pair.kept_firsts((there >> 1) + (there & 1)) - of_firsts;
      }
#pragma unroll
      for (unsigned k = 0; k < together; ++k) {
        if (keeps[k]) entries[k].store(a, streams, places[k]);
      }
    }
  }
};

/// Two matrices.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_two(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  CUGRB_SHARED(typename Tile::Column, pool, Tile::capacity + 5);  // columns, behind them the ends of rows
  CUGRB_SHARED(uint16_t, found, Tile::capacity);
  CUGRB_SHARED(uint32_t, kept, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, kept_before, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.kept.before = kept_before;
  tile.begin = begin;
  const uint64_t number = find_tile(a, tile);
  const auto marks = Tile::Marks::shared();
  const merge_pair<Merge> pair = {tile, marks, pool + 1, found};
  tile.ends = reinterpret_cast<uint32_t*>(pair.columns + pair.behind() + 1);
  marks.clear();
  prefetch_later<Merge, has_values>(a, tile);
  pair.load(a);
  sync_block();
  tile.mark_rows(marks);

  const merge_side<Merge, true> of_first(pair);
  const merge_side<Merge, false> of_second(pair);
  of_first.keep(a);
  if constexpr (!Merge::keeps_meetings) of_second.keep(a);
  tile.template place_kept<NewOffset>(
      a, number, Merge::keeps_meetings ? tile.firsts : pair.second_bits() + tile.seconds,
      Merge::keeps_firsts ? tile.firsts : 0, [&](unsigned row) { return pair.kept_before_end(row); });
  if (a.columns == nullptr) return;
  using Streams = merge_streams<Merge, NewColumn, has_values>;
  const Streams streams(a, tile);
  of_first.template store<Streams, merged_entry<Merge, NewColumn, has_values, true>>(a, streams);
  if constexpr (!Merge::keeps_meetings)
    of_second.template store<Streams, merged_entry<Merge, NewColumn, has_values, false>>(a, streams);
}

/// Blocks that a multiprocessor holds at once: searches in masks, rows and wide columns take registers. (With
/// no number ptxas aims at 32, and spills some.)
template <class Merge>
constexpr int merge_blocks = Merge::has_second && !Merge::searches && !merge_tile<Merge>::knows_rows &&
                                     sizeof(typename merge_tile<Merge>::Column) <= 4
                                 ? 5
                                 : 4;

/// Grid: a block for each tile of items.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_KERNEL_RESIDENT(256, merge_blocks<Merge>)
void matrix_merge(MatrixMergeArguments a) {
  if constexpr (Merge::has_second) {
    merge_two<Merge, NewOffset, NewColumn, has_values>(a);
  } else {
    merge_one<Merge, NewOffset, NewColumn, has_values>(a);
  }
}

}  // namespace cugrb
