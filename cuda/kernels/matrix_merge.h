// Two matrices are merged, row by row and column by column, and what is kept of their entries becomes a
// matrix: in one launch, that reads each entry once. The write-back, eWiseAdd, eWiseMult, eWiseUnion and
// select of matrices are such merges.
//
// Each block takes a tile of as many items as any other: entries of both matrices, and the ends of rows.
// Where the tile begins in both is found by a search over rows and one over the columns of a row (merge
// path). The tile's columns lie in shared memory. An entry of the first matrix has its slot among both
// matrices' entries behind its own ordinal and that of the place that its column has in the second's row. The
// slots that are left are the second's, in its order: bits that are counted tell which, and no entry of the
// second searches. Bits tell what is kept, too. Where a tile's entries begin in the result the block learns by
// looking back over the tiles before it (look_back.h). So no row's length matters much, nor does an empty
// row's presence.
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
//   Value                  the type of the result's values
//   keeps_first(a, p, i, j, both, q)   of the first's entry p at (i, j); both: the second has an entry there,
//   q keeps_second(a, q, i, j, both)     of the second's entry q; both: the first has an entry there
//   load_first(a, p), load_second(a, q)     what is read of an entry (FirstValue, SecondValue)
//   combines               whether the second's is read where both have one and the first's stands for both
//   value(a, at, first, second)             the result's, of what has been read
//   new_column(a, j)       the result's column

/// An entry that a merge looks at: where it is in both matrices, and at which place.
struct merge_entry {
  uint64_t p, q, row, column;
  bool of_first, both;
};

/// What most merges do.
struct merge_of_same_columns {
  static constexpr bool keeps_by_entry = false, keeps_meetings = false, combines = true,
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
  static CUGRB_DEVICE merge_nothing load_second(const MatrixMergeArguments&, uint64_t) { return {}; }
};

/// The same, whose entries keep their values.
template <class Rows, class Element>
struct merge_of_one_matrix : merge_without_second<Rows> {
  using Value = Element;
  using FirstValue = Element;
  static constexpr bool reads_places = false;
  static CUGRB_DEVICE Element load_first(const MatrixMergeArguments& a, uint64_t p) {
    return static_cast<const Element*>(a.first.values)[p];
  }
  static CUGRB_DEVICE Element value(const MatrixMergeArguments&, const merge_entry&, const Element& first,
                                    merge_nothing) {
    return first;
  }
};

