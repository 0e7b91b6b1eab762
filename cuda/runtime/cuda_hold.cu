#include "cuda/runtime/cuda_hold.h"

#include <cstdint>

namespace cugrb::runtime {
namespace {

__device__ uint64_t nanoseconds() {
  uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void hold(uint64_t duration) {
  const uint64_t begin = nanoseconds();
  while (nanoseconds() - begin < duration) {
  }
}

}  // namespace

cudaError_t hold_stream(double seconds, cudaStream_t stream) {
  hold<<<1, 1, 0, stream>>>(static_cast<uint64_t>(seconds * 1e9));
  return cudaGetLastError();
}

}  // namespace cugrb::runtime
