// The driver's own functions that are called here. Each is asked for through the runtime, because libcuda is
// never linked: a machine without a driver starts.
#pragma once
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>

#include "cuda/runtime/device.h"

namespace cugrb::runtime {

/// Null where the driver does not have it. F: a PFN_ type of cudaTypedefs.h of a version up to 12.0.
template <class F>
F driver_function(const char* name) noexcept {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  if (cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return reinterpret_cast<F>(function);
}

/// What launches a kernel with the least work on the host. (H200: cuLaunchKernelEx of a CUfunction takes
/// 2.7 us, cudaLaunchKernelExC of a cudaKernel_t 3.0, `<<<>>>` 3.2; a kernel that may overlap 0.4 to 0.5
/// less. The size of the arguments, 8 to 504 bytes, makes no difference.)
struct CudaLauncher {
  PFN_cuLaunchKernelEx_v11060 launch = driver_function<PFN_cuLaunchKernelEx_v11060>("cuLaunchKernelEx");
  PFN_cuKernelGetFunction_v12000 function_of =
      driver_function<PFN_cuKernelGetFunction_v12000>("cuKernelGetFunction");

  /// Throws NoDevice.
  CudaLauncher() {
    if (launch == nullptr || function_of == nullptr)
      throw NoDevice("the NVIDIA driver has no cuLaunchKernelEx or cuKernelGetFunction");
  }
};

/// The numbers of both are the same (driver_types.h).
inline cudaError_t error_of(CUresult result) { return static_cast<cudaError_t>(result); }

}  // namespace cugrb::runtime
