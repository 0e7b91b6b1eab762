// Arguments of cuda/kernels/reshape.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct ReshapeArguments {
  CsrView from;
  uint64_t columns = 0;  ///< of the result
  void* out_rows = nullptr;
  void* out_columns = nullptr;
};

}  // namespace cugrb
