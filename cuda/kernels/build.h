// Tuples (row, column, value) to entries: keys that are sorted by a radix sort, runs of equal keys, one entry
// a run.
//
// A key is row and column side by side, so that keys ascend by row, then column. Values of a run are combined
// from the first to the last, as SuiteSparse does. A run of more than build_copies is cut into pieces, whose
// sums are combined in turn, until each is one: O(tuples) work, and no thread has more than build_copies
// values.
#pragma once
#include "cuda/kernels/segments.h"
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

/// Whether the keys ascend, and whether one is followed by itself. One thread a tuple. (A race of threads
/// that all store 1.)
template <class Key>
CUGRB_KERNEL(256)
void build_state(BuildArguments a) {
  const uint64_t p = global_thread();
  if (p == 0 || p >= a.count) return;
  const Key before = static_cast<const Key*>(a.keys)[p - 1], key = static_cast<const Key*>(a.keys)[p];
  if (key < before) relaxed_store(&a.state->descends, uint32_t(1));
  if (key == before) relaxed_store(&a.state->repeats, uint32_t(1));
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

}  // namespace cugrb
