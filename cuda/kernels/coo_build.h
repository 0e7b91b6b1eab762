// CSR to a list of entries: all of them, or those that are not among the first of their row.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/coo.h"

namespace cugrb {

/// lengths[i] = entries of row i beyond the first `threshold`. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void lengths_beyond(CooBuildArguments a) {
  const Offset* offsets = static_cast<const Offset*>(a.csr.offsets);
  const uint64_t i = global_thread();
  if (i >= a.csr.rows) return;
  const uint64_t length = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]);
  static_cast<Offset*>(a.lengths)[i] = Offset(length > a.threshold ? length - a.threshold : 0);
}

/// rows[q] for every entry q of the list; with `move` its column, and its value unless Element is void. Grid:
/// one block for each tile of entries.
template <class Offset, class Row, class Column, class Element, bool move>
CUGRB_KERNEL(EntryTile::threads)
void coo_entries(CooBuildArguments a) {
  const Offset* starts = static_cast<const Offset*>(a.starts);
  const moved_segments<Offset> rows = segments_of_moved(starts, a.csr.rows, a.entries);
  for (uint64_t q = move_begin() + thread_index(), end = move_end(a.entries); q < end;
       q += EntryTile::threads) {
    const auto row = rows.of_item(q);
    static_cast<Row*>(a.rows)[q] = Row(row.segment);
    if constexpr (move) {
      const uint64_t first = uint64_t(static_cast<const Offset*>(a.csr.offsets)[row.segment]) + a.threshold;
      const uint64_t p = first + (q - row.start);
      static_cast<Column*>(a.columns)[q] = static_cast<const Column*>(a.csr.columns)[p];
      if constexpr (!is_same<Element, void>) {
        static_cast<Element*>(a.values)[q] = static_cast<const Element*>(a.csr.values)[p];
      }
    }
  }
}

}  // namespace cugrb
