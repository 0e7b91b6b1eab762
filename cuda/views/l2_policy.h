// How L2 treats what a kernel reads once: for loads with a cache hint (cuda/kernels/device_functions.h).
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// What is read leaves L2 before all else.
constexpr uint64_t l2_evict_first = 0x12F0000000000000;

/// So many sixteenths of it (by address, 1 to 16) stay like other data, the rest leaves first.
constexpr uint64_t l2_evict_normal(uint64_t sixteenths) {
  return 0x1700000000000000 | (sixteenths - 1) << 52;
}

// These are what createpolicy.fractional.L2::evict_first and ::evict_normal.L2::evict_first give (PTX ISA;
// the same words from compute capability 8.0 to 12.0, which nvcc 13.0 folds). They are arguments of kernels:
// made in one, a policy takes eight instructions for every load, and chosen there, three that every warp's
// first load waits for (5 to 10 % of the time of lanes a row).

}  // namespace cugrb
