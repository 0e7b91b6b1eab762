// How the entries of a matrix spread over its columns, from a sample: counting all of them is an atomic
// addition an entry, which takes several times as long as a product.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/column_popularity.h"

namespace cugrb {

/// Whether a column is the one of its group that is drawn.
CUGRB_DEVICE bool is_drawn(const SampleColumnsArguments& a, uint64_t column) {
  const uint32_t group = uint32_t(column >> a.group_bits), mask = (1u << a.group_bits) - 1u;
  return ((group * 0x9e3779b9u >> 16) & mask) == (uint32_t(column) & mask);
}

/// Counts the entries of the drawn columns, and those of all columns in the windows. A drawn column that is
/// known to be heavy is not counted on: its additions would wait for each other. Any grid of 256 threads,
/// each of which takes four entries at a time.
template <class Column>
CUGRB_KERNEL(256)
void sample_columns(SampleColumnsArguments a) {
  constexpr uint64_t together = 4;
  const Column* columns = static_cast<const Column*>(a.columns);
#pragma unroll 1
  for (uint64_t first = global_thread() * together; first < a.entries; first += global_threads() * together) {
    Column loaded[together];
    const uint64_t count = a.entries - first < together ? a.entries - first : together;
    if (count == together) {
      read_streaming_four(columns + first, loaded);
    } else {
#pragma unroll
      for (unsigned n = 0; n < together; ++n)
        if (n < count) loaded[n] = columns[first + n];
    }
    const uint64_t window = first / ColumnSample::window_entries, group = window >> a.window_bits;
    const bool in_window = window - (group << a.window_bits) == window_of_group(group, a.window_bits);
#pragma unroll
    for (unsigned n = 0; n < together; ++n) {
      if (n >= count) break;
      const uint64_t column = uint64_t(loaded[n]);
      if (in_window) atomic_add(&a.window_counts[column], 1u);
      if (!is_drawn(a, column)) continue;
      uint32_t* of_group = &a.group_counts[column >> a.group_bits];
      if (relaxed_load(of_group) < a.most_counted) atomic_add(of_group, 1u);
    }
  }
}

CUGRB_DEVICE unsigned bin_of_count(uint32_t count) {
  constexpr unsigned first = ColumnBins::first_octave, bits = ColumnBins::of_octave_bits;
  if (count < 1u << first) return count;
  const unsigned octave = unsigned(highest_bit(count));
  return (1u << first) + ((octave - first) << bits) + ((count >> (octave - bits)) & ((1u << bits) - 1u));
}

/// Adds the columns that have entries to *sample (zeros at first). Any grid of 256 threads.
template <int>
CUGRB_KERNEL(256)
void bin_columns(SampleColumnsArguments a) {
  constexpr unsigned bins = ColumnBins::bins;
  CUGRB_SHARED(uint64_t, entries, 2 * bins);
  CUGRB_SHARED(uint32_t, columns, 2 * bins);
  for (unsigned b = thread_index(); b < 2 * bins; b += 256) {
    entries[b] = 0;
    columns[b] = 0;
  }
  sync_block();
  const auto add = [&](unsigned kind, uint32_t count) {
    const unsigned bin = kind * bins + bin_of_count(count);
    atomic_add(&columns[bin], 1u);
    atomic_add(&entries[bin], uint64_t(count));
  };
  for (uint64_t c = global_thread(); c < a.column_count; c += global_threads()) {
    const uint32_t in_windows = a.window_counts[c];
    if (in_windows >= a.least_heavy) {
      add(1, in_windows);
    } else if (is_drawn(a, c)) {
      const uint32_t count = a.group_counts[c >> a.group_bits];
      if (count > 0) add(0, count < a.most_counted ? count : a.most_counted);
    }
  }
  sync_block();
  for (unsigned b = thread_index(); b < 2 * bins; b += 256) {
    if (columns[b] == 0) continue;
    ColumnBins& kind = b < bins ? a.sample->light : a.sample->heavy;
    atomic_add(&kind.columns[b % bins], uint64_t(columns[b]));
    atomic_add(&kind.entries[b % bins], entries[b]);
  }
}

}  // namespace cugrb
