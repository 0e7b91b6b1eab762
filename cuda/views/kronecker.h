// Arguments of cuda/kernels/kronecker.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct KroneckerArguments {
  CsrView a, b;
  uint64_t entries = 0;     ///< of the product
  void* offsets = nullptr;  ///< a.rows * b.rows + 1
  void* columns = nullptr;  ///< entries
  void* values = nullptr;   ///< entries; not written when iso
};

}  // namespace cugrb
