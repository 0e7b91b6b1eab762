// A few bytes from the GPU to the host without its copy engine: a kernel writes them into pinned memory, and
// then a number that the host watches.
#pragma once
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cugrb::runtime {

constexpr size_t most_posted_bytes = size_t(40) << 10;

/// Whether what was posted with that number is there.
inline bool has_arrived(const uint64_t* arrived, uint64_t number) {
  return __atomic_load_n(arrived, __ATOMIC_ACQUIRE) == number;
}

/// Waits for it. What was posted is watched for half a millisecond, since CUDA's own waits are slower to
/// come back; then `wait()`, which returns a cudaError_t, waits as CUDA sees fit. A kernel that failed posts
/// nothing: `state()` says so, and is cudaErrorNotReady while there is more to come. Neither is called when
/// it is there already.
template <class State, class Wait>
cudaError_t await_post(const uint64_t* arrived, uint64_t number, const State& state, const Wait& wait) {
  constexpr std::chrono::microseconds watched{500};
  constexpr int turns = 1000;
  const auto begin = std::chrono::steady_clock::now();
  while (!has_arrived(arrived, number)) {
    for (int turn = 0; turn < turns && !has_arrived(arrived, number); ++turn) {
    }
    const cudaError_t now = state();
    if (now != cudaErrorNotReady) return now;
    if (std::chrono::steady_clock::now() - begin >= watched) return wait();
  }
  return cudaSuccess;
}

/// Queues: to[0..bytes) = from[0..bytes), then *arrived = number. `to` and `arrived` are pinned.
cudaError_t post_to_host(void* to, const void* from, size_t bytes, uint64_t* arrived, uint64_t number,
                         cudaStream_t stream);

}  // namespace cugrb::runtime
