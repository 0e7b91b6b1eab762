// Values that a merge (matrix_merge.h) reads, in shared memory or not, and entries on their way to the
// result.
#pragma once
#include "cuda/kernels/matrix_merge_tile.h"

namespace cugrb {

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

}  // namespace cugrb
