// Two matrices are merged, row by row and column by column, and what is kept of their entries becomes a
// matrix: in one launch, that reads each entry once. The write-back, eWiseAdd, eWiseMult, eWiseUnion and
// select of matrices are such merges.
//
// Blocks take tiles of as many items as any other: entries of both matrices, and the ends of rows. Where a
// tile begins in both is found by a search over rows and one over the columns of a row (merge path). What is
// kept is a bit for each entry. Its ordinal in the result is the number of bits before it. Where a tile's
// entries begin in the result the block learns by looking back over the tiles before it (look_back.h). So no
// row's length matters much, nor does an empty row's presence.
//
// The tile's columns lie in shared memory. Where entries of either matrix may be kept, each thread goes
// through as many of them as any other, in their merged order; a second look at them in this order loads
// values and stores what is kept, so that neighbours store beside each other. Where only entries that both
// matrices have are kept, most of the first's that have none beside them are told by a Bloom filter of the
// second's columns, and the others search for their column in the second's row.
//
// O. Green, R. McColl, D. Bader, GPU Merge Path, ICS 2012. D. Merrill, M. Garland, Merge-based Parallel
// Sparse Matrix-Vector Multiplication, SC 2016 (rows as items). B. Bloom, Space/Time Trade-offs in Hash
// Coding with Allowable Errors, CACM 1970.
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

// A merge says what is kept, and what becomes of it:
//   First, Second          csr_rows of both; has_second: the second one is there
//   moves_values           of one without a second: values are those of the first, of 4 bytes at most
//   reads_places           whether values depend on rows, or are searched for
//   searches               whether keeps_first and keeps_second search in a matrix: that takes registers
//   asks_memory            whether they load anything
//   keeps_by_entry         whether keeps_first and keeps_second look at no row
//   keeps_meetings         whether nothing is kept but entries of the first, and keeps_second is not asked
//   Value                  the type of the result's values
//   keeps_first(a, p, i, j, both, q)   of the first's entry p at (i, j); both: the second has an entry there,
//   q keeps_second(a, q, i, j, both)     of the second's entry q; both: the first has an entry there
//   first_values(a, p), second_values(a, q) the values from that one on
//   load_first(values, n), load_second      what is read of the n-th of them (FirstValue, SecondValue)
//   combines               whether the second's is read where both have one and the first's stands for both
//   value(a, at, first, second)             the result's, of what has been read
//   new_column(a, j)       the result's column
//   passes_seconds(a, i, k) whether all entries of the second in the rows from i to k are kept where the
//   first has none there

/// An entry that a merge looks at: where it is in its matrix, and at which place. q is of the second's entry
/// there, where it is one of the first.
struct merge_entry {
  uint64_t p, q, row, column;
  bool of_first, both;
};

