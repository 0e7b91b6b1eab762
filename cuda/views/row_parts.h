// Arguments of cuda/kernels/row_parts.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/mask.h"

namespace cugrb {

/// Whose turn it is while blocks of rows are dealt in rounds: in every other round the turns go backwards.
struct RowPartTurns {
  static constexpr uint32_t most = 64;
  uint32_t count = 1;         ///< of a round
  uint8_t owners[most] = {};  ///< the part that each turn of a round belongs to

  /// The part that gets the k-th block from the one with most entries on.
  CUGRB_HOST_DEVICE uint32_t owner(uint64_t k) const {
    const uint32_t turn = uint32_t(k % count);
    return owners[k / count % 2 == 0 ? turn : count - 1 - turn];
  }
};

/// row_parts_keys, row_parts_deal. A block is so many consecutive rows; the last one may have fewer.
struct RowPartsDealArguments {
  CsrView matrix;
  uint64_t block_rows = 1, blocks = 0;
  RowPartTurns turns;
  uint64_t* keys = nullptr;         ///< blocks: complement of the entries of each, the sort's key
  uint64_t* ordinals = nullptr;     ///< blocks: 0, 1, 2, ...
  const uint64_t* order = nullptr;  ///< blocks: from the one with most entries to the one with fewest
  uint8_t* flags = nullptr;    ///< for each part rows zeros; a 1 where it gets the row, which has entries
  uint8_t* empties = nullptr;  ///< the same of rows without entries; null: they are nobody's
};

struct RowBlockCounts {
  uint64_t entries = 0;
  uint64_t outside = 0;  ///< those in columns that are not the numbers of rows of their block
};

/// row_parts_outside: of rows 0, stride, 2 stride, ..., in blocks as they would be dealt.
struct RowBlockSampleArguments {
  CsrView matrix;
  uint64_t block_rows = 1, stride = 1;
  RowBlockCounts* counts = nullptr;
};

/// row_part_lengths: of the rows that a part has.
struct RowPartLengthsArguments {
  CsrView from;
  const void* list = nullptr;  ///< count row numbers of `from`
  uint64_t count = 0;
  void* offsets = nullptr;  ///< count: the rows' lengths, for a sum
  void* begins = nullptr;   ///< count: where they begin in `from`
};

/// row_part_used, row_part_places, row_part_renumber: the columns that a part has entries in.
struct RowPartColumnsArguments {
  void* columns = nullptr;  ///< of the part's entries
  uint64_t entries = 0;
  uint8_t* used = nullptr;     ///< a byte for each column of the whole
  const void* list = nullptr;  ///< count columns of the whole, ascending
  uint64_t count = 0;
  void* places = nullptr;  ///< of each column of the whole, its place in the list
};

/// row_part_gather, row_part_positions, row_part_allowed: what a part needs of a vector of the whole.
struct RowPartGatherArguments {
  const void* list = nullptr;  ///< count positions of the whole; not read where a part has all of them
  uint64_t count = 0;
  const void* values = nullptr;
  const uint8_t* present = nullptr;
  MaskView mask;
  uint64_t first = 0;  ///< added to positions
  void* out_values = nullptr;
  uint8_t* out_present = nullptr;
};

/// row_part_is_placed: flags of the places that are not `none`.
struct RowPartPlacedArguments {
  const void* places = nullptr;
  uint64_t count = 0;
  uint8_t* out = nullptr;
};

/// row_part_arrive: what has come of a part's vector, to its places among the columns of the one that has it
/// now.
struct RowPartArriveArguments {
  const void* places = nullptr;  ///< of each entry that has come; all ones: nobody asks for it
  uint64_t first = 0;            ///< without `places`: of the first entry, which the others follow
  uint64_t count = 0;
  const void* values = nullptr;
  const uint8_t* present = nullptr;  ///< null: all are
  void* out_values = nullptr;
  uint8_t* out_present = nullptr;
};

/// row_part_scatter: a part's result to its places in the whole.
struct RowPartScatterArguments {
  const void* list = nullptr;
  uint64_t count = 0;
  const void* values = nullptr;
  const uint8_t* present = nullptr;  ///< null: all are
  void* out_values = nullptr;
  uint8_t* out_present = nullptr;  ///< null: the whole's presence is known
};

}  // namespace cugrb
