// Arguments of cuda/kernels/matrix_compact.h and cuda/kernels/matrix_elementwise.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/scalar.h"

namespace cugrb {

struct MatrixCompactArguments {
  CsrView pattern;
  const void* values = nullptr;     ///< one for each of its entries; not read when they are iso
  const void* positions = nullptr;  ///< the entries that are kept, ascending
  uint64_t kept = 0;
  void* new_offsets = nullptr;
  void* new_columns = nullptr;
  void* new_values = nullptr;
};

struct MatrixElementwiseArguments {
  CsrView a, b;
  ScalarView thunk;
  uint8_t* has = nullptr;  ///< a.entries
  void* values = nullptr;  ///< a.entries
};

}  // namespace cugrb
