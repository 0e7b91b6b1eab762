// The CUDA device's factory, and what cuda/primitives needs of it beyond runtime::Device. CUDA builds only.
#pragma once
#include <string>

#include "cuda/runtime/device_choice.h"

struct CUstream_st;

namespace cugrb::runtime {

/// The first usable GPU (`ordinal` < 0), or GPU `ordinal`. Usable: compute capability 7.5 or later and a context can be
/// made on it. Never throws.
Choice make_cuda_device(int ordinal) noexcept;

/// The one stream of a CUDA device, its GPU made current for the calling thread. Throws DeviceFailure when it is unusable.
/// The previous GPU is restored at the end of the guard's life.
class StreamGuard {
 public:
  explicit StreamGuard(Device& device);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;
  CUstream_st* stream() const { return stream_; }
  /// Throws DeviceFailure or OutOfMemory for a CUDA error code other than success; `doing` says what was attempted.
  void check(int error, const char* doing) const;

 private:
  Device& device_;
  CUstream_st* stream_ = nullptr;
  int previous_ = -1;
};

}  // namespace cugrb::runtime
