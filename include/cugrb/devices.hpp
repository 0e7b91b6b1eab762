// The devices of the process, for algorithms that order their calls by them.
#pragma once
#include <dlfcn.h>

#include "cugrb/cugrb.h"

namespace cugrb {

/// How many devices the process uses (docs/devices.md); 0 on plain SuiteSparse, without libcugrb.so, and
/// where there is none. O(1) after the first call, which chooses the devices.
inline int device_count() {
  static const int count = [] {
    void* const found = dlsym(RTLD_DEFAULT, "cugrb_device_count");
    return found == nullptr ? 0 : reinterpret_cast<decltype(&cugrb_device_count)>(found)();
  }();
  return count;
}

}  // namespace cugrb
