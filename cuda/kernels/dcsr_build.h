// CSR to dynamic CSR and back (which is the defragmentation: segments put together, slack left out).
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/dcsr_position.h"
#include "cuda/kernels/segments.h"

namespace cugrb {

/// Entries of a row of `length` in each of its first used - 1 segments; the last holds the rest.
CUGRB_DEVICE uint64_t dcsr_share(uint64_t length, uint64_t used) { return (length + used - 1) / used; }

/// begins[s * rows + i] = positions of segment s of row i: its share of the entries; the last also the slack,
/// and `width` at least.
/// One thread a segment.
template <class From, class Offset>
CUGRB_KERNEL(256)
void dcsr_capacities(DcsrBuildArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.used * a.csr.rows) return;
  const uint64_t s = n / a.csr.rows, i = n % a.csr.rows;
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const uint64_t length = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]), share = dcsr_share(length, a.used);
  const uint64_t before = s * share < length ? s * share : length;
  const uint64_t entries = length - before < share ? length - before : share;
  const uint64_t last = entries + a.slack > a.width ? entries + a.slack : a.width;
  static_cast<Offset*>(a.begins)[n] = Offset(s + 1 == a.used ? last : entries);
}

/// The table and the sizes, from the summed capacities. Slots beyond `used` are zeros. One thread a row.
template <class From, class Offset>
CUGRB_KERNEL(256)
void dcsr_segments(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.csr.rows) return;
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const Offset* begins = static_cast<const Offset*>(a.begins);
  static_cast<Offset*>(a.dcsr.sizes)[i] = Offset(offsets[i + 1] - offsets[i]);
  for (uint64_t s = 0; s < a.dcsr.slots; ++s) {
    Offset* segment = static_cast<Offset*>(a.dcsr.segments) + 2 * i + s * a.dcsr.pitch;
    segment[0] = s < a.used ? begins[s * a.csr.rows + i] : 0;
    segment[1] = s < a.used ? begins[s * a.csr.rows + i + 1] : 0;
  }
}

/// Where each row's first segment begins. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void dcsr_begins(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i < a.dcsr.rows) static_cast<Offset*>(a.begins)[i] = static_cast<const Offset*>(a.dcsr.segments)[2 * i];
}

/// Lists the rows with more entries than `longest_short`, in no order. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void dcsr_long_rows(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.dcsr.rows || uint64_t(static_cast<const Offset*>(a.dcsr.sizes)[i]) <= a.longest_short) return;
  a.long_rows[1 + atomic_add(a.long_rows, uint64_t(1))] = i;
}

/// Moves every entry between CSR and the segments; out of them, to where `begins` has its row. `merges`: rows
/// lie in two runs, which become one. Grid: one block for each tile of entries.
template <class From, class Offset, class Column, class Element, bool to_segments, bool merges>
CUGRB_KERNEL(EntryTile::threads)
void dcsr_entries(DcsrBuildArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.csr.entries);
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const tile_segments<From> rows = segments_of_tile(offsets, a.csr.rows, begin, end);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    const uint64_t i = rows.of_item(p);
    const uint64_t n = p - uint64_t(offsets[i]);
    const uint64_t q = dcsr_position<Offset>(a.dcsr, i, n);
    uint64_t place = p;
    if constexpr (!to_segments) {
      place = uint64_t(static_cast<const Offset*>(a.begins)[i]);
      place += merges ? dcsr_rank<Offset, Column>(a.dcsr, i, n, q) : n;
    }
    Column* compact = static_cast<Column*>(const_cast<void*>(a.csr.columns)) + place;
    Column* spread = static_cast<Column*>(a.dcsr.columns) + q;
    *(to_segments ? spread : compact) = *(to_segments ? compact : spread);
    if constexpr (!is_same<Element, void>) {
      Element* from = static_cast<Element*>(const_cast<void*>(a.csr.values)) + place;
      Element* to = static_cast<Element*>(a.dcsr.values) + q;
      *(to_segments ? to : from) = *(to_segments ? from : to);
    }
  }
}

}  // namespace cugrb
