// The pattern of a matrix with all entries.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/full_pattern.h"

namespace cugrb {

/// One thread for each of rows + 1 and of rows * columns.
template <class Offset, class Column>
CUGRB_KERNEL(256)
void full_pattern(FullPatternArguments a) {
  const uint64_t k = global_thread();
  if (k <= a.rows) static_cast<Offset*>(a.offsets)[k] = Offset(k * a.columns);
  if (k < a.rows * a.columns) static_cast<Column*>(a.column_indices)[k] = Column(k % a.columns);
}

}  // namespace cugrb
