// How many clusters of blocks a GPU runs at once.
#pragma once
#include <cuda_runtime_api.h>

namespace cugrb::runtime {

/// Clusters of `blocks` blocks of 1024 threads, a multiprocessor each, that are resident at once; 0 where the
/// GPU (before Hopper) has none, or on any error. The current GPU's; its context is there.
int resident_clusters(unsigned blocks) noexcept;

}  // namespace cugrb::runtime