/// Where an item lies: behind `row` ended rows, `p` entries of the first matrix and `q` of the second.
struct merge_place {
  uint64_t row, p, q;
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
  if (low == a.first.rows) return {low, a.first.entries, Merge::has_second ? a.second.entries : 0};
  const uint64_t p = row_begin<First>(a.first, low), q = second_begin<Merge>(a, low);
  const uint64_t rest = item - (p + q + low);
  if constexpr (!Merge::has_second) {
    return {low, p + rest, 0};
  } else {
    const uint64_t firsts = row_begin<First>(a.first, low + 1) - p,
                   seconds = second_begin<Merge>(a, low + 1) - q;
    const uint64_t of_first =
        merged_of_first(columns_of<First>(a.first) + p, firsts,
                        columns_of<typename Merge::Second>(a.second) + q, seconds, rest);
    return {low, p + of_first, q + rest - of_first};
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
  static constexpr unsigned most_words = capacity / 32;
  uint32_t* words;   ///< and one behind the last
  uint32_t* before;  ///< the same

  /// Bits before that one.
  CUGRB_DEVICE unsigned rank(unsigned word, unsigned bit) const {
    return before[word] + unsigned(count_bits(words[word] & ((1u << bit) - 1)));
  }
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

/// The tile of a block.
template <class Merge>
struct merge_tile {
  using First = typename Merge::First;
  using Second = typename Merge::Second;
  using FirstColumn = typename First::Column;
  using SecondColumn = typename Second::Column;
  using Column = choose<(sizeof(FirstColumn) > sizeof(SecondColumn)), FirstColumn, SecondColumn>;
  static constexpr unsigned threads = MergeTile::threads, each = merge_items_of_thread<Column>,
                            capacity = threads * each;
  static constexpr bool knows_rows = !Merge::keeps_by_entry || Merge::reads_places;
  using Bits = counted_bits<capacity>;
  using Marks = group_marks<capacity>;

  merge_place from, to;
  unsigned firsts, seconds, rows;
  uint32_t* ends;  ///< of the row before, of those that end in it, and of all entries: in the first matrix
                   ///< and, from bit 16 on, in the second
  Bits kept;
  uint64_t* begin;  ///< in the result

  CUGRB_DEVICE unsigned first_begin(unsigned row) const { return ends[row] & 0xffffu; }
  CUGRB_DEVICE unsigned second_begin_of(unsigned row) const { return ends[row] >> 16; }
  CUGRB_DEVICE unsigned first_end(unsigned row) const { return first_begin(row + 1); }
  CUGRB_DEVICE unsigned second_end(unsigned row) const { return second_begin_of(row + 1); }

  /// The thread's k-th item, the word that has its bit, and the result of that of a row.
  static CUGRB_DEVICE unsigned item_of(unsigned k) { return k * threads + thread_index(); }
  static CUGRB_DEVICE unsigned word_of(unsigned k) {
    return k * (threads / warp_lanes) + thread_index() / warp_lanes;
  }
  CUGRB_DEVICE uint64_t row_of(const Marks& marks, unsigned k) const {
    if constexpr (!knows_rows) return 0;
    return from.row + marks.group_of(word_of(k), lane_index());
  }

  CUGRB_DEVICE void load_ends(const MatrixMergeArguments& a) const {
    if (thread_index() == 0) ends[0] = 0, ends[rows + 1] = firsts | seconds << 16;
    for (unsigned n = thread_index(); n < rows; n += threads) {
      const uint64_t row = from.row + n + 1;
      uint32_t end = uint32_t(row_begin<First>(a.first, row) - from.p);
      if constexpr (Merge::has_second) end |= uint32_t(second_begin<Merge>(a, row) - from.q) << 16;
      ends[n + 1] = end;
    }
  }
  /// Marks rows by the first of their items: begin_of(row) and end_of(row) are its items. Passes barriers.
  template <class BeginOf, class EndOf>
  CUGRB_DEVICE void mark_rows(const Marks& marks, BeginOf begin_of, EndOf end_of) const {
    for (unsigned row = thread_index(); row <= rows; row += threads) {
      const unsigned item = begin_of(row);
      if (item < end_of(row)) marks.mark(item, row);
    }
    sync_block();
    if (thread_index() < warp_lanes) marks.count();
    sync_block();
  }
  /// Where the tile's kept entries go, of as many as there are bits; stores the ends of rows. end_of(row):
  /// of its items. Passes barriers.
  template <class NewOffset, class EndOf>
  CUGRB_DEVICE void place_kept(const MatrixMergeArguments& a, uint64_t number, unsigned items,
                               EndOf end_of) const {
    sync_block();
    if (thread_index() < warp_lanes) {
      const uint32_t of_tile = kept.count(items);
      const uint64_t before = sum_before_tile(a.sums, number, of_tile);
      if (lane_index() == 0) begin[0] = before;
      store_ends<NewOffset>(a, number, before + of_tile);
    }
    sync_block();
    auto* const offsets = static_cast<NewOffset*>(a.offsets) + from.row + 1;
    for (unsigned n = thread_index(); n < rows; n += threads) {
      const unsigned end = end_of(n);
      offsets[n] = NewOffset(begin[0] + kept.rank(end / 32, end % 32));
    }
  }
};

/// A kept entry on its way.
template <class Merge, class NewColumn, bool has_values>
struct merged_entry {
  merge_entry at;
  typename Merge::FirstValue first;
  typename Merge::SecondValue second;

  CUGRB_DEVICE void load(const MatrixMergeArguments& a, const merge_entry& entry) {
    at = entry;
    if constexpr (has_values) {
      if (at.of_first) first = Merge::load_first(a, at.p);
      if constexpr (Merge::has_second) {
        if (!at.of_first || (Merge::combines && at.both)) second = Merge::load_second(a, at.q);
      }
    }
  }
  CUGRB_DEVICE void store(const MatrixMergeArguments& a, uint64_t place) const {
    static_cast<NewColumn*>(a.columns)[place] = NewColumn(Merge::new_column(a, at.column));
    if constexpr (has_values)
      static_cast<typename Merge::Value*>(a.values)[place] = Merge::value(a, at, first, second);
  }
};

/// Entries that a thread has on their way at once: their loads wait for memory together.
template <class Merge>
constexpr unsigned merged_at_once = Merge::searches                         ? 1
                                    : sizeof(typename Merge::Value) <= 4 ? 5
                                    : sizeof(typename Merge::Value) <= 8 ? 3
                                                                         : 1;

/// How often a loop over a thread's items is unrolled: searches would make it long.
template <class Merge>
constexpr unsigned merge_unrolled = Merge::searches ? 1 : merge_tile<Merge>::each;

/// The kept ones of a thread's items: entry_of(k) is the k-th, where keeps(k) says so.
template <class Merge, class NewColumn, bool has_values, class Keeps, class EntryOf>
CUGRB_DEVICE void store_kept(const MatrixMergeArguments& a, const merge_tile<Merge>& tile, Keeps keeps,
                             EntryOf entry_of) {
  constexpr unsigned each = merge_tile<Merge>::each, at_once = merged_at_once<Merge>;
  if (a.columns == nullptr) return;
  const uint64_t begin = tile.begin[0];
#pragma unroll merge_unrolled<Merge>
  for (unsigned first = 0; first < each; first += at_once) {
    merged_entry<Merge, NewColumn, has_values> entries[at_once];
#pragma unroll
    for (unsigned k = first; k < first + at_once && k < each; ++k) {
      if (keeps(k)) entries[k - first].load(a, entry_of(k));
    }
#pragma unroll
    for (unsigned k = first; k < first + at_once && k < each; ++k) {
      if (keeps(k))
        entries[k - first].store(a, begin + tile.kept.rank(tile.word_of(k), lane_index()));
    }
  }
}

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
  uint64_t* const words = a.places + 3 * number;
  if (lane_index() == 0) words[0] = place.row, words[1] = place.p, words[2] = place.q;
}

/// The tile that the block takes: where it lies. Passes barriers.
template <class Merge>
CUGRB_DEVICE uint64_t find_tile(const MatrixMergeArguments& a, merge_tile<Merge>& tile) {
  constexpr unsigned tile_items =
      MergeTile::threads * merge_items_of_thread<typename merge_tile<Merge>::Column>;
  CUGRB_SHARED(uint64_t, ends, 6);
  const uint64_t number = take_tile(a.taken);
  if (a.places != nullptr) {
    if (thread_index() < 6) ends[thread_index()] = a.places[3 * number + thread_index()];
  } else if (thread_index() < 64) {
    const uint64_t all = items_before<Merge>(a, a.first.rows);
    const uint64_t item = (number + thread_index() / 32) * tile_items;
    const merge_place place = place_of_item<Merge>(a, item < all ? item : all);
    uint64_t* const end = ends + 3 * (thread_index() / 32);
    if (lane_index() == 0) end[0] = place.row, end[1] = place.p, end[2] = place.q;
  }
  sync_block();
  tile.from = {ends[0], ends[1], ends[2]};
  tile.to = {ends[3], ends[4], ends[5]};
  tile.rows = unsigned(ends[3] - ends[0]);
  tile.firsts = unsigned(ends[4] - ends[1]);
  tile.seconds = unsigned(ends[5] - ends[2]);
  return number;
}

/// Of one matrix some entries. Columns stay in registers: a thread has every 256th entry.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_one(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  constexpr unsigned each = Tile::each;
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
  const auto* const from = columns_of<typename Merge::First>(a.first) + tile.from.p;
  typename Tile::Column columns[each];
#pragma unroll
  for (unsigned k = 0; k < each; ++k)
    columns[k] = tile.item_of(k) < tile.firsts ? read_only(from + tile.item_of(k)) : 0;
  tile.load_ends(a);
  typename Tile::Marks marks = {};
  if constexpr (Tile::knows_rows) {
    marks = Tile::Marks::shared();
    marks.clear();
    sync_block();
    tile.mark_rows(
        marks, [&](unsigned row) { return tile.first_begin(row); },
        [&](unsigned row) { return tile.first_end(row); });
  }
  const auto entry_of = [&](unsigned k) {
    return merge_entry{tile.from.p + tile.item_of(k), 0,   tile.row_of(marks, k),
                       uint64_t(columns[k]),          true, false};
  };
  uint32_t mine = 0;  // which of the thread's are kept
#pragma unroll merge_unrolled<Merge>
  for (unsigned k = 0; k < each; ++k) {
    const bool keeps = tile.item_of(k) < tile.firsts && keeps_entry<Merge>(a, entry_of(k));
    tile.kept.set(tile.word_of(k), keeps);
    mine |= uint32_t(keeps) << k;
  }
  tile.template place_kept<NewOffset>(a, number, tile.firsts,
                                      [&](unsigned row) { return tile.first_end(row); });
  store_kept<Merge, NewColumn, has_values>(
      a, tile, [&](unsigned k) { return (mine >> k & 1) != 0; }, entry_of);
}

