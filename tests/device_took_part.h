// A program that is run with libcugrb.so in front of SuiteSparse would pass without it, too.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "include/cugrb/cugrb.h"

namespace cugrb::test {

/// Where LD_PRELOAD names libcugrb.so: what is wrong if fewer calls than `least` ran on the device; empty
/// when nothing is.
inline std::string device_left_out(uint64_t least) {
  const char* preload = std::getenv("LD_PRELOAD");
  if (preload == nullptr || std::string(preload).find("libcugrb") == std::string::npos) return {};
  const auto ask =
      reinterpret_cast<decltype(&cugrb_get_statistics)>(dlsym(RTLD_DEFAULT, "cugrb_get_statistics"));
  if (ask == nullptr) return std::string(preload) + " is not in front of this program";
  cugrb_statistics statistics{};
  ask(&statistics);
  if (statistics.calls_gpu >= least) return {};
  return std::to_string(statistics.calls_gpu) + " calls ran on the device, " +
         std::to_string(statistics.calls_cpu) + " did not; expected " + std::to_string(least) + " at least";
}

}  // namespace cugrb::test
