// What is computed once for a matrix: how long its rows are, which are long, where the merge path is cut.
#pragma once
#include "cuda/kernels/merge_path.h"
#include "cuda/views/mxv.h"

namespace cugrb {

/// Longest row, empty rows and the sum of squared lengths, added into *sums (which starts as zeros). Any grid
/// of 256 threads. O(rows).
template <class Offset>
CUGRB_KERNEL(256)
void row_lengths(MxvProfileArguments a) {
  const Offset* offsets = static_cast<const Offset*>(a.offsets);
  uint64_t longest = 0, empty = 0, squares = 0;
  for (uint64_t i = global_thread(); i < a.rows; i += global_threads()) {
    const uint64_t length = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]);
    if (length > longest) longest = length;
    if (length == 0) ++empty;
    squares += length * length;
  }
#pragma unroll
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const uint64_t other = shuffle_down(full_warp, longest, delta);
    if (other > longest) longest = other;
    empty += shuffle_down(full_warp, empty, delta);
    squares += shuffle_down(full_warp, squares, delta);
  }
  if (lane_index() != 0) return;
  atomic_update(&a.sums->longest, longest, [](uint64_t x, uint64_t y) { return x < y ? y : x; });
  if (empty > 0) atomic_add(&a.sums->empty, empty);
  if (squares > 0) atomic_add(&a.sums->squares, squares);
}

/// flags[i] = row i is longer than longest_short. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void long_row_flags(MxvProfileArguments a) {
  const Offset* offsets = static_cast<const Offset*>(a.offsets);
  const uint64_t i = global_thread();
  if (i < a.rows) a.flags[i] = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]) > a.longest_short ? 1 : 0;
}

/// tile_rows[t] = rows that end on the merge path before diagonal t * tile_items, for t in [0, tiles]. One
/// thread each; O(log(rows + entries)).
template <class Offset>
CUGRB_KERNEL(256)
void merge_tile_rows(MxvProfileArguments a) {
  const uint64_t t = global_thread();
  if (t > a.tiles) return;
  const uint64_t length = a.rows + a.entries, diagonal = t * a.tile_items;
  a.tile_rows[t] = merge_path_rows(static_cast<const Offset*>(a.offsets) + 1, a.rows, a.entries,
                                   diagonal < length ? diagonal : length);
}

}  // namespace cugrb
