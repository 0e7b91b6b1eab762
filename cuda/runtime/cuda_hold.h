// A kernel that does nothing for a while, so that what is queued meanwhile follows itself without gaps.
#pragma once
#include <cuda_runtime_api.h>

namespace cugrb::runtime {

/// Queues it.
cudaError_t hold_stream(double seconds, cudaStream_t stream);

}  // namespace cugrb::runtime
