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
// The tile's columns lie in shared memory, and values of 4 bytes and less, which arrive while places are
// found. Where entries of either matrix may be kept, each thread goes through as many of them as any other,
// in their merged order; a second look at them in this order stores what is kept, so that neighbours store
// beside each other. Where only entries that both matrices have are kept, most of the first's that have none
// beside them are told by a Bloom filter of the second's columns, and the others search for their column in
// the second's row.
//
// O. Green, R. McColl, D. Bader, GPU Merge Path, ICS 2012. D. Merrill, M. Garland, Merge-based Parallel
// Sparse Matrix-Vector Multiplication, SC 2016 (rows as items). B. Bloom, Space/Time Trade-offs in Hash
// Coding with Allowable Errors, CACM 1970.
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"
#include "cuda/kernels/shared_parts.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

// A merge says what is kept, and what becomes of it:
//   First, Second          csr_rows of both; has_second: the second one is there
//   StagedFirst, StagedSecond  the type of values that a tile has in shared memory (staged_type), or void
//   reads_places           whether values depend on rows, or are searched for
//   searches               whether keeps searches in a matrix: that takes registers
//   asks_memory            whether it loads anything
//   keeps_by_entry         whether it looks at no row
//   keeps_meetings         whether nothing is kept but entries of the first at which the second has one
//   Value                  the type of the result's values
//   keeps(a, at)           whether the entry is kept. Of two at one place the first's stands for both, where
//   it is kept. Lanes of a warp ask for entries of both matrices, so what takes long is asked for all alike
//   first_values(a, p), second_values(a, q) the values from that one on
//   load_first(values, n), load_second      what is read of the n-th of them (FirstValue, SecondValue)
//   combines               whether the second's is read where both have one and the first's stands for both
//   value(a, at, first, second)             the result's, of what has been read
//   new_column(a, j)       the result's column
//   passes_seconds(a, i, k) whether all entries of the second in the rows from i to k are kept where the
//   first has none there

/// An entry that a merge looks at: where it is in its matrix, and at which place. q is of the second's entry
/// there, where it is one of the first. `value`: its own in shared memory, where one matrix is merged alone.
struct merge_entry {
  uint64_t p, q, row, column;
  bool of_first, both;
  const void* value = nullptr;
};

/// Values of a type are in shared memory, if they are few bytes each.
template <class T>
constexpr bool is_staged = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4;
template <>
constexpr bool is_staged<void> = false;
template <class T>
using staged_type = choose<is_staged<T>, T, void>;

/// What most merges do.
struct merge_of_same_columns {
  static constexpr bool keeps_by_entry = false, keeps_meetings = false, combines = true, searches = false,
                        asks_memory = false;
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
  using StagedFirst = void;
  using StagedSecond = void;
  static constexpr bool has_second = false;
  static CUGRB_DEVICE const void* second_values(const MatrixMergeArguments&, uint64_t) { return nullptr; }
  static CUGRB_DEVICE merge_nothing load_second(const void*, unsigned) { return {}; }
};

/// The same, whose entries keep their values.
template <class Rows, class Element>
struct merge_of_one_matrix : merge_without_second<Rows> {
  using Value = Element;
  using FirstValue = Element;
  using StagedFirst = staged_type<Element>;
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

/// Items of a tile that fall to a thread.
template <class Column>
constexpr unsigned merge_items_of_thread = sizeof(Column) == 8 ? MergeTile::each_of_wide : MergeTile::each;

/// A bit for each item of a tile, and the bits before each word.
template <unsigned capacity>
struct counted_bits {
  static constexpr unsigned of_word = 32,
                            most_words = (capacity + of_word - 1) / of_word + 1,  ///< one behind the last
      room = most_words + 32;  ///< and what a block asks for behind the items, of which none has a bit
  struct alignas(8) word {
    uint32_t bits, before;
  };
  word* words;

  /// No bits. Called by all threads, which pass a barrier before the first add() or set().
  CUGRB_DEVICE void clear() const {
    if (thread_index() < room) words[thread_index()].bits = 0;
  }
  /// Sets the bits of `added`, the lowest of which is that of item n.
  CUGRB_DEVICE void add(unsigned n, uint32_t added) const {
    const uint64_t both = uint64_t(added) << n % of_word;
    atomic_or(&words[n / of_word].bits, uint32_t(both));
    if (both >> of_word != 0) atomic_or(&words[n / of_word + 1].bits, uint32_t(both >> of_word));
  }

