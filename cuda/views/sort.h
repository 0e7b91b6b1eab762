// Arguments of cuda/kernels/sort.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct SortArguments {
  CsrView a;
  const void* row_of = nullptr;     ///< a.entries: the row of each
  unsigned value_bits = 0;          ///< of a key; above them it has the row
  void* keys = nullptr;             ///< a.entries
  const uint64_t* order = nullptr;  ///< a.entries: which entry is at a place of its row; null: itself
  uint64_t* new_order = nullptr;
  uint64_t run = 0;               ///< entries of sorted runs, two of which are merged
  uint32_t* unordered = nullptr;  ///< 1 where the values have no order
  uint8_t* seen = nullptr;        ///< a.entries: the order has this entry
  void* out_columns = nullptr;
  void* out_values = nullptr;     ///< not written when iso
  int64_t* out_places = nullptr;  ///< the columns that the values come from
};

}  // namespace cugrb
