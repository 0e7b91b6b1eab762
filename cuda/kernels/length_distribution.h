// How many rows (or columns) of a matrix have which length.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/length_distribution.h"

namespace cugrb {

/// Where a length comes from: the offsets of a CSR matrix, or a list.
template <class Offset>
struct lengths_by_offsets {
  static CUGRB_DEVICE uint64_t at(const void* lengths, uint64_t i) {
    const Offset* offsets = static_cast<const Offset*>(lengths);
    return uint64_t(offsets[i + 1]) - uint64_t(offsets[i]);
  }
};
template <class Count>
struct lengths_listed {
  static CUGRB_DEVICE uint64_t at(const void* lengths, uint64_t i) {
    return uint64_t(static_cast<const Count*>(lengths)[i]);
  }
};

/// Adds the rows of each length below LengthHistogramShape::bins into `counters` (zeros at first), lists the
/// other lengths and counts them in the last counter. Any grid of 256 threads. A thread gathers equal lengths
/// that follow each other in its share of the rows into one addition: on matrices of even rows the block's
/// counters would be one point of contention otherwise. O(rows).
template <class Source>
CUGRB_KERNEL(256)
void length_histogram(LengthHistogramArguments a) {
  constexpr uint64_t bins = LengthHistogramShape::bins;
  CUGRB_SHARED(uint32_t, counted, bins);
  for (uint64_t b = thread_index(); b < bins; b += 256) counted[b] = 0;
  sync_block();
  uint64_t run_length = 0;
  uint32_t run_rows = 0;
  for (uint64_t i = global_thread(); i < a.rows; i += global_threads()) {
    const uint64_t length = Source::at(a.lengths, i);
    if (length >= bins) {
      a.longer[atomic_add(&a.counters[bins], uint64_t(1))] = length;
      continue;
    }
    if (length != run_length) {
      if (run_rows > 0) atomic_add(&counted[run_length], run_rows);
      run_length = length;
      run_rows = 0;
    }
    ++run_rows;
  }
  if (run_rows > 0) atomic_add(&counted[run_length], run_rows);
  sync_block();
  for (uint64_t b = thread_index(); b < bins; b += 256) {
    if (counted[b] > 0) atomic_add(&a.counters[b], uint64_t(counted[b]));
  }
}

/// counts[j] += entries in column j. Any grid of 256 threads.
template <class Column, class Count>
CUGRB_KERNEL(256)
void count_columns(CountColumnsArguments a) {
  const Column* columns = static_cast<const Column*>(a.columns);
  Count* counts = static_cast<Count*>(a.counts);
  for (uint64_t p = global_thread(); p < a.entries; p += global_threads()) {
    atomic_add(&counts[read_streaming(&columns[p])], Count(1));
  }
}

}  // namespace cugrb
