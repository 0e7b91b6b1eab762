// A few bytes from the GPU to the host without its copy engine: a kernel writes them into pinned memory, and
// then a number that the host watches.
#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace cugrb::runtime {

constexpr size_t most_posted_bytes = size_t(40) << 10;

/// Whether what was posted with that number is there.
inline bool has_arrived(const uint64_t* arrived, uint64_t number) {
  return __atomic_load_n(arrived, __ATOMIC_ACQUIRE) == number;
}

/// Waits for it. CUDA's own waits are slower to come back, and that for a stream waits for all that is queued
/// behind, too. So what was posted is watched, after 5 ms with pauses of a hundredth of the time it has
/// taken. A kernel that failed posts nothing: `state()` says so, and is cudaErrorNotReady while there is more
/// to come. It is not called when it is there already.
template <class State>
cudaError_t await_post(const uint64_t* arrived, uint64_t number, const State& state) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds watched{5};
  constexpr steady_clock::duration longest_pause = std::chrono::milliseconds(1);
  constexpr int turns = 1000;
  const auto begin = steady_clock::now();
  while (!has_arrived(arrived, number)) {
    for (int turn = 0; turn < turns && !has_arrived(arrived, number); ++turn) {
    }
    const cudaError_t now = state();
    if (now != cudaErrorNotReady) return now;
    const auto waited = steady_clock::now() - begin;
    if (waited >= watched) std::this_thread::sleep_for(std::min(waited / 100, longest_pause));
  }
  return cudaSuccess;
}

/// Queues: to[0..bytes) = from[0..bytes), then *arrived = number. `to` and `arrived` are pinned.
cudaError_t post_to_host(void* to, const void* from, size_t bytes, uint64_t* arrived, uint64_t number,
                         cudaStream_t stream);

}  // namespace cugrb::runtime
