// Arguments of cuda/kernels/row_presence.h.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

struct RowPresenceArguments {
  CsrView matrix;
  uint8_t* present = nullptr;  ///< rows
};

}  // namespace cugrb
