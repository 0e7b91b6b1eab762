// Arguments of cuda/kernels/transpose.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct TransposeArguments {
  CsrView matrix;
  void* payload = nullptr;   ///< entries: what travels with each column through the sort
  void* columns = nullptr;   ///< entries: the transpose's column indices
  void* values = nullptr;    ///< entries: the transpose's values, unless iso
  uint64_t* keys = nullptr;  ///< entries: column and row of each, side by side
  void* offsets = nullptr;   ///< columns + 1: the transpose's
  unsigned row_bits = 0;     ///< of a key: below 64
};

}  // namespace cugrb
