// Two matrices are merged, row by row and column by column, and what is kept of their entries becomes a
// matrix: in one launch, that reads each entry once. The write-back, eWiseAdd, eWiseMult, eWiseUnion and
// select of matrices are such merges.
//
// Blocks take tiles of as many items as any other: entries of both matrices, and the ends of rows. Where a
// tile begins in both is found by a search over rows and one over the columns of a row (merge path). What is
// kept is a bit for each entry. Its ordinal in the result is the number of bits before it. Where a tile's
// entries begin in the result the block learns by looking back over the tiles before it (look_back.h). So no
// row's length matters much, nor does an empty row's presence.
//
// The tile's columns lie in shared memory, and values of 4 bytes and less, which arrive while places are
// found. Where entries of either matrix may be kept, each thread goes through as many of them as any other,
// in their merged order; a second look at them in this order stores what is kept, so that neighbours store
// beside each other. Where only entries that both matrices have are kept, most of the first's that have none
// beside them are told by a Bloom filter of the second's columns, and the others search for their column in
// the second's row.
//
// O. Green, R. McColl, D. Bader, GPU Merge Path, ICS 2012. D. Merrill, M. Garland, Merge-based Parallel
// Sparse Matrix-Vector Multiplication, SC 2016 (rows as items). B. Bloom, Space/Time Trade-offs in Hash
// Coding with Allowable Errors, CACM 1970.
#pragma once
#include "cuda/kernels/matrix_merge_meetings.h"
#include "cuda/kernels/matrix_merge_order.h"
#include "cuda/kernels/matrix_merge_single.h"

namespace cugrb {

/// Blocks that a multiprocessor holds at once: searches in masks, rows and wide columns take registers. (With
/// no number ptxas aims at 32, and spills some.)
template <class Merge>
constexpr int merge_blocks = Merge::searches || sizeof(typename merge_tile<Merge>::Column) > 4 ? 4
                             : Merge::has_second || merge_tile<Merge>::knows_rows              ? 5
                                                                                               : 6;

/// Grid: a block for each tile of items, or where they are counted for MergeTile::counted_tiles.
template <class Merge, class NewOffset, class NewColumn, bool has_values>
CUGRB_KERNEL_RESIDENT(256, merge_blocks<Merge>)
void matrix_merge(MatrixMergeArguments a) {
  if constexpr (!Merge::has_second) {
    merge_one<Merge, NewOffset, NewColumn, has_values>(a);
  } else if constexpr (Merge::keeps_meetings) {
    if (a.begins != nullptr) return merge_counted<Merge, NewOffset, NewColumn, has_values>(a);
    auto parts = merge_tile<Merge>::Parts::open(2);
    merge_meeting<Merge, NewOffset, NewColumn, has_values>(a, take_tile(a.taken), parts);
  } else {
    merge_two<Merge, NewOffset, NewColumn, has_values>(a);
  }
}

}  // namespace cugrb
