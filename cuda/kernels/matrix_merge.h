// Two matrices are merged, row by row and column by column, and what is kept of their entries becomes a
// matrix: in one launch, that reads each entry once. The write-back, eWiseAdd, eWiseMult, eWiseUnion and
// select of matrices are such merges.
//
// Each block takes a tile of as many items as any other: entries of both matrices, and the ends of rows.
// Where the tile begins in both is found by a search over rows and one over the columns of a row (merge
// path). The tile's columns lie in shared memory. Each of its threads takes a few items, one after the other.
// Where its entries begin in the result the block learns by looking back over the tiles before it
// (look_back.h). So no row's length matters, nor does an empty row's presence, and C(i,j) is found beside
// T(i,j) without a search of its own.
//
// O. Green, R. McColl, D. Bader, GPU Merge Path, ICS 2012. D. Merrill, M. Garland, Merge-based Parallel
// Sparse Matrix-Vector Multiplication, SC 2016 (rows as items).
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

// A merge says what is kept, and what becomes of it:
//   First, Second          csr_rows of both; has_second: the second one is there
//   reads_places           whether values depend on rows, or are searched for
//   searches               whether keeps_first and keeps_second search in a mask: that takes registers
//   moves_values           whether an entry of one matrix alone keeps its value, whichever has it
//   keeps_by_entry         whether keeps_first looks at p and j alone: then it is asked as columns are
//   loaded,
//                          by neighbouring threads for neighbouring entries; only without a second matrix
//   Value                  the type of the result's values
//   keeps_first(a, p, i, j, both, q)   of the first's entry p at (i, j); both: the second has an entry there,
//   q keeps_second(a, q, i, j, both)     of the second's entry q; both: the first has an entry there
//   value_of_first(a, p, both, q, i, j), value_of_second(a, q, i, j)
//   new_column(a, j)       the result's column

/// What most merges do.
struct merge_of_same_columns {
  static constexpr bool keeps_by_entry = false, moves_values = false, searches = false;
  static CUGRB_DEVICE uint64_t new_column(const MatrixMergeArguments&, uint64_t j) { return j; }
};

/// Of one matrix, beside which there is no second one.
template <class Rows>
struct merge_without_second : merge_of_same_columns {
  using First = Rows;
  using Second = Rows;
  static constexpr bool has_second = false;
  static CUGRB_DEVICE bool keeps_second(const MatrixMergeArguments&, uint64_t, uint64_t, uint64_t, bool) {
    return false;
  }
};

