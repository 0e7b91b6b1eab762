// Tuples (row, column, value) to entries: keys that are sorted, runs of equal keys, one entry a run. Few keys
// are sorted by a block, more in tiles that are ranked among each other, and many by a radix sort.
//
// A key is row and column side by side, so that keys ascend by row, then column. Values of a run are combined
// from the first to the last, as SuiteSparse does. A run of more than build_copies is cut into pieces, whose
// sums are combined in turn, until each is one: O(tuples) work, and no thread has more than build_copies
// values.
#pragma once
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/segments.h"
#include "cuda/kernels/teams.h"
#include "cuda/views/build.h"
#include "semirings/device/semirings.h"

namespace cugrb {

template <class Row, class Column, class Key>
CUGRB_DEVICE Key key_of(const BuildArguments& a, uint64_t p) {
  return Key(uint64_t(static_cast<const Row*>(a.rows)[p]) << a.column_bits |
             uint64_t(static_cast<const Column*>(a.columns)[p]));
}

/// keys[p] of every tuple. One thread a tuple.
template <class Row, class Column, class Key>
CUGRB_KERNEL(256)
void build_keys(BuildArguments a) {
  const uint64_t p = global_thread();
  if (p < a.count) static_cast<Key*>(a.keys)[p] = key_of<Row, Column, Key>(a, p);
}

/// Whether the tuples ascend by row, then by column, and whether one is followed by another at its place;
/// `Row` is void where there are keys alone. Once one is known to descend nothing else matters. Grid: one
/// block for each tile of tuples.
template <class Row, class Column>
CUGRB_KERNEL(EntryTile::threads)
void build_order(BuildArguments a) {
  CUGRB_SHARED(uint32_t, known, 1);
  CUGRB_SHARED(uint32_t, found, 2);
  if (thread_index() < 2) found[thread_index()] = 0;
  if (thread_index() == 0) known[0] = relaxed_load(&a.state->descends);
  sync_block();
  if (known[0] != 0) return;
  const Column* const columns = static_cast<const Column*>(a.columns);
  for (uint64_t p = move_begin() + thread_index(), end = move_end(a.count); p < end;
       p += EntryTile::threads) {
    if (p == 0) continue;
    bool smaller = columns[p] < columns[p - 1], same = columns[p] == columns[p - 1];
    if constexpr (!is_same<Row, void>) {
      const Row row = static_cast<const Row*>(a.rows)[p], before = static_cast<const Row*>(a.rows)[p - 1];
      smaller = row < before || (row == before && smaller);
      same = row == before && same;
    }
    if (smaller) relaxed_store(found, uint32_t(1));
    if (same) relaxed_store(found + 1, uint32_t(1));
  }
  sync_block();
  if (thread_index() != 0) return;  // one store a block: a word that all threads store to is slow
  if (found[0] != 0) relaxed_store(&a.state->descends, uint32_t(1));
  if (found[1] != 0) relaxed_store(&a.state->repeats, uint32_t(1));
}

/// heads[p]: the sorted key p is not the one before it. One thread a tuple.
template <class Key>
CUGRB_KERNEL(256)
void build_heads(BuildArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  const Key* const keys = static_cast<const Key*>(a.keys);
  a.heads[p] = p == 0 || keys[p] != keys[p - 1] ? 1 : 0;
  if (p >= build_copies && keys[p] == keys[p - build_copies]) relaxed_store(&a.state->long_runs, uint32_t(1));
}

/// heads[p]: a piece begins at p, every build_copies places from its run's start on. One thread a tuple.
template <class Position>
CUGRB_KERNEL(256)
void build_pieces(BuildArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  const Position* const starts = static_cast<const Position*>(a.starts);
  a.heads[p] = (p - uint64_t(starts[last_start_at_most(starts, 0, a.runs, p)])) % build_copies == 0 ? 1 : 0;
}

/// Where a run begins; `Position` is void where every tuple is one.
template <class Position>
CUGRB_DEVICE uint64_t start_of_run(const BuildArguments& a, uint64_t u) {
  if constexpr (is_same<Position, void>) {
    return u;
  } else {
    return u < a.runs ? uint64_t(static_cast<const Position*>(a.starts)[u]) : a.count;
  }
}

/// Row (unless `Row` is void) and column of each run. One thread a run.
template <class Key, class Row, class Column, class Position>
CUGRB_KERNEL(256)
void build_places(BuildArguments a) {
  const uint64_t u = global_thread();
  if (u >= a.runs) return;
  const uint64_t key = static_cast<const Key*>(a.keys)[start_of_run<Position>(a, u)];
  if constexpr (is_same<Row, void>) {
    static_cast<Column*>(a.out_columns)[u] = Column(key);
  } else {
    const uint64_t row = key >> a.column_bits;
    static_cast<Row*>(a.out_rows)[u] = Row(row);
    static_cast<Column*>(a.out_columns)[u] = Column(key - (row << a.column_bits));
  }
}

/// The same of a matrix by rows: columns, and where each row begins. Says whether a key repeats, where
/// `Position` is void. One thread a run, and one for the rows behind the last.
template <class Key, class Offset, class Column, class Position>
CUGRB_KERNEL(256)
void build_rows(BuildArguments a) {
  const uint64_t u = global_thread();
  const Key* const keys = static_cast<const Key*>(a.keys);
  uint64_t low = 1, high = 0;  // rows that begin here: none
  bool repeats = false;
  if (u <= a.runs) {
    const uint64_t before = u == 0 ? 0 : uint64_t(keys[start_of_run<Position>(a, u - 1)]);
    const uint64_t key = u < a.runs ? uint64_t(keys[start_of_run<Position>(a, u)]) : 0;
    low = u == 0 ? 0 : (before >> a.column_bits) + 1;
    high = u < a.runs ? key >> a.column_bits : a.row_count;
    if (u < a.runs) {
      static_cast<Column*>(a.out_columns)[u] = Column(key & ((uint64_t(1) << a.column_bits) - 1));
      repeats = u > 0 && key == before;
    }
  }
  store_starts(static_cast<Offset*>(a.offsets), low, high, u);
  if constexpr (is_same<Position, void>) {
    const bool any = ballot(full_warp, repeats) != 0;
    if (any && lane_index() == 0 && relaxed_load(&a.state->repeats) == 0)
      relaxed_store(&a.state->repeats, uint32_t(1));
  }
}

/// The key of each piece. One thread a piece.
template <class Key, class Position>
CUGRB_KERNEL(256)
void build_piece_keys(BuildArguments a) {
  const uint64_t u = global_thread();
  if (u < a.runs) static_cast<Key*>(a.out)[u] = static_cast<const Key*>(a.keys)[start_of_run<Position>(a, u)];
}

/// The values of each run, or piece, combined by Op. One thread a run. `In`: type of the values given.
template <class Op, class In, class Position>
CUGRB_KERNEL(256)
void build_values(BuildArguments a) {
  using T = typename Op::z_type;
  const uint64_t u = global_thread();
  if (u >= a.runs) return;
  const In* const in = static_cast<const In*>(a.in);
  const auto value = [&](uint64_t p) { return cast<T>(in[a.order == nullptr ? p : a.order[p]]); };
  const uint64_t begin = start_of_run<Position>(a, u), end = start_of_run<Position>(a, u + 1);
  T sum = value(begin);
  for (uint64_t p = begin + 1; p < end; ++p) sum = Op::apply(sum, value(p));
  static_cast<T*>(a.out)[u] = sum;
}

/// Tuples by their keys, in the shared memory of a block of so many threads: each sorts `items` of them, then
/// runs are merged in pairs, each thread its part of the result. Equal keys keep their order.
template <class Key, class Place, unsigned threads, unsigned items>
struct tuples_in_block {
  Key* keys;
  Place* order;

