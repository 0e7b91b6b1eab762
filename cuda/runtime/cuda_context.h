// What the parts of the CUDA device share: the GPU, its one stream, and what becomes of CUDA's error codes.
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <mutex>
#include <string>

#include "cuda/runtime/device.h"

namespace cugrb::runtime {

class CudaContext {
 public:
  /// Makes the GPU's context and a stream on it. Throws NoDevice.
  explicit CudaContext(int ordinal);

  int ordinal() const { return ordinal_; }
  cudaStream_t stream() const { return stream_; }

  /// Success returns. Out of memory throws OutOfMemory, everything else DeviceFailure ("<doing>: <CUDA's
  /// text>"). After an error that outlives its call (an illegal address in a kernel ...) the device is
  /// unusable from then on.
  void check(cudaError_t error, const char* doing);
  /// Throws DeviceFailure when the device is unusable.
  void require_usable() const;
  bool usable() const noexcept { return !unusable_.load(std::memory_order_relaxed); }

 private:
  int ordinal_;
  cudaStream_t stream_ = nullptr;
  std::atomic<bool> unusable_{false};
  mutable std::mutex mutex_;
  std::string failure_;
};

/// Makes the GPU current for the calling thread; at the end the one that was current before is so again,
/// where the program really uses it (restoring a GPU that nobody uses would make a context on it).
class CurrentGpu {
 public:
  explicit CurrentGpu(const CudaContext& context) noexcept;
  ~CurrentGpu();
  CurrentGpu(const CurrentGpu&) = delete;
  CurrentGpu& operator=(const CurrentGpu&) = delete;

 private:
  int previous_ = -1;
};

/// The context of a CUDA device (Kind::cuda): for cuda/primitives.
CudaContext& cuda_context(Device& device);

}  // namespace cugrb::runtime
