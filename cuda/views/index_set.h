// IndexSetView: the rows or columns that an assignment names, ascending and each once. A plain struct: it
// crosses the launch boundary by value.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Whether there is a list or a table is a template parameter of the kernel (cuda/kernels/index_set.h).
struct IndexSetView {
  const uint64_t* list = nullptr;  ///< count indices; null: `begin` and those that follow it
  uint64_t begin = 0, count = 0;
  uint32_t* table =
      nullptr;  ///< index_table: of each index its place in the list, counted from 1; 0 for none
};

}  // namespace cugrb
