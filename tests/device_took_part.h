// A program whose calls are all to run on the device would pass if none did, too.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "include/cugrb/cugrb.h"

namespace cugrb::test {

/// Where CUGRB_OFFLOAD is "always": what is wrong if fewer calls than `least` ran on the device; empty when
/// nothing is.
inline std::string device_left_out(uint64_t least) {
  const char* offload = std::getenv("CUGRB_OFFLOAD");
  if (offload == nullptr || std::strcmp(offload, "always") != 0) return {};
  const auto ask =
      reinterpret_cast<decltype(&cugrb_get_statistics)>(dlsym(RTLD_DEFAULT, "cugrb_get_statistics"));
  if (ask == nullptr) return "libcugrb.so is not in front of this program";
  cugrb_statistics statistics{};
  ask(&statistics);
  if (statistics.calls_gpu >= least) return {};
  return std::to_string(statistics.calls_gpu) + " calls ran on the device, " +
         std::to_string(statistics.calls_cpu) + " did not; expected " + std::to_string(least) + " at least";
}

}  // namespace cugrb::test