/// The same, whose entries keep their values.
template <class Rows, class Element>
struct merge_of_one_matrix : merge_without_second<Rows> {
  using Value = Element;
  static constexpr bool reads_places = false;
  static CUGRB_DEVICE Value value_of_first(const MatrixMergeArguments& a, uint64_t p, bool, uint64_t,
                                           uint64_t, uint64_t) {
    return static_cast<const Value*>(a.first.values)[p];
  }
  static CUGRB_DEVICE Value value_of_second(const MatrixMergeArguments& a, uint64_t, uint64_t, uint64_t) {
    return value_of_first(a, 0, false, 0, 0, 0);
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

/// What becomes of an item of a tile: an entry that is kept, by where its column lies in the tile and by the
/// second matrix's entries before it; the end of a row; or nothing.
struct merge_item {
  static constexpr uint32_t nothing = 0, entry = 1u << 30, row_end = 1u << 31;
  static constexpr uint32_t both = 1u << 29;
  static constexpr unsigned bits = 14;
  static constexpr uint32_t ordinals = (1u << bits) - 1;
  static CUGRB_DEVICE unsigned place(uint32_t item) { return item & ordinals; }
  static CUGRB_DEVICE unsigned seconds(uint32_t item) { return (item >> bits) & ordinals; }
};

/// Items of a tile that fall to a thread.
template <class Column>
constexpr unsigned merge_items_of_thread = sizeof(Column) == 8 ? MergeTile::each_of_wide : MergeTile::each;

/// The tile of a block, in shared memory.
template <class Merge>
struct merge_tile {
  using FirstColumn = typename Merge::First::Column;
  using SecondColumn = typename Merge::Second::Column;
  using Column = choose<(sizeof(FirstColumn) > sizeof(SecondColumn)), FirstColumn, SecondColumn>;

  merge_place from, to;
  Column* columns;  ///< of the first matrix's entries, then of the second's and of that behind them
  uint16_t *first_ends, *second_ends;  ///< of the rows that end in it, as ordinals of entries
  uint32_t* kept_firsts;               ///< keeps_by_entry: a bit for each of the first matrix's entries
  Column* edge;         ///< of the first's entry before the tile. has_edges: that the row goes on there,
  uint32_t* has_edges;  ///< and behind the tile with the second's
  unsigned firsts, seconds, rows;

  CUGRB_DEVICE unsigned items() const { return firsts + seconds + rows; }
  CUGRB_DEVICE unsigned first_end(unsigned row) const { return row < rows ? first_ends[row] : firsts; }
  CUGRB_DEVICE unsigned second_end(unsigned row) const {
    if constexpr (!Merge::has_second) return 0;
    return row < rows ? second_ends[row] : seconds;
  }
  CUGRB_DEVICE unsigned first_begin(unsigned row) const { return row == 0 ? 0 : first_ends[row - 1]; }
  CUGRB_DEVICE unsigned second_begin_of(unsigned row) const {
    return row == 0 || !Merge::has_second ? 0 : second_ends[row - 1];
  }
  CUGRB_DEVICE unsigned items_before_row(unsigned row) const {
    return first_begin(row) + second_begin_of(row) + row;
  }

  CUGRB_DEVICE bool keeps(unsigned n) const { return (kept_firsts[n / 32] >> n % 32 & 1) != 0; }
  /// The row of the first matrix's entry n, counted from the tile's first one.
  CUGRB_DEVICE unsigned row_of(unsigned n) const {
    unsigned low = 0, high = rows;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (first_ends[middle] <= n) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  CUGRB_DEVICE void load(const MatrixMergeArguments& a) {
    load_columns(a);
    for (unsigned n = thread_index(); n < rows; n += MergeTile::threads) {
      first_ends[n] = uint16_t(row_begin<typename Merge::First>(a.first, from.row + n + 1) - from.p);
      if constexpr (Merge::has_second)
        second_ends[n] = uint16_t(second_begin<Merge>(a, from.row + n + 1) - from.q);
    }
    if constexpr (Merge::has_second) {
      if (thread_index() == 0) {
        has_edges[0] =
            from.row < a.first.rows && from.p > row_begin<typename Merge::First>(a.first, from.row);
        if (has_edges[0]) edge[0] = Column(columns_of<typename Merge::First>(a.first)[from.p - 1]);
        has_edges[1] = to.row < a.first.rows && to.q < second_begin<Merge>(a, to.row + 1);
        if (has_edges[1])
          columns[firsts + seconds] = Column(columns_of<typename Merge::Second>(a.second)[to.q]);
      }
    }
  }

 private:
  /// Columns that a thread has under way at once, each loaded before the first of them is stored.
  static constexpr unsigned at_once = 5;

  CUGRB_DEVICE void load_columns(const MatrixMergeArguments& a) {
    if (firsts + seconds == 0) return;
#pragma unroll
    for (unsigned k = 0; k < merge_items_of_thread<Column>; k += at_once)
      load_some(a, k * MergeTile::threads + thread_index());
  }
  /// Those with ordinals n, n + threads, ...; behind the last one it is loaded again.
  CUGRB_DEVICE void load_some(const MatrixMergeArguments& a, unsigned n) {
    constexpr unsigned threads = MergeTile::threads;
    const unsigned last = firsts + seconds - 1;
    Column loaded[at_once];
    bool kept[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned m = n + k * threads < last ? n + k * threads : last;
      loaded[k] = column_at(a, m);
      if constexpr (Merge::keeps_by_entry)
        kept[k] = Merge::keeps_first(a, from.p + m, 0, uint64_t(loaded[k]), false, 0);
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned m = n + k * threads;
      if (m <= last) columns[m] = loaded[k];
      if constexpr (Merge::keeps_by_entry) {
        const unsigned word = ballot(full_warp, m <= last && kept[k]);
        if (lane_index() == 0 && m <= last) kept_firsts[m / 32] = word;
      }
    }
  }
  CUGRB_DEVICE Column column_at(const MatrixMergeArguments& a, unsigned n) const {
    const FirstColumn* const of_first = columns_of<typename Merge::First>(a.first) + from.p;
    if constexpr (!Merge::has_second) {
      return Column(read_only(of_first + n));
    } else {
      const SecondColumn* const of_second = columns_of<typename Merge::Second>(a.second) + from.q;
      if constexpr (is_same<FirstColumn, SecondColumn>) {
        return read_only((n < firsts ? of_first : of_second) + (n < firsts ? n : n - firsts));
      } else {
        return n < firsts ? Column(read_only(of_first + n)) : Column(read_only(of_second + (n - firsts)));
      }
    }
  }
};

/// A thread's way through its tile. Columns that are looked at next are in registers, and a step between
/// entries has no branch: threads of a warp go different ways.
template <class Merge>
struct merge_walk {
  using Column = typename merge_tile<Merge>::Column;
  unsigned row, p, q, first_end, second_end;
  unsigned second_seen;                ///< second_end, and one more where the row goes on behind the tile
  unsigned first_unseen;               ///< p where the row has no entry of the first before it
  Column of_first = 0, of_second = 0;  ///< at p and q, where the row has them
  Column passed = 0;                   ///< the first's before p

  /// To the item.
  CUGRB_DEVICE merge_walk(const merge_tile<Merge>& tile, unsigned item) {
    unsigned low = 0, high = tile.rows + 1;
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      if (tile.items_before_row(middle) <= item) {
        low = middle;
      } else {
        high = middle;
      }
    }
    p = tile.first_begin(low);
    q = tile.second_begin_of(low);
    enter(tile, low);
    const unsigned rest = item - (p + q + row);
    unsigned passed_first = rest;
    if constexpr (Merge::has_second) {
      passed_first = unsigned(merged_of_first(tile.columns + p, first_end - p, tile.columns + tile.firsts + q,
                                              second_end - q, rest));
      if (passed_first > 0) {
        passed = tile.columns[p + passed_first - 1];
      } else if (row == 0 && tile.has_edges[0] != 0) {
        passed = tile.edge[0];
        first_unseen = ~0u;
      }
    }
    p += passed_first;
    q += rest - passed_first;
    of_first = tile.columns[p];
    if constexpr (Merge::has_second) of_second = tile.columns[tile.firsts + q];
  }

  /// What becomes of the item, and on to the next. Behind the tile's last item: the end of no row.
  CUGRB_DEVICE uint32_t next(const MatrixMergeArguments& a, const merge_tile<Merge>& tile) {
    const bool has_first = p < first_end, has_second = Merge::has_second & (q < second_end);
    if (!(has_first | has_second)) {
      const uint32_t item = merge_item::row_end | row;
      enter(tile, row + 1);
      return item;
    }
    const bool takes_first = has_first & (!has_second | (of_first <= of_second));
    const Column j = takes_first ? of_first : of_second;
    const bool both = Merge::has_second & takes_first & (q < second_seen) & (of_second == j);
    const uint64_t i = tile.from.row + row;
    const bool behind_both = (p != first_unseen) & (passed == j);
    const bool keeps = takes_first
                           ? Merge::keeps_first(a, tile.from.p + p, i, uint64_t(j), both, tile.from.q + q)
                           : Merge::keeps_second(a, tile.from.q + q, i, uint64_t(j), behind_both);
    const unsigned place = takes_first ? p : tile.firsts + q;
    const uint32_t item = merge_item::entry | (both ? merge_item::both : 0) | q << merge_item::bits | place;
    const Column behind = tile.columns[place + 1];
    of_second = takes_first ? of_second : behind;
    passed = takes_first ? j : passed;
    of_first = takes_first ? behind : of_first;
    p += takes_first ? 1 : 0;
    q += takes_first ? 0 : 1;
    return keeps ? item : merge_item::nothing;
  }

 private:
  CUGRB_DEVICE void enter(const merge_tile<Merge>& tile, unsigned next_row) {
    row = next_row;
    first_unseen = p;
    first_end = tile.first_end(row);
    second_end = second_seen = tile.second_end(row);
    if (Merge::has_second && row == tile.rows) second_seen += tile.has_edges[1];
  }
};

/// The result's column and value of a kept entry, on their way. `row` counts from the tile's first one.
template <class Merge, class NewColumn, bool has_values>
struct merged_entry {
  using Value = typename Merge::Value;
  NewColumn column;
  Value value;

  CUGRB_DEVICE void load(const MatrixMergeArguments& a, const merge_tile<Merge>& tile, uint32_t item,
                         uint64_t row) {
    const unsigned n = merge_item::place(item);
    const uint64_t i = tile.from.row + row, j = uint64_t(tile.columns[n]);
    column = NewColumn(Merge::new_column(a, j));
    if constexpr (has_values) {
      const bool of_first = !Merge::has_second || n < tile.firsts, both = (item & merge_item::both) != 0;
      const uint64_t p = tile.from.p + n, q = tile.from.q + merge_item::seconds(item);
      if constexpr (Merge::moves_values) {  // one load for neighbours of both matrices
        const void* const values = of_first ? a.first.values : a.second.values;
        value = static_cast<const Value*>(values)[of_first ? p : q];
        if (both) value = Merge::value_of_first(a, p, true, q, i, j);
      } else {
        value = of_first ? Merge::value_of_first(a, p, both, q, i, j) : Merge::value_of_second(a, q, i, j);
      }
    }
  }
  CUGRB_DEVICE void store(const MatrixMergeArguments& a, uint64_t place) const {
    static_cast<NewColumn*>(a.columns)[place] = column;
    if constexpr (has_values) static_cast<Value*>(a.values)[place] = value;
  }
};

/// before[w]: bits in the words before the w-th, for w up to `words`, at most 128. The bits of all. Called by
/// a whole warp.
CUGRB_DEVICE uint32_t count_kept(const uint32_t* kept, uint32_t* before, unsigned words) {
  constexpr unsigned of_lane = 4;
  uint32_t counts[of_lane], sum = 0;
#pragma unroll
  for (unsigned k = 0; k < of_lane; ++k) {
    const unsigned w = of_lane * lane_index() + k;
    counts[k] = w < words ? unsigned(count_bits(kept[w])) : 0;
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
    if (w <= words) before[w] = here;
    here += counts[k];
  }
  return shuffle(full_warp, sum, 31);
}

/// Entries that a thread has on their way at once: their loads wait for memory together.
template <class Value>
constexpr unsigned merged_at_once = sizeof(Value) <= 4   ? 5
                                    : sizeof(Value) <= 8 ? 3
                                                         : 1;

/// The kept entries of a tile, from the result's entry `begin` on.
template <class Merge, class NewColumn, bool has_values>
CUGRB_DEVICE void store_merged(const MatrixMergeArguments& a, const merge_tile<Merge>& tile,
                               const uint32_t* kept, const uint16_t* rows, unsigned count, uint64_t begin) {
  constexpr unsigned at_once = merged_at_once<typename Merge::Value>, threads = MergeTile::threads;
  for (unsigned first = thread_index(); first < count; first += at_once * threads) {
    merged_entry<Merge, NewColumn, has_values> entries[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = first + k * threads;
      if (n < count) entries[k].load(a, tile, kept[n], Merge::reads_places ? rows[n] : 0);
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = first + k * threads;
      if (n < count) entries[k].store(a, begin + n);
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

/// The tile's share of what one number tells.
template <class NewOffset>
CUGRB_DEVICE void store_ends(const MatrixMergeArguments& a, uint64_t number, uint64_t end) {
  if (thread_index() != 0) return;
  if (number == 0) static_cast<NewOffset*>(a.offsets)[0] = 0;
  if (number + 1 == a.tiles) *a.entries = end;
}

/// Of one matrix some entries: a bit for each, which neighbouring threads make of neighbouring entries, and
/// the bits before it tell where it goes.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_one(const MatrixMergeArguments& a) {
  using Column = typename merge_tile<Merge>::Column;
  constexpr unsigned each = merge_items_of_thread<Column>, threads = MergeTile::threads,
                     tile_items = threads * each, words = tile_items / 32;
  CUGRB_SHARED(Column, columns, tile_items + 1);
  CUGRB_SHARED(uint16_t, first_ends, tile_items);
  CUGRB_SHARED(uint32_t, kept, words + 1);
  CUGRB_SHARED(uint32_t, kept_before, words + 1);  // each word of it
  CUGRB_SHARED(uint64_t, begin, 1);
  merge_tile<Merge> tile;
  tile.columns = columns;
  tile.first_ends = first_ends;
  tile.kept_firsts = kept;
  const uint64_t number = find_tile(a, tile);
  tile.load(a);
  sync_block();
  if constexpr (!Merge::keeps_by_entry) {
    for (unsigned k = 0; k < each; ++k) {
      const unsigned n = k * threads + thread_index();
      const bool keeps =
          n < tile.firsts && Merge::keeps_first(a, tile.from.p + n, tile.from.row + tile.row_of(n),
                                                uint64_t(columns[n]), false, 0);
      const unsigned word = ballot(full_warp, keeps);
      if (lane_index() == 0) kept[n / 32] = word;
    }
    sync_block();
  }
  if (thread_index() < 32) {
    const uint32_t of_tile = count_kept(kept, kept_before, (tile.firsts + 31) / 32);
    const uint64_t before = sum_before_tile(a.sums, number, of_tile);
    if (lane_index() == 0) begin[0] = before;
    store_ends<NewOffset>(a, number, before + of_tile);
  }
  sync_block();
  const auto place_of = [&](unsigned n) {
    return begin[0] + kept_before[n / 32] + unsigned(count_bits(kept[n / 32] & ((1u << n % 32) - 1)));
  };
  auto* const offsets = static_cast<NewOffset*>(a.offsets) + tile.from.row + 1;
  for (unsigned n = thread_index(); n < tile.rows; n += threads)
    offsets[n] = NewOffset(place_of(first_ends[n]));
  if (a.columns == nullptr) return;
  constexpr unsigned at_once = merged_at_once<typename Merge::Value>;
  for (unsigned first = thread_index(); first < tile.firsts; first += at_once * threads) {
    merged_entry<Merge, NewColumn, has_values> entries[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = first + k * threads;
      if (n < tile.firsts && tile.keeps(n))
        entries[k].load(a, tile, n, Merge::reads_places ? tile.row_of(n) : 0);
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned n = first + k * threads;
      if (n < tile.firsts && tile.keeps(n)) entries[k].store(a, place_of(n));
    }
  }
}

/// Two matrices: a thread goes through its items, one after the other.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_DEVICE void merge_two(const MatrixMergeArguments& a) {
  using Tile = merge_tile<Merge>;
  constexpr unsigned each = merge_items_of_thread<typename Tile::Column>;
  constexpr unsigned tile_items = MergeTile::threads * each;
  CUGRB_SHARED(typename Tile::Column, columns, tile_items + 1);
  CUGRB_SHARED(uint16_t, rows_of_kept, Merge::reads_places ? tile_items : 1);
  // The ends of rows in both matrices; then, when these are passed, what is kept, and from the last word on
  // how many of these are before the end of each row: no more than there are items.
  CUGRB_SHARED(uint32_t, kept, tile_items);
  CUGRB_SHARED(typename Tile::Column, edge, 1);
  CUGRB_SHARED(uint32_t, has_edges, 2);
  CUGRB_SHARED(sums_of_warps, warp_sums, 1);
  CUGRB_SHARED(uint64_t, begin, 1);
  Tile tile;
  tile.columns = columns;
  tile.first_ends = reinterpret_cast<uint16_t*>(kept);
  tile.second_ends = tile.first_ends + tile_items;
  tile.edge = edge;
  tile.has_edges = has_edges;
  const uint64_t number = find_tile(a, tile);
  tile.load(a);
  sync_block();

  const unsigned item = thread_index() * each;
  const unsigned count = item < tile.items() ? tile.items() - item : 0;
  uint32_t items[each], entries = 0, row = 0;
  if (count > 0) {
    merge_walk<Merge> walk(tile, item);
    row = walk.row;
#pragma unroll
    for (unsigned n = 0; n < each; ++n) {
      const uint32_t found = walk.next(a, tile);
      items[n] = n < count ? found : merge_item::nothing;
      entries += (items[n] & merge_item::entry) != 0;
    }
  }
  uint32_t of_tile = 0;
  uint32_t place = sum_before_thread(entries, warp_sums, of_tile);
  // Others are waiting for it: this first, and what comes before the tile when it is needed.
  if (thread_index() == 0) say_sum_of_tile(a.sums, number, of_tile);
  if (count > 0) {
#pragma unroll
    for (unsigned n = 0; n < each; ++n) {
      if ((items[n] & merge_item::entry) != 0) {
        if constexpr (Merge::reads_places) rows_of_kept[place] = uint16_t(row);
        kept[place++] = items[n];
      } else if (items[n] != merge_item::nothing) {
        kept[tile_items - 1 - row++] = place;
      }
    }
  }
  if (thread_index() < 32) {
    const uint64_t before = sum_of_earlier_tiles(a.sums, number, of_tile);
    if (lane_index() == 0) begin[0] = before;
    store_ends<NewOffset>(a, number, before + of_tile);
  }
  sync_block();

  auto* const offsets = static_cast<NewOffset*>(a.offsets) + tile.from.row + 1;
  for (unsigned n = thread_index(); n < tile.rows; n += MergeTile::threads)
    offsets[n] = NewOffset(begin[0] + kept[tile_items - 1 - n]);
  if (a.columns == nullptr) return;
  store_merged<Merge, NewColumn, has_values>(a, tile, kept, rows_of_kept, of_tile, begin[0]);
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
