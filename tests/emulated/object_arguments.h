// What device_test.cpp hands to the kernels of kernel_object.cpp.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {
struct ScaleArguments {
  void* values;
  uint64_t count;
  double factor;
  int overrun;
};
}  // namespace cugrb
