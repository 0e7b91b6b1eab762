// Arguments of cuda/kernels/row_parts.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

/// row_parts_keys, row_parts_deal.
struct RowPartsDealArguments {
  CsrView matrix;
  uint64_t parts = 0;
  uint64_t* keys = nullptr;         ///< rows: complement of each row's length, the sort's key
  uint64_t* ordinals = nullptr;     ///< rows: 0, 1, 2, ...
  const uint64_t* order = nullptr;  ///< rows: from the longest to the shortest
  uint8_t* flags = nullptr;         ///< parts * rows zeros; a 1 where the part gets the row
};

/// row_part_lengths: of the rows that a part has.
struct RowPartLengthsArguments {
  CsrView from;
  const void* list = nullptr;  ///< count row numbers of `from`
  uint64_t count = 0;
  void* offsets = nullptr;  ///< count: the rows' lengths, for a sum
  void* begins = nullptr;   ///< count: where they begin in `from`
};

/// row_part_scatter: a part's result to its places in the whole.
struct RowPartScatterArguments {
  const void* list = nullptr;
  uint64_t count = 0;
  const void* values = nullptr;
  const uint8_t* present = nullptr;  ///< null: all are
  void* out_values = nullptr;
  uint8_t* out_present = nullptr;  ///< null: the whole is full
};

}  // namespace cugrb