/// The columns of both matrices in a tile.
template <class Merge>
struct merge_columns {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  Column* columns;  ///< of the first matrix's entries, then of the second's and of that behind them
  Column* edge;         ///< of the first's entry before the tile. has_edges: that the row goes on there,
  uint32_t* has_edges;  ///< and behind the tile with the second's

  CUGRB_DEVICE void load(const MatrixMergeArguments& a, const Tile& tile) const {
    constexpr unsigned each = Tile::each;
    const unsigned entries = tile.firsts + tile.seconds;
    Column loaded[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      if (tile.item_of(k) < entries) loaded[k] = column_at(a, tile, tile.item_of(k));
    }
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      if (tile.item_of(k) < entries) columns[tile.item_of(k)] = loaded[k];
    }
    if (thread_index() != 0) return;
    has_edges[0] = tile.from.row < a.first.rows &&
                   tile.from.p > row_begin<typename Tile::First>(a.first, tile.from.row);
    if (has_edges[0]) edge[0] = Column(columns_of<typename Tile::First>(a.first)[tile.from.p - 1]);
    has_edges[1] = tile.to.row < a.first.rows && tile.to.q < second_begin<Merge>(a, tile.to.row + 1);
    if (has_edges[1]) columns[entries] = Column(columns_of<typename Tile::Second>(a.second)[tile.to.q]);
  }

 private:
  static CUGRB_DEVICE Column column_at(const MatrixMergeArguments& a, const Tile& tile, unsigned n) {
    const auto* const first = columns_of<typename Tile::First>(a.first) + tile.from.p;
    const auto* const second = columns_of<typename Tile::Second>(a.second) + tile.from.q;
    if constexpr (is_same<typename Tile::FirstColumn, typename Tile::SecondColumn>) {
      return read_only((n < tile.firsts ? first : second) + (n < tile.firsts ? n : n - tile.firsts));
    } else {
      return n < tile.firsts ? Column(read_only(first + n)) : Column(read_only(second + (n - tile.firsts)));
    }
  }
};

