// NVTX ranges: a profiler shows each GraphBLAS call by name. Header-only and free while no tool is attached;
// nothing when the toolkit is not there at build time.
#pragma once
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define CUGRB_HAVE_NVTX 1
#endif

namespace cugrb::trace {

inline void nvtx_push([[maybe_unused]] const char* name) {
#ifdef CUGRB_HAVE_NVTX
  nvtxRangePushA(name);
#endif
}

inline void nvtx_pop() {
#ifdef CUGRB_HAVE_NVTX
  nvtxRangePop();
#endif
}

}  // namespace cugrb::trace
