// What every kernel file includes first: one vocabulary for NVRTC, nvcc and the emulated device.
//
// Rules (docs/architecture.md): kernels are `template <class Spec, ...> CUGRB_KERNEL(threads) void
// name(Arguments a)` with one plain by-value argument struct; shared memory only through the macros below;
// every collective names its mask; loops around collectives have a uniform trip count; intended races go
// through relaxed_load / relaxed_store. The grid and the block are one-dimensional. The warp is 32 lanes.
#pragma once
#include "cuda/views/integers.h"

#if defined(CUGRB_EMULATED)
#include "cuda/emulated/device_functions.h"  // the same names, on host fibers
#else
#include "cuda/kernels/device_functions.h"  // the same names, on the GPU
#endif

namespace cugrb {
constexpr unsigned full_warp = 0xffffffffu;
constexpr int warp_lanes = 32;
}  // namespace cugrb