/// Where some of the first matrix's entries are in the second, those of the thread from its k-th item on:
/// their searches wait for shared memory together. No step has a branch; what is found of items that are no
/// entries means nothing.
template <class Merge>
struct merge_searches {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  static constexpr unsigned at_once = sizeof(Column) == 8 ? 7 : 5;
  static_assert(Tile::each % at_once == 0, "items behind the tile have no words");
  unsigned q[at_once];  ///< the second's entries before it
  bool both[at_once];   ///< the second has one there, perhaps behind the tile

  CUGRB_DEVICE void search(const Tile& tile, const typename Tile::Marks& marks,
                           const merge_columns<Merge>& columns, unsigned first) {
    const unsigned firsts = tile.firsts, all = firsts + tile.seconds;
    Column wanted[at_once];
    unsigned end[at_once], row[at_once], lengths = 0;
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      row[k] = marks.group_of(tile.word_of(first + k), lane_index());
      wanted[k] = columns.columns[tile.item_of(first + k)];
      q[k] = firsts + tile.second_begin_of(row[k]);
      end[k] = firsts + tile.second_end(row[k]);
      lengths |= end[k] - q[k];
    }
    for (unsigned step = lengths != 0 ? 1u << highest_bit(lengths) : 0; step > 0; step /= 2) {
      Column seen[at_once];
      unsigned next[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        next[k] = q[k] + step < end[k] ? q[k] + step : end[k];
        seen[k] = columns.columns[next[k] - 1];
      }
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) q[k] = seen[k] < wanted[k] ? next[k] : q[k];
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned end_of_row = row[k] == tile.rows ? all + columns.has_edges[1] : end[k];
      both[k] = (q[k] < end_of_row) & (columns.columns[q[k]] == wanted[k]);
      q[k] -= firsts;
    }
  }
};

