// Putting rows into bins by their lengths: keys for a stable sort, and records from the sorted rows.
#pragma once
#include "cuda/kernels/length_distribution.h"
#include "cuda/views/row_bins.h"

namespace cugrb {

/// keys[i] = the bin of row i, payload[i] = i. One thread a row.
template <class Source>
CUGRB_KERNEL(256)
void bin_keys(RowBinsArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.rows) return;
  const uint64_t length = Source::at(a.lengths, i);
  uint32_t bin = 0;
  for (int b = 0; b < a.bins.count; ++b) bin += length > a.bins.limits[b] ? 1 : 0;
  a.keys[i] = bin < a.bins.first ? a.bins.first : bin;
  a.payload[i] = i;
}

/// The records of the rows by bins. `Offset` is the type of begins and sizes. One thread a record.
template <class Offset, class Row>
CUGRB_KERNEL(256)
void bin_records(RowBinsArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.records) return;
  const uint64_t i = a.payload[a.first + r];
  static_cast<Row*>(a.record_rows)[r] = Row(i);
  if (a.record_begins == nullptr) return;
  const Offset* offsets = static_cast<const Offset*>(a.lengths);
  static_cast<Offset*>(a.record_begins)[r] = offsets[i];
  static_cast<Offset*>(a.record_sizes)[r] = offsets[i + 1] - offsets[i];
}

/// out_lengths[row] = size of every record: the way back. One thread a record; rows without one stay as they
/// are.
template <class Offset, class Row>
CUGRB_KERNEL(256)
void record_lengths(RowBinsArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.records) return;
  static_cast<Offset*>(a.out_lengths)[static_cast<const Row*>(a.record_rows)[r]] =
      static_cast<const Offset*>(a.record_sizes)[r];
}

/// chunks[r] = pieces of at most chunk_entries entries of record first + r's row. One thread a record.
template <class Source, class Row>
CUGRB_KERNEL(256)
void chunk_counts(RowBinsArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.records) return;
  const uint64_t length = Source::at(a.lengths, static_cast<const Row*>(a.record_rows)[a.first + r]);
  a.chunks[r] = (length + a.chunk_entries - 1) / a.chunk_entries;
}

}  // namespace cugrb
