// Arguments of cuda/kernels/matrix_elementwise.h, where nothing is merged.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/scalar.h"

namespace cugrb {

struct MatrixElementwiseArguments {
  CsrView a;
  ScalarView thunk;
  uint8_t* has = nullptr;  ///< a.entries
  void* values = nullptr;  ///< a.entries
};

}  // namespace cugrb
