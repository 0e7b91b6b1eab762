// A few bytes from the GPU to the host without its copy engine: a kernel writes them into pinned memory, and
// then a number that the host watches.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace cugrb::runtime {

constexpr size_t most_posted_bytes = size_t(40) << 10;

/// Queues: to[0..bytes) = from[0..bytes), then *arrived = number. `to` and `arrived` are pinned.
cudaError_t post_to_host(void* to, const void* from, size_t bytes, uint64_t* arrived, uint64_t number,
                         cudaStream_t stream);

}  // namespace cugrb::runtime