  /// Whether bit `n` of that word is set, and the bits before it.
  CUGRB_DEVICE bool has(unsigned w, unsigned n, unsigned& rank) const {
    const word at = words[w];
    const uint32_t bit = 1u << n;
    rank = at.before + unsigned(count_bits(at.bits & (bit - 1)));
    return (at.bits & bit) != 0;
  }
  /// Bits before that of item n.
  CUGRB_DEVICE unsigned rank(unsigned n) const {
    unsigned before;
    has(n / of_word, n % of_word, before);
    return before;
  }
  /// The word of which each lane has a bit.
  CUGRB_DEVICE void set(unsigned w, bool bit) const {
    const unsigned bits = ballot(full_warp, bit);
    if (lane_index() == 0) words[w].bits = bits;
  }
  /// Counts those of `items` items, and gives their sum. Called by a whole warp.
  CUGRB_DEVICE uint32_t count(unsigned items) const {
    constexpr unsigned of_lane = 4;
    static_assert(most_words <= of_lane * warp_lanes + 1, "a warp looks at all words");
    const unsigned used = (items + of_word - 1) / of_word;
    uint32_t counts[of_lane], sum = 0;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      counts[k] = w < used ? unsigned(count_bits(words[w].bits)) : 0;
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
      if (w <= used) words[w].before = here;
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

/// Values in shared memory, so many of at most that size, and what their parts leave free.
template <class T, unsigned count>
struct alignas(16) part_array {
  static constexpr unsigned spare = 64 / sizeof(T);
  T at[count + spare];
};

/// Where a tile's values are: in shared memory or in the matrices. Those of one type lie there as the tile's
/// columns do, so that one place tells both; of other types the second's begin behind the first's.
template <class Merge, bool has_values>
struct merge_values {
  using Tile = merge_tile<Merge>;
  template <class T>
  using staged = choose<has_values, T, void>;
  using First = staged<typename Merge::StagedFirst>;
  using Second = staged<typename Merge::StagedSecond>;
  template <class T>
  static constexpr unsigned bytes_of = unsigned(sizeof(choose<is_staged<T>, T, uint8_t>));
  static constexpr bool any = is_staged<First> || is_staged<Second>;
  static constexpr bool alike = is_same<First, Second> && is_staged<First>;
  static constexpr unsigned each = bytes_of<First> > bytes_of<Second> ? bytes_of<First> : bytes_of<Second>;
  using Pool = part_array<uint8_t, any ? Tile::capacity * each : 1>;
  const void *first, *second;

  /// `shift`: where the first's columns begin in their pool; `second_at`: the second's, counted from there,
  /// with the one behind the tile.
  CUGRB_DEVICE merge_values(const MatrixMergeArguments& a, const Tile& tile, Pool* pool, unsigned shift,
                            unsigned second_at, typename Tile::Parts& parts) {
    const void *const from = Merge::first_values(a, tile.from.p), *const second_from =
                                                                      Merge::second_values(a, tile.from.q);
    const unsigned begin = alike ? shift * each : unsigned(uint64_t(from) % 16),
                   end = begin + tile.firsts * bytes_of<First>;
    const unsigned second_begin =
        alike ? begin + second_at * each : (end + 15) / 16 * 16 + unsigned(uint64_t(second_from) % 16);
    first = load<First>(from, tile.firsts, pool->at + begin, parts);
    second = load<Second>(second_from, tile.seconds_and_next(), pool->at + second_begin, parts);
  }

 private:
  template <class T>
  static CUGRB_DEVICE const void* load(const void* from, unsigned count, uint8_t* at,
                                       typename Tile::Parts& parts) {
    if constexpr (is_staged<T>) {
      T* const to = reinterpret_cast<T*>(at);
      parts.load(static_cast<const T*>(from), count, to);
      return to;
    } else {
      return global_address(from);
    }
  }
};

/// Parts that a tile loads of a matrix: columns, and values where they are staged.
template <class Merge, bool has_values>
constexpr unsigned merge_parts = (Merge::has_second ? 2 : 1) +
                                 unsigned(is_staged<typename merge_values<Merge, has_values>::First>) +
                                 unsigned(is_staged<typename merge_values<Merge, has_values>::Second>);

/// Where a tile's result is written. Each is a tile's own address: an entry adds 32 bits.
template <class Merge, class NewColumn, bool has_values>
struct merge_streams {
  using Value = typename Merge::Value;
  using Values = merge_values<Merge, has_values>;
  const void *first, *second;  ///< values that are read
  NewColumn* columns;
  Value* values;

  CUGRB_DEVICE merge_streams(const MatrixMergeArguments& a, const merge_tile<Merge>& tile, const Values& read)
      : first(read.first),
        second(read.second),
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
  /// Where values of both matrices are one array: its own, and the second's `other`, where it is one of both.
  CUGRB_DEVICE void load_alike(const Streams& streams, const merge_entry& entry, unsigned own,
                               unsigned other) {
    at = entry;
    first = Merge::load_first(streams.first, own);
    second = Merge::load_second(streams.first, other);
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
constexpr unsigned merged_at_once = Merge::searches                                           ? 1
                                    : merge_values<Merge, true>::any                          ? 3
                                    : merge_value_bytes<Merge> <= 4 && !Merge::keeps_meetings ? 4
                                    : merge_value_bytes<Merge> <= 8                           ? 2
                                                                                              : 1;

/// Stores a tile's kept ones of `count` items. keeps(n, place): whether the item is there and kept, and its
/// place among the kept ones, where a lane asks for items of its number; load(n, entry), of all or of kept
/// ones.
template <bool all, class Merge, class NewColumn, bool has_values, class Keeps, class Load>
CUGRB_DEVICE void store_kept(const MatrixMergeArguments& a,
                             const merge_streams<Merge, NewColumn, has_values>& streams, unsigned count,
                             Keeps keeps, Load load) {
  constexpr unsigned at_once = merged_at_once<Merge>;
  for (unsigned first = thread_index(); first < count; first += at_once * MergeTile::threads) {
    merged_entry<Merge, NewColumn, has_values> entries[at_once];
    unsigned places[at_once];
    bool kept[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = first + k * MergeTile::threads;
      kept[k] = keeps(n, places[k]);
      if (all || kept[k]) load(n < count ? n : count - 1, entries[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      if (kept[k]) entries[k].store(a, streams, places[k]);
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

/// Blocks that a multiprocessor holds at once: searches in masks, rows and wide columns take registers. (With
/// no number ptxas aims at 32, and spills some.)
template <class Merge>
constexpr int merge_blocks = Merge::searches || sizeof(typename merge_tile<Merge>::Column) > 4 ? 4
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
    auto parts = merge_tile<Merge>::Parts::open(2);
    merge_meeting<Merge, NewOffset, NewColumn, has_values>(a, take_tile(a.taken), parts);
  } else {
    merge_two<Merge, NewOffset, NewColumn, has_values>(a);
  }
}

}  // namespace cugrb
