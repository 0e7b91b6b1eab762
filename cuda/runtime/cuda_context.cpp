#include "cuda/runtime/cuda_context.h"

#include "cuda/runtime/cuda_driver.h"

namespace cugrb::runtime {
namespace {

bool has_context(int ordinal) noexcept {
  static const auto state =
      driver_function<PFN_cuDevicePrimaryCtxGetState_v7000>("cuDevicePrimaryCtxGetState");
  unsigned flags = 0;
  int active = 0;
  return state != nullptr && state(ordinal, &flags, &active) == CUDA_SUCCESS && active != 0;
}

}  // namespace

CudaContext::CudaContext(int ordinal) : ordinal_(ordinal) {
  const CurrentGpu current(*this);
  cudaError_t error = cudaFree(nullptr);  // makes the context
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  if (error != cudaSuccess) {
    cudaGetLastError();
    throw NoDevice("GPU " + std::to_string(ordinal) + " cannot be used: " + cudaGetErrorString(error));
  }
}

void CudaContext::check(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // the code is in hand: do not leave it for the program's own CUDA calls
  const std::string text = std::string(doing) + ": " + cudaGetErrorString(error);
  if (error == cudaErrorMemoryAllocation) throw OutOfMemory(text);
  // An error that belongs to one call leaves the stream healthy; a sticky one is repeated by every call.
  const cudaError_t health = cudaStreamQuery(stream_);
  if (health != cudaSuccess && health != cudaErrorNotReady) {
    cudaGetLastError();
    std::lock_guard<std::mutex> lock(mutex_);
    if (failure_.empty()) failure_ = text + " (the GPU cannot be used any more by this process)";
    unusable_.store(true, std::memory_order_release);
    throw DeviceFailure(failure_);
  }
  throw DeviceFailure(text);
}

void CudaContext::require_usable() const {
  if (usable()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  throw DeviceFailure(failure_);
}

CurrentGpu::CurrentGpu(const CudaContext& context) noexcept {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess && current == context.ordinal()) return;
  if (current >= 0 && has_context(current)) previous_ = current;
  cudaSetDevice(context.ordinal());
}

CurrentGpu::~CurrentGpu() {
  if (previous_ >= 0) cudaSetDevice(previous_);
}

}  // namespace cugrb::runtime
