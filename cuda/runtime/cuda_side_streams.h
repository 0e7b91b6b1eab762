// Streams beside the one that everything is queued on, for launches that may run at the same time.
#pragma once
#include <array>
#include <functional>
#include <mutex>

#include "cuda/runtime/cuda_context.h"

namespace cugrb::runtime {

/// Kernels of a few thousand threads leave most of a GPU idle, and so do the last blocks of larger ones.
/// Threads of the process share the streams: then one waits for the other's launches, too.
class CudaSideStreams {
 public:
  explicit CudaSideStreams(CudaContext& context) : context_(context) {}

  /// Device::side_by_side. Where it is called within `work` again, that is part of the outer one.
  void run(const std::function<void()>& work);
  /// The stream of the calling thread's next launch: the context's own outside of run(), else each in turn.
  cudaStream_t next();

 private:
  static constexpr unsigned streams = 8;  ///< the context's own is the first
  void make();
  void join();

  CudaContext& context_;
  std::once_flag made_;
  cudaEvent_t forked_ = nullptr;
  std::array<cudaStream_t, streams> streams_{};
  std::array<cudaEvent_t, streams> done_{};
};

}  // namespace cugrb::runtime
