// Tuples (row, column, value) to entries: keys that are sorted by a radix sort, runs of equal keys, one entry
// a run.
//
// A key is row and column side by side, so that keys ascend by row, then column. Values of a run are combined
// from the first to the last, as SuiteSparse does. A run of more than build_copies is cut into pieces, whose
// sums are combined in turn, until each is one: O(tuples) work, and no thread has more than build_copies
// values.
#pragma once
#include "cuda/kernels/segments.h"
#include "cuda/kernels/teams.h"
#include "cuda/views/build.h"
#include "semirings/device/semirings.h"

namespace cugrb {

/// keys[p] of every tuple. One thread a tuple.
template <class Row, class Column, class Key>
CUGRB_KERNEL(256)
void build_keys(BuildArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  static_cast<Key*>(a.keys)[p] = Key(uint64_t(static_cast<const Row*>(a.rows)[p]) << a.column_bits |
                                     uint64_t(static_cast<const Column*>(a.columns)[p]));
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

/// The tuples of a batch by their keys, in the shared memory of a block: a bitonic sort, in which equal keys
/// keep their order.
struct few_tuples {
  uint64_t* keys;
  uint32_t* order;

  /// Whether the one at p belongs behind the one at q.
  CUGRB_DEVICE bool is_after(unsigned p, unsigned q) const {
    return keys[p] != keys[q] ? keys[p] > keys[q] : order[p] > order[q];
  }
  CUGRB_DEVICE void exchange(unsigned p, unsigned q) const {
    const uint64_t key = keys[p];
    const uint32_t place = order[p];
    keys[p] = keys[q], order[p] = order[q];
    keys[q] = key, order[q] = place;
  }
  /// The `size` first, a power of two.
  CUGRB_DEVICE void sort(unsigned size) const {
    for (unsigned run = 2; run <= size; run *= 2) {
      for (unsigned apart = run / 2; apart > 0; apart /= 2) {
        for (unsigned t = thread_index(); t < size / 2; t += BuildFew::threads) {
          const unsigned p = (t & ~(apart - 1)) * 2 | (t & (apart - 1)), q = p + apart;
          if (is_after(p, q) == ((p & run) == 0)) exchange(p, q);
        }
        sync_block();
      }
    }
  }
};

/// All of it for few tuples, in one block: keys, their sort, runs, places, values.
template <class Row, class Column, class OutRow, class OutColumn, class Op, class In>
CUGRB_KERNEL(BuildFew::threads)
void build_few(BuildArguments a) {
  using team = block_team<BuildFew::threads>;
  using T = typename Op::z_type;
  CUGRB_SHARED(uint64_t, keys, BuildFew::tuples);
  CUGRB_SHARED(uint32_t, order, BuildFew::tuples);
  CUGRB_SHARED(uint32_t, starts, BuildFew::tuples);
  const unsigned count = unsigned(a.count);
  unsigned size = 1;
  while (size < count) size *= 2;
  for (unsigned p = team::lane(); p < size; p += team::lanes) {
    keys[p] = p >= count ? ~uint64_t(0)
                         : uint64_t(static_cast<const Row*>(a.rows)[p]) << a.column_bits |
                               uint64_t(static_cast<const Column*>(a.columns)[p]);
    order[p] = p;
  }
  sync_block();
  few_tuples{keys, order}.sort(size);
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
    const uint64_t row = keys[begin] >> a.column_bits;
    static_cast<OutRow*>(a.out_rows)[u] = OutRow(row);
    static_cast<OutColumn*>(a.out_columns)[u] = OutColumn(keys[begin] - (row << a.column_bits));
    T sum = cast<T>(in[order[begin]]);
    for (unsigned p = begin + 1; p < end; ++p) sum = Op::apply(sum, cast<T>(in[order[p]]));
    static_cast<T*>(a.out)[u] = sum;
  }
  if (team::lane() == 0) a.state->runs = runs;
}

}  // namespace cugrb
