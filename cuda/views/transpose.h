// Arguments of cuda/kernels/transpose.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct TransposeArguments {
  CsrView matrix;
  void* payload = nullptr;  ///< entries: what travels with each column through the sort
  void* columns = nullptr;  ///< entries: the transpose's column indices
  void* values = nullptr;   ///< entries: the transpose's values, unless iso
};

}  // namespace cugrb
