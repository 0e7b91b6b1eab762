// Arguments of cuda/kernels/matrix_extract.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct MatrixExtractArguments {
  CsrView from;
  const uint64_t* list = nullptr;  ///< rows of `from`
  uint64_t listed = 0;
  void* offsets = nullptr;  ///< listed + 1: of the result; first its rows' lengths
  uint64_t entries = 0;     ///< of the result
  void* columns = nullptr;
  void* values = nullptr;  ///< not written when iso
};

/// matrix_extract_column: a column of `from`, as a bitmap; matrix_extract_diagonal: one of its diagonals.
struct MatrixLineArguments {
  CsrView from;
  uint64_t row = 0;            ///< of the diagonal's first position
  uint64_t column = 0;         ///< of all positions; of the diagonal's first one
  uint64_t length = 0;         ///< positions
  uint8_t* present = nullptr;  ///< length
  void* values = nullptr;      ///< length; not written when iso
};

}  // namespace cugrb
