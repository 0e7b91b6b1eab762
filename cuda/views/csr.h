// CsrView: a sparse matrix by rows as a kernel sees it. A plain struct: it crosses the launch boundary by
// value.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Row i holds the entries p in [offsets[i], offsets[i+1]): column `columns[p]`, value `values[p]`; columns
/// ascend in a row. Offset and column widths (32 or 64 bits), value type and iso-ness are template parameters
/// of the kernel.
struct CsrView {
  const void* offsets = nullptr;  ///< rows + 1
  const void* columns = nullptr;  ///< entries
  const void* values = nullptr;   ///< entries, or one when iso, or null when the semiring never reads them
  uint64_t rows = 0;
  uint64_t columns_count = 0;
  uint64_t entries = 0;
  uint64_t first_row = 0;  ///< where row 0 is in the matrix that this one is a range of rows of
};

}  // namespace cugrb
