// What the GPU's primitives take from the runtime: the stream, and workspace from the pool.
#pragma once
#include "cuda/runtime/cuda_context.h"

namespace cugrb::primitives::on_gpu {

/// The device's stream, with its GPU current for this thread.
class Stream {
 public:
  Stream() : context_(runtime::cuda_context(runtime::device())), current_(context_) {
    context_.require_usable();
  }
  cudaStream_t get() const { return context_.stream(); }
  void check(cudaError_t error, const char* doing) const { context_.check(error, doing); }

 private:
  runtime::CudaContext& context_;
  runtime::CurrentGpu current_;
};

/// Pool memory for one primitive; given back at once, which is fine in stream order.
class Workspace {
 public:
  explicit Workspace(size_t bytes) : memory_(runtime::device().allocate(bytes)) {}
  ~Workspace() { runtime::device().release(memory_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  void* data() const { return memory_; }

 private:
  void* memory_;
};

}  // namespace cugrb::primitives::on_gpu