/// What most merges do.
struct merge_of_same_columns {
  static constexpr bool keeps_by_entry = false, keeps_meetings = false, combines = true, searches = false,
                        asks_memory = false, moves_values = false;
  static CUGRB_DEVICE uint64_t new_column(const MatrixMergeArguments&, uint64_t j) { return j; }
  static CUGRB_DEVICE bool passes_seconds(const MatrixMergeArguments&, uint64_t, uint64_t) { return false; }
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
  static constexpr bool reads_places = false, moves_values = sizeof(Element) <= 4;
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
template <class Count, class FirstColumn, class SecondColumn>
CUGRB_DEVICE Count merged_of_first(const FirstColumn* first, Count firsts, const SecondColumn* second,
                                   Count seconds, Count rest) {
  Count low = rest > seconds ? rest - seconds : 0, high = rest < firsts ? rest : firsts;
  while (low < high) {
    const Count middle = (low + high) / 2;
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

/// A bit for each item of a tile, so many of them in a word, and the bits before each word.
template <unsigned capacity, unsigned of_word>
struct counted_bits {
  static constexpr unsigned most_words = (capacity + of_word - 1) / of_word;
  uint32_t* words;   ///< and one behind the last
  uint32_t* before;  ///< the same

  CUGRB_DEVICE bool has(unsigned n) const { return (words[n / of_word] >> n % of_word & 1) != 0; }
  /// Bits before that one.
  CUGRB_DEVICE unsigned rank(unsigned n) const {
    return before[n / of_word] + unsigned(count_bits(words[n / of_word] & ((1u << n % of_word) - 1)));
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
    const unsigned used = (items + of_word - 1) / of_word;
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
  using Bits = counted_bits<capacity, (goes_through && !Merge::asks_memory ? each : unsigned(warp_lanes))>;
  using Marks = group_marks<capacity>;

  merge_place from, to;
  merge_place later_from, later_to;  ///< of the tile that is fetched into L2; the same where there is none
  unsigned firsts, seconds, rows;
  uint32_t* ends;  ///< of the row before, of those that end in it, and of the row that goes on: in the first
                   ///< matrix and, from bit 16 on, in the second, with the one behind the tile
  Bits kept;
  uint64_t* begin;  ///< in the result

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

  /// `seconds_and_next`: the second's entries, with the one behind the tile.
  CUGRB_DEVICE void load_ends(const MatrixMergeArguments& a, unsigned seconds_and_next) const {
    if (thread_index() == 0) ends[0] = 0, ends[rows + 1] = firsts | seconds_and_next << 16;
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

/// Where a tile lies. Passes a barrier.
template <class Merge>
CUGRB_DEVICE void find_tile(const MatrixMergeArguments& a, uint64_t number, merge_tile<Merge>& tile) {
  constexpr unsigned words = merge_place::words;
  CUGRB_SHARED(uint64_t, ends, 4 * words);
  if (a.places != nullptr) {
    const uint64_t later = number + MergeTile::ahead < a.tiles ? number + MergeTile::ahead : number;
    if (thread_index() < 4 * words) {
      const unsigned word = thread_index() % (2 * words);
      ends[thread_index()] = a.places[words * (thread_index() < 2 * words ? number : later) + word];
    }
  } else if (thread_index() < 64) {
    const uint64_t all = items_before<Merge>(a, a.first.rows);
    const uint64_t item = (number + thread_index() / 32) * merge_tile<Merge>::capacity;
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
}

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

/// A kept entry on its way.
template <class Merge, class NewColumn, bool has_values>
struct merged_entry {
  using Streams = merge_streams<Merge, NewColumn, has_values>;
  merge_entry at;
  typename Merge::FirstValue first;
  typename Merge::SecondValue second;

  /// `n`, `m`: entries before it of the first matrix's and of the second's in the tile; one of them is it.
  CUGRB_DEVICE void load(const Streams& streams, const merge_entry& entry, unsigned n, unsigned m) {
    at = entry;
    if constexpr (has_values) {
      if (at.of_first) first = Merge::load_first(streams.first, n);
      if constexpr (Merge::has_second) {
        if (!at.of_first || (Merge::combines && at.both)) second = Merge::load_second(streams.second, m);
      }
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

/// Stores a tile's kept ones of `count` items. keeps(n): whether the item is kept; load(n, entry); place(n):
/// among the kept ones.
template <class Merge, class NewColumn, bool has_values, class Keeps, class Load, class Place>
CUGRB_DEVICE void store_kept(const MatrixMergeArguments& a,
                             const merge_streams<Merge, NewColumn, has_values>& streams, unsigned count,
                             Keeps keeps, Load load, Place place) {
  constexpr unsigned at_once = merged_at_once<Merge>;
  for (unsigned first = thread_index(); first < count; first += at_once * MergeTile::threads) {
    merged_entry<Merge, NewColumn, has_values> entries[at_once];
    bool kept[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = first + k * MergeTile::threads;
      kept[k] = n < count && keeps(n);
      if (kept[k]) load(n, entries[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      if (kept[k]) entries[k].store(a, streams, place(first + k * MergeTile::threads));
    }
  }
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
  if (thread_index() < warp_lanes) find_begin<NewOffset>(a, number, tile.kept.count(tile.firsts), tile.begin);
  sync_block();
}

/// Loads a tile's part of an array to shared memory. A thread may look at those that it has loaded after
/// wait_for_copies(), others after a barrier.
template <class T, class Loaded>
CUGRB_DEVICE void load_part(const T* from, unsigned count, Loaded* to) {
  from = global_address(from);
#pragma unroll 4
  for (unsigned n = thread_index(); n < count; n += MergeTile::threads) {
    if constexpr (sizeof(T) == sizeof(Loaded) && sizeof(T) >= 4) {
      copy_to_shared(to + n, from + n);
    } else {
      to[n] = Loaded(read_only(from + n));
    }
  }
}

/// The entries of a tile of one matrix: columns in shared memory, and behind them the ends of rows. A thread
/// has every 256th one.
template <class Merge>
struct merge_single {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  static constexpr unsigned places = Tile::capacity + 2, unrolled = Merge::searches ? 1 : 4;
  Tile& tile;
  Column* columns;
  typename Tile::Marks marks;  ///< of rows, where they are asked for

  CUGRB_DEVICE merge_single(Tile& of, Column* shared) : tile(of), columns(shared), marks() {
    if constexpr (Tile::knows_rows) {
      marks = Tile::Marks::shared();
      marks.clear();
    }
  }
  CUGRB_DEVICE void load(const MatrixMergeArguments& a) {
    load_part(columns_of<typename Merge::First>(a.first) + tile.from.p, tile.firsts, columns);
    tile.ends = reinterpret_cast<uint32_t*>(columns + tile.firsts);
    tile.load_ends(a, 0);
  }
  /// After wait_for_copies(). Passes barriers where rows are asked for.
  CUGRB_DEVICE void mark_rows() const {
    if constexpr (Tile::knows_rows) {
      sync_block();
      tile.mark_rows(marks);
    }
  }
  CUGRB_DEVICE merge_entry entry(unsigned n) const {
    const uint64_t row =
        Tile::knows_rows ? tile.from.row + marks.group_of(n / warp_lanes, n % warp_lanes) : uint64_t(0);
    return {tile.from.p + n, 0, row, uint64_t(columns[n]), true, false};
  }
  /// Calls on_word(word, kept) for each 32 of them, as the calling lane's one is kept or not.
  template <class OnWord>
  CUGRB_DEVICE void find(const MatrixMergeArguments& a, OnWord on_word) const {
#pragma unroll unrolled
    for (unsigned n = thread_index(); n / warp_lanes * warp_lanes < tile.firsts; n += Tile::threads)
      on_word(n / warp_lanes, n < tile.firsts && keeps_entry<Merge>(a, entry(n)));
  }
};

/// Of one matrix some entries.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_one(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  using Value = typename Merge::FirstValue;
  using Entry = merged_entry<Merge, NewColumn, has_values>;
  constexpr bool moves_values = has_values && Merge::moves_values;
  CUGRB_SHARED(typename Tile::Column, columns, merge_single<Merge>::places);
  CUGRB_SHARED(Value, values, moves_values ? Tile::capacity : 1);
  CUGRB_SHARED(uint32_t, kept, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, kept_before, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.kept.before = kept_before;
  tile.begin = begin;
  merge_single<Merge> single(tile, columns);
  const uint64_t number = take_tile(a.taken);
  find_tile(a, number, tile);
  prefetch_later<Merge, has_values>(a, tile);
  single.load(a);
  if constexpr (moves_values)
    load_part(static_cast<const Value*>(a.first.values) + tile.from.p, tile.firsts, values);
  wait_for_copies();
  single.mark_rows();
  single.find(a, [&](unsigned word, bool keeps) { tile.kept.set(word, keeps); });
  place_kept<NewOffset>(a, number, tile);
  tile.template store_row_ends<NewOffset>(a,
                                          [&](unsigned row) { return tile.kept.rank(tile.first_end(row)); });
  if (a.columns == nullptr) return;
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile);
  const auto load = [&](unsigned n, Entry& entry) {
    if constexpr (moves_values) {
      entry.at = single.entry(n);
      entry.first = values[n];
    } else {
      entry.load(streams, single.entry(n), n, 0);
    }
  };
  store_kept(
      a, streams, tile.firsts, [&](unsigned n) { return tile.kept.has(n); }, load,
      [&](unsigned n) { return tile.kept.rank(n); });
}

/// The entries of both matrices in a tile: columns in shared memory, the second's behind the first's, and the
/// ends of rows behind those.
template <class Merge>
struct merge_pair {
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  static constexpr unsigned places = Tile::capacity + 3;  ///< with that of the second's entry behind the tile
  Tile& tile;
  Column* columns;

  CUGRB_DEVICE Column* seconds() const { return columns + tile.firsts; }

  /// Behind the second's columns comes the one with which its row goes on. A thread may look at those that it
  /// has loaded, others after a barrier.
  CUGRB_DEVICE void load(const MatrixMergeArguments& a) const {
    tile.ends = reinterpret_cast<uint32_t*>(seconds() + tile.seconds + 1);
    load_part(columns_of<typename Tile::First>(a.first) + tile.from.p, tile.firsts, columns);
    load_part(columns_of<typename Tile::Second>(a.second) + tile.from.q, seconds_and_next(), seconds());
    tile.load_ends(a, seconds_and_next());
    wait_for_copies();
  }
  CUGRB_DEVICE unsigned seconds_and_next() const {
    return tile.seconds + unsigned(tile.to.edges & merge_place::goes_on);
  }
};

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
      const unsigned place = takes_first ? at & 0xffffu : pair.tile.firsts + (at >> 16);
      items[k] = uint16_t(place | both);
      if constexpr (Merge::asks_memory) {
        rows[k] = uint16_t(row);
      } else if (keeps_entry<Merge>(a, entry(takes_first, both != 0, takes_first ? of_first : of_second))) {
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

  CUGRB_DEVICE unsigned count() const { return pair.tile.firsts + pair.tile.seconds; }

  /// Whether the tile's part of the second matrix is all that there is, and is kept as it is.
  CUGRB_DEVICE bool passes(const MatrixMergeArguments& a) const {
    const Tile& tile = pair.tile;
    return !Merge::reads_places && tile.firsts == 0 && (tile.from.edges & merge_place::meets) == 0 &&
           Merge::passes_seconds(a, tile.from.row, tile.to.row);
  }
  /// Finds it; the bits of those that the calling thread has gone through and that are kept. `passing`: all
  /// are, and no order is needed.
  CUGRB_DEVICE uint32_t find(const MatrixMergeArguments& a, bool passing) const {
    const unsigned begin = thread_index() * Tile::each;
    if (begin >= count()) return 0;
    const unsigned left = count() - begin;
    if (passing) return (1u << (left < Tile::each ? left : Tile::each)) - 1;
    return merge_walk<Merge>(pair, begin).go(a, left, items + begin, rows + begin);
  }
  /// Item n of those that pass.
  template <class Entry, class Streams>
  CUGRB_DEVICE void load_passing(const Streams& streams, unsigned n, Entry& entry) const {
    entry.load(streams, {0, 0, 0, uint64_t(pair.columns[n]), false, false}, 0, n);
  }
  /// Sets the bit of each item that is kept, where memory is asked for that: by lanes that ask for
  /// neighbours.
  CUGRB_DEVICE void keep(const MatrixMergeArguments& a, bool passing) const {
    for (unsigned n = thread_index(); n / warp_lanes * warp_lanes < count(); n += Tile::threads) {
      const bool keeps =
          n < count() && (passing || keeps_entry<Merge>(a, entry(n, pair.tile.from.row + rows[n])));
      pair.tile.kept.set(n / warp_lanes, keeps);
    }
  }
  /// Item n.
  template <class Entry, class Streams>
  CUGRB_DEVICE void load(const Streams& streams, unsigned n, Entry& loaded) const {
    const uint64_t row = Merge::reads_places ? pair.tile.from.row + pair.tile.row_of(n) : 0;
    const merge_entry at = entry(n, row);
    loaded.load(streams, at, unsigned(at.p - pair.tile.from.p), unsigned(at.q - pair.tile.from.q));
  }

 private:
  CUGRB_DEVICE merge_entry entry(unsigned n, uint64_t row) const {
    const merge_item item = {items[n]};
    const unsigned place = item.place(), firsts = pair.tile.firsts;
    const bool of_first = place < firsts;
    const unsigned first = of_first ? place : n - (place - firsts), second = n - first;
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
  CUGRB_SHARED(typename Tile::Column, columns, merge_pair<Merge>::places);
  CUGRB_SHARED(uint16_t, items, Tile::capacity);
  CUGRB_SHARED(uint16_t, rows, Merge::asks_memory ? Tile::capacity : 1);
  CUGRB_SHARED(uint32_t, kept, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, kept_before, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  CUGRB_SHARED(sums_of_warps, sums, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.kept.before = kept_before;
  tile.begin = begin;
  const merge_pair<Merge> pair = {tile, columns};
  const merge_order<Merge> order = {pair, items, rows};
  const uint64_t number = take_tile(a.taken);
  find_tile(a, number, tile);
  prefetch_later<Merge, has_values>(a, tile);
  pair.load(a);
  sync_block();
  const bool passing = order.passes(a);
  const uint32_t bits = order.find(a, passing);
  if constexpr (Merge::asks_memory) {
    sync_block();
    order.keep(a, passing);
    sync_block();
    if (thread_index() < warp_lanes) find_begin<NewOffset>(a, number, tile.kept.count(order.count()), begin);
  } else {
    uint32_t of_tile;
    const uint32_t before = sum_before_thread(uint32_t(count_bits(bits)), sums, of_tile);
    kept[thread_index()] = bits;
    kept_before[thread_index()] = before;
    if (thread_index() == 0) kept[Tile::threads] = 0, kept_before[Tile::threads] = of_tile;
    if (thread_index() < warp_lanes) find_begin<NewOffset>(a, number, of_tile, begin);
  }
  sync_block();
  tile.template store_row_ends<NewOffset>(
      a, [&](unsigned row) { return tile.kept.rank(tile.first_end(row) + tile.second_end(row)); });
  if (a.columns == nullptr) return;
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile);
  if (passing) {
    store_kept(
        a, streams, order.count(), [](unsigned) { return true; },
        [&](unsigned n, Entry& entry) { order.load_passing(streams, n, entry); },
        [](unsigned n) { return n; });
  } else {
    store_kept(
        a, streams, order.count(), [&](unsigned n) { return tile.kept.has(n); },
        [&](unsigned n, Entry& entry) { order.load(streams, n, entry); },
        [&](unsigned n) { return tile.kept.rank(n); });
  }
}

/// A set of columns that says of most others that they are not in it: two bits of one word stand for each.
struct column_filter {
  static constexpr unsigned word_bits = 11, words = 1u << word_bits;
  uint32_t* bits;

  /// In shared memory, once a kernel.
  static CUGRB_DEVICE column_filter shared() {
    CUGRB_SHARED(uint32_t, shared_bits, words);
    return {shared_bits};
  }
  /// Called by all threads of a block, which pass a barrier before the first add().
  CUGRB_DEVICE void clear() const {
#pragma unroll
    for (unsigned w = thread_index(); w < words; w += MergeTile::threads) bits[w] = 0;
  }
  template <class Column>
  CUGRB_DEVICE void add(Column column) const {
    const uint32_t hash = hash_of(column);
    atomic_or(bits + word_of(hash), mask_of(hash));
  }
  template <class Column>
  CUGRB_DEVICE bool may_have(Column column) const {
    const uint32_t hash = hash_of(column), mask = mask_of(hash);
    return (bits[word_of(hash)] & mask) == mask;
  }

 private:
  /// The high bits of a product with 2^32 divided by the golden ratio.
  template <class Column>
  static CUGRB_DEVICE uint32_t hash_of(Column column) {
    return (uint32_t(column) ^ uint32_t(uint64_t(column) >> 32)) * 0x9e3779b1u;
  }
  static CUGRB_DEVICE unsigned word_of(uint32_t hash) { return hash >> (32 - word_bits); }
  static CUGRB_DEVICE uint32_t mask_of(uint32_t hash) {
    return 1u << (hash >> (27 - word_bits) & 31) | 1u << (hash >> (22 - word_bits) & 31);
  }
};

/// The entries of the first matrix in a tile that the second one has, too.
template <class Merge>
struct merge_meetings {
  using Pair = merge_pair<Merge>;
  using Tile = merge_tile<Merge>;
  using Column = typename Tile::Column;
  const Pair& pair;
  column_filter filter;

  /// Those that the calling thread has loaded.
  CUGRB_DEVICE void add_seconds() const {
#pragma unroll 4
    for (unsigned m = thread_index(); m < pair.seconds_and_next(); m += Tile::threads)
      filter.add(pair.seconds()[m]);
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
  CUGRB_DEVICE void load(const Streams& streams, unsigned n, Entry& entry) const {
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
    if (!keeps_entry<Merge>(a, met(n, low, pair.tile.from.row + row, column))) return false;
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
  CUGRB_SHARED(typename Tile::Column, columns, merge_pair<Merge>::places);
  CUGRB_SHARED(uint32_t, sum, 1);
  Tile tile;
  const merge_pair<Merge> pair = {tile, columns};
  const merge_meetings<Merge> meetings = {pair, column_filter::shared()};
  meetings.filter.clear();
  if (thread_index() == 0) sum[0] = 0;
  find_tile(a, block_index(), tile);
  pair.load(a);
  meetings.add_seconds();
  sync_block();
  uint32_t count = 0;
  meetings.find(a, [&](unsigned, bool keeps) { count += unsigned(keeps); });
  for (int lanes = 16; lanes > 0; lanes /= 2) count += shuffle_xor(full_warp, count, lanes);
  if (lane_index() == 0 && count != 0) atomic_add(sum, count);
  sync_block();
  if (thread_index() == 0) a.begins[block_index()] = sum[0];
}

/// A tile of two matrices, of which entries at the same places may be kept.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_meeting(const MatrixMergeArguments& a, uint64_t number) {
  using Tile = merge_tile<Merge>;
  using Entry = merged_entry<Merge, NewColumn, has_values>;
  CUGRB_SHARED(typename Tile::Column, columns, merge_pair<Merge>::places);
  CUGRB_SHARED(uint32_t, kept, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint32_t, kept_before, Tile::Bits::most_words + 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.kept.words = kept;
  tile.kept.before = kept_before;
  tile.begin = begin;
  const merge_pair<Merge> pair = {tile, columns};
  const merge_meetings<Merge> meetings = {pair, column_filter::shared()};
  meetings.filter.clear();
  find_tile(a, number, tile);
  prefetch_later<Merge, has_values>(a, tile);
  pair.load(a);
  meetings.add_seconds();
  sync_block();
  meetings.find(a, [&](unsigned word, bool keeps) { tile.kept.set(word, keeps); });
  place_kept<NewOffset>(a, number, tile);
  tile.template store_row_ends<NewOffset>(a,
                                          [&](unsigned row) { return tile.kept.rank(tile.first_end(row)); });
  if (a.columns == nullptr) return;
  const merge_streams<Merge, NewColumn, has_values> streams(a, tile);
  store_kept(
      a, streams, tile.firsts, [&](unsigned n) { return tile.kept.has(n); },
      [&](unsigned n, Entry& entry) { meetings.load(streams, n, entry); },
      [&](unsigned n) { return tile.kept.rank(n); });
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
  const uint64_t first = uint64_t(block_index()) * tiles, own = first + thread_index() / warp_lanes;
  const bool keeps_some = own < a.tiles && a.begins[own] != a.begins[own + 1];
  if (lane_index() == 0) keeps[thread_index() / warp_lanes] = keeps_some;
  if (own < a.tiles && !keeps_some) pass_over<NewOffset>(a, own);
  sync_block();
  for (unsigned n = 0; n < tiles; ++n) {
    if (keeps[n] == 0) continue;
    merge_meeting<Merge, NewOffset, NewColumn, has_values>(a, first + n);
    sync_block();
  }
}

/// Blocks that a multiprocessor holds at once: searches in masks, rows and wide columns take registers. (With
/// no number ptxas aims at 32, and spills some.)
template <class Merge>
constexpr int merge_blocks = Merge::searches || sizeof(typename merge_tile<Merge>::Column) > 4 ? 4
                             : merge_tile<Merge>::goes_through&& merge_tile<Merge>::knows_rows ? 4
                             : Merge::has_second || merge_tile<Merge>::knows_rows              ? 5
                                                                                               : 6;

/// Grid: a block for each tile of items, or where they are counted for MergeTile::counted_tiles.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_KERNEL_RESIDENT(256, merge_blocks<Merge>)
void matrix_merge(MatrixMergeArguments a) {
  if constexpr (!Merge::has_second) {
    merge_one<Merge, NewOffset, NewColumn, has_values>(a);
  } else if constexpr (Merge::keeps_meetings) {
    if (a.begins != nullptr) return merge_counted<Merge, NewOffset, NewColumn, has_values>(a);
    merge_meeting<Merge, NewOffset, NewColumn, has_values>(a, take_tile(a.taken));
  } else {
    merge_two<Merge, NewOffset, NewColumn, has_values>(a);
  }
}

}  // namespace cugrb
