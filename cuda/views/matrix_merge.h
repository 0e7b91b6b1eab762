// Arguments of cuda/kernels/matrix_merge.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/index_set.h"
#include "cuda/views/scalar.h"

namespace cugrb {

/// What a block takes: so many of the entries of both matrices and ends of rows. Host and kernel share it.
struct MergeTile {
  static constexpr unsigned threads = 256;
  /// Items of a thread, odd, so that neighbours read other banks; of columns of 64 bits as shared memory
  /// holds.
  static constexpr unsigned each = 15, each_of_wide = 7;
  static constexpr unsigned counted_tiles = 8;  ///< of a block, where entries are counted first
  static constexpr unsigned place_words = 4;    ///< of 64 bits, for where a tile begins
};

/// All matrices are stored by rows of the same orientation.
struct MatrixMergeArguments {
  CsrView first, second;                     ///< what is merged
  CsrView mask;                              ///< the write-back's, or a third operand
  CsrView found;                             ///< matrix_meeting: where first's entries are searched for
  IndexSetView region_rows, region_columns;  ///< matrix_region: what is assigned to
  ScalarView thunk;                          ///< of a selection; what stands in for a missing entry of first
  ScalarView other;                          ///< and of second
  void* offsets = nullptr;                   ///< the result: rows + 1
  void* columns = nullptr;  ///< room for every entry that may come; null: entries are counted
  void* values = nullptr;
  uint64_t* entries = nullptr;  ///< of the result
  uint64_t* taken = nullptr;    ///< zero before (cuda/kernels/look_back.h)
  uint64_t* sums = nullptr;     ///< of each tile, zero before
  uint64_t tiles = 0;
  uint64_t* begins = nullptr;  ///< of each tile in the result, and of the end; null: tiles find out
  uint64_t* places = nullptr;  ///< of each tile's begin, and of the end; null: tiles search for theirs
};

}  // namespace cugrb
