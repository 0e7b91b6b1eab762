// Arguments of cuda/kernels/matrix_spread.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/index_set.h"

namespace cugrb {

struct MatrixSpreadArguments {
  CsrView part;
  IndexSetView rows, columns;  ///< where the part's rows and columns are in the whole
  uint64_t all_rows = 0;       ///< of the whole
  void* offsets = nullptr;     ///< all_rows + 1, as wide as the part's
  void* out_columns = nullptr;
};

}  // namespace cugrb
