// What is computed once for a matrix: which rows are long, where the merge path is cut.
#pragma once
#include "cuda/kernels/merge_path.h"
#include "cuda/views/mxv.h"

namespace cugrb {

/// Lists the rows that are longer than longest_short, in no order, and adds their number to *listed. One
/// thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void list_long_rows(MxvProfileArguments a) {
  const Offset* offsets = static_cast<const Offset*>(a.offsets);
  const uint64_t i = global_thread();
  if (i < a.rows && uint64_t(offsets[i + 1]) - uint64_t(offsets[i]) > a.longest_short)
    a.long_rows[atomic_add(a.listed, uint64_t(1))] = i;
}

/// tile_rows[t] = rows that end on the merge path before diagonal t * merge_tile_steps, for t in [0, tiles].
/// One thread each; O(log(rows + entries)).
template <class Offset>
CUGRB_KERNEL(256)
void merge_tile_rows(MxvProfileArguments a) {
  const uint64_t t = global_thread();
  if (t > a.tiles) return;
  const uint64_t length = a.rows + a.entries, diagonal = t * merge_tile_steps;
  a.tile_rows[t] = merge_path_rows(static_cast<const Offset*>(a.offsets) + 1, a.rows, a.entries,
                                   diagonal < length ? diagonal : length);
}

}  // namespace cugrb
