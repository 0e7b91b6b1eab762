// Ranges of addresses of a GPU, larger than what lies in them: memory is mapped behind what is there.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "cuda/runtime/cuda_driver.h"

namespace cugrb::runtime {

/// After CUDA's virtual memory management: each range takes as many addresses as the GPU has memory, and
/// memory in pieces of 2 MiB or more. Not thread-safe. The GPU is current in all calls.
class CudaRanges {
 public:
  struct Range {
    char* begin = nullptr;
    size_t bytes = 0;  ///< mapped
    std::vector<std::pair<CUmemGenericAllocationHandle, size_t>> pieces;
  };

  explicit CudaRanges(int ordinal);

  /// Of a range; 0: the driver has no ranges.
  size_t most_bytes() const { return most_bytes_; }
  /// So many at least, as memory is mapped.
  size_t mapped_bytes(size_t bytes) const { return (bytes + piece_bytes_ - 1) / piece_bytes_ * piece_bytes_; }

  /// Addresses without memory; `begin` is null where there are none.
  Range reserve();
  /// `more` bytes, a result of mapped_bytes(), behind the range's own. Nothing is copied or waited for. The
  /// range is as it was when that fails: cudaErrorMemoryAllocation where the GPU has not so much memory.
  cudaError_t extend(Range& range, size_t more);
  /// Nothing uses it any more.
  void free(Range& range) noexcept;
  /// Another GPU, which has been let to reach this one, may read and write what is mapped from now on.
  void open_to(int ordinal);

 private:
  /// All are there, or most_bytes() is 0.
  struct Functions {
    PFN_cuMemGetAllocationGranularity_v10020 granularity =
        driver_function<PFN_cuMemGetAllocationGranularity_v10020>("cuMemGetAllocationGranularity");
    PFN_cuMemAddressReserve_v10020 reserve =
        driver_function<PFN_cuMemAddressReserve_v10020>("cuMemAddressReserve");
    PFN_cuMemAddressFree_v10020 free = driver_function<PFN_cuMemAddressFree_v10020>("cuMemAddressFree");
    PFN_cuMemCreate_v10020 create = driver_function<PFN_cuMemCreate_v10020>("cuMemCreate");
    PFN_cuMemRelease_v10020 release = driver_function<PFN_cuMemRelease_v10020>("cuMemRelease");
    PFN_cuMemMap_v10020 map = driver_function<PFN_cuMemMap_v10020>("cuMemMap");
    PFN_cuMemUnmap_v10020 unmap = driver_function<PFN_cuMemUnmap_v10020>("cuMemUnmap");
    PFN_cuMemSetAccess_v10020 set_access = driver_function<PFN_cuMemSetAccess_v10020>("cuMemSetAccess");
    bool all() const {
      return granularity != nullptr && reserve != nullptr && free != nullptr && create != nullptr &&
             release != nullptr && map != nullptr && unmap != nullptr && set_access != nullptr;
    }
  };

  CUmemAllocationProp properties() const;

  Functions driver_;
  size_t most_bytes_ = 0, piece_bytes_ = 1;
  std::vector<int> ordinals_;  ///< of the GPUs that may read and write, its own first
};

}  // namespace cugrb::runtime
