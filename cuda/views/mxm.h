// Arguments of the matrix-matrix kernels: cuda/kernels/mxm_*.h. Offsets and columns are of the
// specialisation's types; so are values.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

/// mxm_dot_*: one dot product for each entry of `mask`. `left` and `right` both hold rows over the summed
/// index.
struct MxmDotArguments {
  CsrView left, right, mask;
  void* values = nullptr;         ///< mask.entries sums
  uint8_t* has = nullptr;         ///< mask.entries: whether the sum has a term
  uint64_t longest_searched = 0;  ///< left rows up to this length are searched, longer ones hashed
  uint64_t longest_hashed = 0;    ///< mxm_dot_blocks: counts the rows in (longest_searched, longest_hashed]
  uint64_t* block_starts =
      nullptr;  ///< mask.rows + 1: first the blocks of each row, then their exclusive sum
};

/// mxm_compact_*: the mask's entries that have a sum, as a CSR of their own.
struct MxmCompactArguments {
  CsrView mask;
  const void* values = nullptr;     ///< mask.entries sums
  const void* positions = nullptr;  ///< the entries that are kept, ascending
  uint64_t kept = 0;
  void* new_offsets = nullptr;
  void* new_columns = nullptr;
  void* new_values = nullptr;
};

}  // namespace cugrb
