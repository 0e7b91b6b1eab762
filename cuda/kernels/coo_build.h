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
/// blocks that take tiles of entries.
template <class Offset, class Row, class Column, class Element, bool move>
CUGRB_KERNEL(EntryTile::threads)
void coo_entries(CooBuildArguments a) {
  for_moved_tiles(
      static_cast<const Offset*>(a.starts), a.csr.rows, a.entries, segment_of_tile(), [&](const auto& tile) {
        for (unsigned n = thread_index(); n < tile.count(); n += EntryTile::threads) {
          const uint64_t q = tile.begin + n;
          const auto found = tile.of_item(n);
          const uint64_t row = tile.first + found.known;
          static_cast<Row*>(a.rows)[q] = Row(row);
          if constexpr (move) {
            const uint64_t begin = uint64_t(static_cast<const Offset*>(a.csr.offsets)[row]) + a.threshold;
            const uint64_t p = begin + (q - found.start);
            static_cast<Column*>(a.columns)[q] = static_cast<const Column*>(a.csr.columns)[p];
            if constexpr (!is_same<Element, void>) {
              static_cast<Element*>(a.values)[q] = static_cast<const Element*>(a.csr.values)[p];
            }
          }
        }
      });
}

}  // namespace cugrb