  /// Key and place of the `count` tuples from `first` on; behind them, up to `items` times the power of two
  /// that is returned, keys that no other one is behind. Passes a barrier.
  template <class Row, class Column>
  CUGRB_DEVICE unsigned load(const BuildArguments& a, uint64_t first, unsigned count) const {
    unsigned parts = 1;
    while (parts * items < count) parts *= 2;
    for (unsigned p = thread_index(); p < parts * items; p += threads) {
      keys[p] = p >= count ? Key(~Key(0)) : key_of<Row, Column, Key>(a, first + p);
      order[p] = Place(p);
    }
    sync_block();
    return parts;
  }
  /// Of so many threads, a power of two, the tuples.
  CUGRB_DEVICE void sort(unsigned parts) const {
    const bool acts = thread_index() < parts;
    Key mine[items];
    Place places[items];
    if (acts) sort_items(mine, places);
    if (acts) store(mine, places);
    sync_block();
    for (unsigned run = items; run < parts * items; run *= 2) {
      if (acts) merge(run, mine, places);
      sync_block();
      if (acts) store(mine, places);
      sync_block();
    }
  }

 private:
  /// An odd-even transposition sort: neighbours change places only where the first one is larger.
  CUGRB_DEVICE void sort_items(Key (&mine)[items], Place (&places)[items]) const {
    const unsigned first = thread_index() * items;
#pragma unroll
    for (unsigned k = 0; k < items; ++k) mine[k] = keys[first + k], places[k] = order[first + k];
#pragma unroll
    for (unsigned round = 0; round < items; ++round) {
#pragma unroll
      for (unsigned k = round % 2; k + 1 < items; k += 2) {
        if (!(mine[k] > mine[k + 1])) continue;
        const Key key = mine[k];
        const Place place = places[k];
        mine[k] = mine[k + 1], places[k] = places[k + 1];
        mine[k + 1] = key, places[k + 1] = place;
      }
    }
  }
  CUGRB_DEVICE void store(const Key (&mine)[items], const Place (&places)[items]) const {
    const unsigned first = thread_index() * items;
#pragma unroll
    for (unsigned k = 0; k < items; ++k) keys[first + k] = mine[k], order[first + k] = places[k];
  }
  /// The thread's items of the two runs of which it has a part, merged. (O. Green, R. McColl, D. A. Bader,
  /// "GPU merge path", ICS 2012.)
  CUGRB_DEVICE void merge(unsigned run, Key (&mine)[items], Place (&places)[items]) const {
    const unsigned before = thread_index() * items & (2 * run - 1), begin = thread_index() * items - before;
    const Key *const one = keys + begin, *const other = one + run;
    unsigned low = before > run ? before - run : 0, high = before < run ? before : run;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (one[middle] <= other[before - 1 - middle]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    unsigned p = low, q = before - low;
#pragma unroll
    for (unsigned k = 0; k < items; ++k) {
      const bool takes_one = q == run || (p < run && one[p] <= other[q]);
      const unsigned place = takes_one ? p++ : run + q++;
      mine[k] = one[place];
      places[k] = order[begin + place];
    }
  }
};

/// Entry u, of the run that begins with that tuple.
template <class OutRow, class OutColumn, class T>
CUGRB_DEVICE void store_entry(const BuildArguments& a, uint64_t u, uint64_t key, const T& value) {
  const uint64_t row = key >> a.column_bits;
  static_cast<OutRow*>(a.out_rows)[u] = OutRow(row);
  static_cast<OutColumn*>(a.out_columns)[u] = OutColumn(key - (row << a.column_bits));
  static_cast<T*>(a.out)[u] = value;
}

/// All of it for few tuples, in one block: keys, their sort, runs, places, values.
template <class Row, class Column, class OutRow, class OutColumn, class Op, class In>
CUGRB_KERNEL(BuildFew::threads)
void build_few(BuildArguments a) {
  wait_for_earlier_kernels();
  using team = block_team<BuildFew::threads>;
  using T = typename Op::z_type;
  CUGRB_SHARED(uint64_t, keys, BuildFew::tuples);
  CUGRB_SHARED(uint32_t, order, BuildFew::tuples);
  CUGRB_SHARED(uint32_t, starts, BuildFew::tuples);
  const unsigned count = unsigned(a.count);
  const tuples_in_block<uint64_t, uint32_t, BuildFew::threads, BuildFew::tuples / BuildFew::threads> tuples{
      keys, order};
  tuples.sort(tuples.load<Row, Column>(a, 0, count));
  unsigned runs = 0;
  for (unsigned first = 0; first < count; first += team::lanes) {
    const unsigned p = first + team::lane();
    const bool head = p < count && (p == 0 || keys[p] != keys[p - 1]);
    const unsigned run = runs + team::rank(head);
    if (head) starts[run] = p;
    runs += team::count(head);
  }
  sync_block();
  const In* const in = static_cast<const In*>(a.in);
  for (unsigned u = team::lane(); u < runs; u += team::lanes) {
    const unsigned begin = starts[u], end = u + 1 < runs ? starts[u + 1] : count;
    T sum = cast<T>(in[order[begin]]);
    for (unsigned p = begin + 1; p < end; ++p) sum = Op::apply(sum, cast<T>(in[order[p]]));
    store_entry<OutRow, OutColumn>(a, u, keys[begin], sum);
  }
  if (team::lane() == 0) a.state->runs = runs;
}

/// The tuples of each tile by their keys. Zeroes what build_ranks and build_entries count. Grid: one block a
/// tile.
template <class Row, class Column, class Key>
CUGRB_KERNEL(BuildTiles::threads)
void build_tiles(BuildArguments a) {
  wait_for_earlier_kernels();
  CUGRB_SHARED(Key, keys, BuildTiles::tuples);
  CUGRB_SHARED(uint16_t, order, BuildTiles::tuples);
  const uint64_t first = uint64_t(block_index()) * BuildTiles::tuples, left = a.count - first;
  const unsigned count = left < BuildTiles::tuples ? unsigned(left) : BuildTiles::tuples;
  if (block_index() == 0) {
    for (uint64_t t = thread_index(); t * BuildTiles::heads < a.count; t += BuildTiles::threads)
      a.tile_heads[t] = 0;
    if (thread_index() == 0) *a.state = {};
  }
  const tuples_in_block<Key, uint16_t, BuildTiles::threads, BuildTiles::tuples / BuildTiles::threads> tuples{
      keys, order};
  tuples.sort(tuples.template load<Row, Column>(a, first, count));
  for (unsigned p = thread_index(); p < count; p += BuildTiles::threads) {
    static_cast<Key*>(a.keys)[first + p] = keys[p];
    a.places[first + p] = uint32_t(first + order[p]);
  }
}

/// Of so many tiles from the `first`-th on: found[g] tuples of tile first + g come before one of that key in
/// tile `own`, those of equal keys by the order of tiles. The searches wait for their loads together.
template <unsigned group, class Key>
CUGRB_DEVICE void search_tiles(const Key* keys, uint64_t count, uint64_t first, uint64_t own, Key key,
                               uint64_t (&found)[group]) {
#pragma unroll
  for (unsigned g = 0; g < group; ++g) found[g] = 0;
#pragma unroll
  for (unsigned step = BuildTiles::tuples; step > 0; step /= 2) {
#pragma unroll
    for (unsigned g = 0; g < group; ++g) {
      const uint64_t tile = first + g, last = tile * BuildTiles::tuples + found[g] + step - 1;
      const bool is_there = tile != own && found[g] + step <= BuildTiles::tuples && last < count;
      const Key other = is_there ? read_only(keys + last) : key;
      if (is_there && (tile < own ? other <= key : other < key)) found[g] += step;
    }
  }
}

/// Puts each tuple behind those of all tiles that come before it: equal keys keep their order. Counts the
/// runs. One thread a tuple.
template <class Key>
CUGRB_KERNEL(256)
void build_ranks(BuildArguments a) {
  wait_for_earlier_kernels();
  constexpr unsigned group = 4;
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  const Key* const keys = static_cast<const Key*>(a.keys);
  const Key key = keys[p];
  const uint64_t own = p / BuildTiles::tuples,
                 tiles = (a.count + BuildTiles::tuples - 1) / BuildTiles::tuples;
  uint64_t rank = p - own * BuildTiles::tuples;
  bool is_head = rank == 0 || keys[p - 1] != key;
  for (uint64_t first = 0; first < tiles; first += group) {
    uint64_t found[group];
    search_tiles(keys, a.count, first, own, key, found);
#pragma unroll
    for (unsigned g = 0; g < group; ++g) {
      rank += found[g];
      const uint64_t end = (first + g) * BuildTiles::tuples + found[g];
      if (found[g] > 0 && first + g < own && keys[end - 1] == key) is_head = false;
    }
  }
  static_cast<Key*>(a.sorted_keys)[rank] = key;
  a.sorted_places[rank] = a.places[p];
  if (is_head) atomic_add(a.tile_heads + rank / BuildTiles::heads, uint32_t(1));
}

/// One entry of each run of at most build_copies. Grid: one block for each BuildTiles::heads sorted tuples.
template <class Key, class OutRow, class OutColumn, class Op, class In>
CUGRB_KERNEL(BuildTiles::heads)
void build_entries(BuildArguments a) {
  wait_for_earlier_kernels();
  using T = typename Op::z_type;
  CUGRB_SHARED(sums_of_warps, sums, 1);
  const Key* const keys = static_cast<const Key*>(a.sorted_keys);
  uint32_t mine = 0, before = 0, added = 0;
  for (unsigned t = thread_index(); t < block_index(); t += BuildTiles::heads) mine += a.tile_heads[t];
  sum_before_thread(mine, sums, before);
  sync_block();
  const uint64_t p = global_thread();
  const Key key = p < a.count ? keys[p] : 0;
  const bool is_head = p < a.count && (p == 0 || keys[p - 1] != key);
  const uint32_t u = before + sum_before_thread(is_head ? 1 : 0, sums, added);
  if (thread_index() == 0 && block_index() + 1 == grid_blocks()) a.state->runs = before + added;
  if (!is_head) return;
  const In* const in = static_cast<const In*>(a.in);
  T sum = cast<T>(in[a.sorted_places[p]]);
  uint64_t q = p + 1;
  for (; q < a.count && q < p + build_copies && keys[q] == key; ++q)
    sum = Op::apply(sum, cast<T>(in[a.sorted_places[q]]));
  if (q < a.count && keys[q] == key) relaxed_store(&a.state->long_runs, uint32_t(1));
  store_entry<OutRow, OutColumn>(a, u, key, sum);
}

}  // namespace cugrb
