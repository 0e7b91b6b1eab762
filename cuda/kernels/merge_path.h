// Where the merge path of a matrix's row ends and its entries' ordinals crosses a diagonal.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

/// Rows that end on the merge path before diagonal d: `ends` are the rows' ends, ascending.
template <class End>
CUGRB_DEVICE uint64_t merge_path_rows(const End* ends, uint64_t rows, uint64_t entries, uint64_t d) {
  uint64_t low = d > entries ? d - entries : 0, high = d < rows ? d : rows;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (uint64_t(ends[middle]) + middle < d) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace cugrb
