// ScalarView: one typed value passed by value into a kernel (bound operands, thunks, assigned scalars).
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Bytes of a value of the specialisation's scalar type. User-defined types larger than `capacity` do not run
/// on the device (the operation declines, with that reason).
struct ScalarView {
  static constexpr int capacity = 128;
  alignas(16) unsigned char bytes[capacity] = {};
};

}  // namespace cugrb