/// What a slot holds.
struct merge_slot {
  static constexpr uint8_t of_second = 0, of_first = 1, of_both = 3;
};

/// Of two matrices entries of the first that meet one of the second.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void store_meetings(const MatrixMergeArguments& a, const merge_tile<Merge>& tile,
                                 const typename merge_tile<Merge>::Marks& marks,
                                 const merge_columns<Merge>& columns, uint64_t number) {
  using Tile = merge_tile<Merge>;
  constexpr unsigned each = Tile::each, at_once = merge_searches<Merge>::at_once;
  unsigned before[each] = {};  // the second's entries before each of the thread's
  uint32_t mine = 0;           // which of them are kept
  const auto entry_of = [&](unsigned k) {
    return merge_entry{tile.from.p + tile.item_of(k),
                       tile.from.q + before[k],
                       tile.row_of(marks, k),
                       uint64_t(columns.columns[tile.item_of(k)]),
                       true,
                       true};
  };
#pragma unroll
  for (unsigned first = 0; first < each; first += at_once) {
    merge_searches<Merge> found;
    const bool any = first * Tile::threads < tile.firsts;
    if (any) found.search(tile, marks, columns, first);
#pragma unroll
    for (unsigned k = first; k < first + at_once && k < each; ++k) {
      bool keeps = any && tile.item_of(k) < tile.firsts && found.both[k - first];
      if (keeps) {
        before[k] = found.q[k - first];
        keeps = keeps_entry<Merge>(a, entry_of(k));
      }
      tile.kept.set(tile.word_of(k), keeps);
      mine |= uint32_t(keeps) << k;
    }
  }
  tile.template place_kept<NewOffset>(a, number, tile.firsts,
                                      [&](unsigned row) { return tile.first_end(row); });
  store_kept<Merge, NewColumn, has_values>(
      a, tile, [&](unsigned k) { return (mine >> k & 1) != 0; }, entry_of);
}

/// Which of a thread's slots hold an entry of the first, and in which both have one: a bit each.
struct merge_slots {
  uint32_t firsts = 0, both = 0;
  CUGRB_DEVICE void see(unsigned k, uint8_t before, uint8_t slot) {
    const bool first = slot != merge_slot::of_second;
    firsts |= uint32_t(first) << k;
    both |= uint32_t((first ? slot : before) == merge_slot::of_both) << k;
  }
};

/// Of two matrices entries of both: `slots` has a byte for each slot, zeroed, behind that of an entry before.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void store_joined(const MatrixMergeArguments& a, const merge_tile<Merge>& tile,
                               const typename merge_tile<Merge>::Marks& marks,
                               const merge_columns<Merge>& columns, uint8_t* slots, uint64_t number) {
  using Tile = merge_tile<Merge>;
  constexpr unsigned each = Tile::each, at_once = merge_searches<Merge>::at_once;
  CUGRB_SHARED(uint32_t, firsts, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, firsts_before, Tile::Bits::most_words + 1);
  const typename Tile::Bits of_first = {firsts, firsts_before};
  const unsigned entries = tile.firsts + tile.seconds;
  for (unsigned first = 0; first * Tile::threads < tile.firsts; first += at_once) {
    merge_searches<Merge> found;
    found.search(tile, marks, columns, first);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = tile.item_of(first + k);
      if (n < tile.firsts)
        slots[1 + n + found.q[k]] = found.both[k] ? merge_slot::of_both : merge_slot::of_first;
    }
  }
  if (thread_index() == 0 && columns.has_edges[0] != 0 && tile.second_end(0) > 0 &&
      columns.columns[tile.firsts] == columns.edge[0])
    slots[0] = merge_slot::of_both;
  sync_block();
  merge_slots mine;
