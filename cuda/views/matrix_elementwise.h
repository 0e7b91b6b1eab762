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
  CsrView both;            ///< matrix_join: the union of their patterns
  ScalarView thunk;        ///< matrix_join: what stands in for a missing entry of A
  ScalarView other;        ///< and of B
  uint8_t* has = nullptr;  ///< a.entries
  void* values = nullptr;  ///< a.entries (matrix_join: both.entries)
};

}  // namespace cugrb
