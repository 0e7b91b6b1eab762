// Arguments of cuda/kernels/mxv_plain.h.
#pragma once
#include "cuda/views/mxv.h"

namespace cugrb {

struct MxvPlainArguments {
  MxvOperands operands;
};

}  // namespace cugrb