#pragma unroll
  for (unsigned k = 0; k < each; ++k) {
    mine.see(k, slots[tile.item_of(k)], slots[tile.item_of(k) + 1]);
    of_first.set(tile.word_of(k), (mine.firsts >> k & 1) != 0);
  }
  if constexpr (Tile::knows_rows) marks.clear();
  sync_block();
  if (thread_index() < warp_lanes) of_first.count(entries);
  const auto end_of = [&](unsigned row) { return tile.first_end(row) + tile.second_end(row); };
  if constexpr (Tile::knows_rows) {
    tile.mark_rows(
        marks, [&](unsigned row) { return tile.first_begin(row) + tile.second_begin_of(row); }, end_of);
  } else {
    sync_block();
  }

  const auto entry_of = [&](unsigned k) {
    const bool is_first = (mine.firsts >> k & 1) != 0;
    const unsigned p = of_first.rank(tile.word_of(k), lane_index()), q = tile.item_of(k) - p;
    return merge_entry{tile.from.p + p,
                       tile.from.q + q,
                       tile.row_of(marks, k),
                       uint64_t(columns.columns[is_first ? p : tile.firsts + q]),
                       is_first,
                       (mine.both >> k & 1) != 0};
  };
  uint32_t kept = 0;  // which of the thread's are
#pragma unroll merge_unrolled<Merge>
  for (unsigned k = 0; k < each; ++k) {
    const bool keeps = tile.item_of(k) < entries && keeps_entry<Merge>(a, entry_of(k));
    tile.kept.set(tile.word_of(k), keeps);
    kept |= uint32_t(keeps) << k;
  }
  tile.template place_kept<NewOffset>(a, number, entries, end_of);
  store_kept<Merge, NewColumn, has_values>(
      a, tile, [&](unsigned k) { return (kept >> k & 1) != 0; }, entry_of);
}

/// Two matrices.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_two(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  constexpr unsigned slot_words = Merge::keeps_meetings ? 1 : Tile::capacity / 4 + 1;
  CUGRB_SHARED(Column, columns, Tile::capacity + 4);  // and, behind them, the ends of rows
  CUGRB_SHARED(uint32_t, slots, slot_words);
  CUGRB_SHARED(Column, edge, 1);
  CUGRB_SHARED(uint32_t, has_edges, 2);
  CUGRB_SHARED(uint32_t, kept, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, kept_before, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.kept.before = kept_before;
  tile.begin = begin;
  const uint64_t number = find_tile(a, tile);
  tile.ends = reinterpret_cast<uint32_t*>(columns + tile.firsts + tile.seconds + 1);
  const merge_columns<Merge> both{columns, edge, has_edges};
  both.load(a, tile);
  tile.load_ends(a);
  const auto marks = Tile::Marks::shared();
  marks.clear();
  if constexpr (!Merge::keeps_meetings) {
    for (unsigned n = thread_index(); n < slot_words; n += Tile::threads) slots[n] = 0;
  }
  sync_block();
  tile.mark_rows(
      marks, [&](unsigned row) { return tile.first_begin(row); },
      [&](unsigned row) { return tile.first_end(row); });
  if constexpr (Merge::keeps_meetings) {
    store_meetings<Merge, NewOffset, NewColumn, has_values>(a, tile, marks, both, number);
  } else {
    store_joined<Merge, NewOffset, NewColumn, has_values>(a, tile, marks, both,
                                                          reinterpret_cast<uint8_t*>(slots), number);
  }
}

/// Grid: a block for each tile of items. (With no number of blocks ptxas aims at 32 registers, and spills
/// some.)
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_KERNEL_RESIDENT(256, Merge::searches ? 4 : 5)
void matrix_merge(MatrixMergeArguments a) {
  if constexpr (Merge::has_second) {
    merge_two<Merge, NewOffset, NewColumn, has_values>(a);
  } else {
    merge_one<Merge, NewOffset, NewColumn, has_values>(a);
  }
}

}  // namespace cugrb
