// The CUDA device's memory: a caching allocator in front of the driver's stream-ordered pool.
#pragma once
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "cuda/runtime/cuda_context.h"
#include "cuda/runtime/cuda_ranges.h"

namespace cugrb::runtime {

/// Every GraphBLAS call allocates and releases a few buffers, so both must cost far less than a launch: a
/// released block is kept and given out again, which takes no host memory and does not ask CUDA. All work is
/// on one stream, so a block may be given out while kernels queued earlier still use it. Blocks up to 64 KiB
/// are cut from 2 MiB slabs, in powers of two. Blocks up to 32 MiB come in four sizes a power of two. Larger
/// ones come in multiples of 2 MiB, reused by requests of at least 7/8 their size.
///
/// What is to grow at its place lies in a range of addresses of its own (CudaRanges), if it is larger than
/// 32 MiB: a smaller one is copied in less time than memory is mapped in. Ranges are kept and given out
/// again, too.
class CudaMemory {
 public:
  /// `limit_bytes`: of memory in use, 0 for what the GPU has.
  CudaMemory(CudaContext& context, size_t limit_bytes);

  void* allocate(size_t bytes);
  void* allocate_growable(size_t bytes);
  bool grow(void* pointer, size_t bytes);
  void release(void* pointer) noexcept;
  void trim() noexcept;
  /// Another GPU, which has been let to reach this one, may read and write it. Throws DeviceFailure.
  void open_to(int ordinal);
  /// The driver is asked at most every `fresh_capacity`: an answer takes it tens of microseconds.
  MemoryInfo information();
  size_t take_peak_bytes() noexcept;

 private:
  size_t block_bytes(size_t bytes) const;
  void* take_cached(size_t block);
  void* take_from_slab(size_t block);
  void* take_new(size_t block);
  void count_out(size_t block);
  cudaError_t take_from_pool(void** pointer, size_t bytes);
  void require_below_limit(size_t more, size_t asked) const;
  void* take_range(size_t bytes);
  void extend(CudaRanges::Range& range, size_t bytes);
  void drop_cached() noexcept;
  void ask_capacity();

  CudaContext& context_;
  cudaMemPool_t pool_ = nullptr;  ///< null: a driver without pools, then cudaMalloc
  size_t limit_bytes_ = 0;
  std::mutex mutex_;
  std::unordered_map<void*, size_t> blocks_;     ///< all there are, given out or cached: block bytes
  std::map<size_t, std::vector<void*>> cached_;  ///< by block bytes; small ones belong to slabs
  size_t in_use_bytes_ = 0, cached_bytes_ = 0;   ///< cached: without the small ones
  size_t peak_bytes_ = 0;                        ///< of in_use_bytes_, since take_peak_bytes()
  size_t total_bytes_ = 0, capacity_bytes_ = 0;  ///< the GPU's; what could be in use here, when last asked
  std::chrono::steady_clock::time_point capacity_expires_{};
  CudaRanges ranges_;
  std::unordered_map<void*, CudaRanges::Range> given_ranges_;
  std::vector<CudaRanges::Range> free_ranges_;  ///< their bytes are among the cached ones
  char* slab_ = nullptr;
  size_t slab_left_ = 0;
};

}  // namespace cugrb::runtime
