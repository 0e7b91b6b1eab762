// Arguments of cuda/kernels/matrix_write_back.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/index_set.h"

namespace cugrb {

/// All matrices are stored by rows of the same orientation.
struct MatrixWriteBackArguments {
  CsrView t, old, mask;
  IndexSetView region_rows, region_columns;  ///< matrix_region: what is assigned to
  void* t_kept = nullptr;                    ///< t.entries + 1: first 0 or 1, then the exclusive sum
  void* old_kept = nullptr;                  ///< old.entries + 1: the same
  void* offsets = nullptr;                   ///< the result: t.rows + 1
  void* columns = nullptr;
  void* values = nullptr;
};

}  // namespace cugrb
