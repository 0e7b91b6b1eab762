// Rows of a matrix dealt to several devices, what these need of vectors, and results that come back.
//
// Source: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs:
// Implications for Graph Mining", PVLDB 4(4), 2011, section 3.2: bitonic partitioning.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/views/row_parts.h"

namespace cugrb {

/// One thread a block of rows.
template <class Rows>
CUGRB_KERNEL(256)
void row_parts_keys(RowPartsDealArguments a) {
  const uint64_t b = global_thread();
  if (b >= a.blocks) return;
  const uint64_t first = b * a.block_rows, end = first + a.block_rows;
  const uint64_t last = end < a.matrix.rows ? end : a.matrix.rows;
  a.keys[b] = ~(row_begin<Rows>(a.matrix, last) - row_begin<Rows>(a.matrix, first));
  a.ordinals[b] = b;
}

/// One thread a row of a block.
template <class Rows>
CUGRB_KERNEL(256)
void row_parts_deal(RowPartsDealArguments a) {
  const uint64_t g = global_thread(), k = g / a.block_rows;
  if (k >= a.blocks) return;
  const uint64_t i = a.order[k] * a.block_rows + g % a.block_rows;
  if (i >= a.matrix.rows) return;
  const bool is_empty = row_begin<Rows>(a.matrix, i + 1) == row_begin<Rows>(a.matrix, i);
  uint8_t* const flags = is_empty ? a.empties : a.flags;
  if (flags != nullptr) flags[a.turns.owner(k) * a.matrix.rows + i] = 1;
}

/// One thread a row that is looked at.
template <class Rows>
CUGRB_KERNEL(256)
void row_parts_outside(RowBlockSampleArguments a) {
  const uint64_t i = global_thread() * a.stride;
  if (i >= a.matrix.rows) return;
  const uint64_t first = i / a.block_rows * a.block_rows, last = first + a.block_rows;
  const uint64_t begin = row_begin<Rows>(a.matrix, i), end = row_begin<Rows>(a.matrix, i + 1);
  const auto* const columns = static_cast<const typename Rows::Column*>(a.matrix.columns);
  const uint64_t before = lower_bound(columns, begin, end, first) - begin,
                 behind = end - lower_bound(columns, begin, end, last);
  atomic_add(&a.counts->entries, end - begin);
  atomic_add(&a.counts->outside, before + behind);
}

/// One thread a row of the part.
template <class Rows, class Row>
CUGRB_KERNEL(256)
void row_part_lengths(RowPartLengthsArguments a) {
  using Offset = typename Rows::Offset;
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t i = uint64_t(static_cast<const Row*>(a.list)[n]), begin = row_begin<Rows>(a.from, i);
  static_cast<Offset*>(a.offsets)[n] = Offset(row_begin<Rows>(a.from, i + 1) - begin);
  static_cast<Offset*>(a.begins)[n] = Offset(begin);
}

/// One thread an entry.
template <class Column>
CUGRB_KERNEL(256)
void row_part_used(RowPartColumnsArguments a) {
  const uint64_t q = global_thread();
  if (q < a.entries) relaxed_store(a.used + static_cast<const Column*>(a.columns)[q], uint8_t(1));
}

/// One thread a column of the list.
template <class Column>
CUGRB_KERNEL(256)
void row_part_places(RowPartColumnsArguments a) {
  const uint64_t n = global_thread();
  if (n < a.count) static_cast<Column*>(a.places)[static_cast<const Column*>(a.list)[n]] = Column(n);
}

/// One thread an entry.
template <class Column>
CUGRB_KERNEL(256)
void row_part_renumber(RowPartColumnsArguments a) {
  const uint64_t q = global_thread();
  if (q >= a.entries) return;
  Column* const columns = static_cast<Column*>(a.columns);
  columns[q] = static_cast<const Column*>(a.places)[columns[q]];
}

/// Values, unless `Element` is void, and presence where there is one to write. One thread a position.
template <class Element, class Index>
CUGRB_KERNEL(256)
void row_part_gather(RowPartGatherArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t i = uint64_t(static_cast<const Index*>(a.list)[n]);
  if (a.out_present != nullptr) a.out_present[n] = a.present[i];
  move_element<Element>(a.out_values, n, a.values, i);
}

/// The positions themselves; `listed`: those of the list, else all. One thread a position.
template <class Value, class Index, bool listed>
CUGRB_KERNEL(256)
void row_part_positions(RowPartGatherArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  uint64_t i = n;
  if constexpr (listed) i = uint64_t(static_cast<const Index*>(a.list)[n]);
  static_cast<Value*>(a.out_values)[n] = Value(i + a.first);
}

/// Whether the mask allows the positions; `listed`: those of the list, else all. One thread a position.
template <class Mask, class Index, bool listed>
CUGRB_KERNEL(256)
void row_part_allowed(RowPartGatherArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  uint64_t i = n;
  if constexpr (listed) i = uint64_t(static_cast<const Index*>(a.list)[n]);
  a.out_present[n] = Mask::allows(a.mask, i);
}

/// One thread a place.
template <class Column>
CUGRB_KERNEL(256)
void row_part_is_placed(RowPartPlacedArguments a) {
  const uint64_t n = global_thread();
  if (n < a.count) a.out[n] = static_cast<const Column*>(a.places)[n] != Column(~Column(0));
}

/// One thread an entry that has come.
template <class Element, class Column>
CUGRB_KERNEL(256)
void row_part_arrive(RowPartArriveArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const Column place = a.places == nullptr ? Column(a.first + n) : static_cast<const Column*>(a.places)[n];
  if (place == Column(~Column(0))) return;
  const bool is_there = a.present == nullptr || a.present[n] != 0;
  if (a.out_present != nullptr) a.out_present[place] = is_there ? 1 : 0;
  if (is_there) move_element<Element>(a.out_values, uint64_t(place), a.values, n);
}

/// One thread a row of the part.
template <class Element, class Row>
CUGRB_KERNEL(256)
void row_part_scatter(RowPartScatterArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t i = uint64_t(static_cast<const Row*>(a.list)[n]);
  const bool is_there = a.present == nullptr || a.present[n] != 0;
  if (a.out_present != nullptr) a.out_present[i] = is_there ? 1 : 0;
  if (is_there) move_element<Element>(a.out_values, i, a.values, n);
}

}  // namespace cugrb
