#include "cuda/runtime/cuda_memory.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "src/support/device_peak.h"

namespace cugrb::runtime {
namespace {

constexpr size_t smallest_block = 256;
constexpr size_t largest_small = size_t(64) << 10;
constexpr size_t largest_medium = size_t(32) << 20;
constexpr size_t slab_bytes = size_t(2) << 20;
constexpr std::chrono::milliseconds fresh_capacity{20};

size_t power_of_two_from(size_t bytes) {
  size_t power = smallest_block;
  while (power < bytes) power *= 2;
  return power;
}

cudaMemPool_t make_pool(int ordinal) {
  int supported = 0;
  if (cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, ordinal) != cudaSuccess ||
      supported == 0) {
    cudaGetLastError();
    return nullptr;
  }
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = ordinal;
  cudaMemPool_t pool = nullptr;
  uint64_t keep_everything = UINT64_MAX;
  if (cudaMemPoolCreate(&pool, &properties) != cudaSuccess ||
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_everything) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return pool;
}

std::string megabytes(size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

CudaMemory::CudaMemory(CudaContext& context, size_t limit_bytes)
    : context_(context),
      pool_(make_pool(context.ordinal())),
      limit_bytes_(limit_bytes),
      ranges_(context.ordinal()) {}

size_t CudaMemory::block_bytes(size_t bytes) const {
  if (bytes <= largest_small) return power_of_two_from(bytes);
  if (bytes > largest_medium) return (bytes + slab_bytes - 1) / slab_bytes * slab_bytes;
  const size_t quarter = power_of_two_from(bytes) / 8;  // of the power of two below
  return (bytes + quarter - 1) / quarter * quarter;
}

void* CudaMemory::take_cached(size_t block) {
  // Sizes that have nothing at the moment stay in the map: they come back at once.
  auto found = cached_.lower_bound(block);
  const auto fits = [&](size_t bytes) {
    return bytes == block || (block > largest_medium && bytes - bytes / 8 <= block);
  };
  while (found != cached_.end() && fits(found->first) && found->second.empty()) ++found;
  if (found == cached_.end() || !fits(found->first)) return nullptr;
  void* pointer = found->second.back();
  found->second.pop_back();
  if (found->first > largest_small) cached_bytes_ -= found->first;
  count_out(found->first);
  return pointer;
}

void CudaMemory::count_out(size_t block) {
  in_use_bytes_ += block;
  peak_bytes_ = std::max(peak_bytes_, in_use_bytes_);
  trace::device_bytes_in_use(in_use_bytes_);
}

cudaError_t CudaMemory::take_from_pool(void** pointer, size_t bytes) {
  return pool_ != nullptr ? cudaMallocFromPoolAsync(pointer, bytes, pool_, context_.stream())
                          : cudaMalloc(pointer, bytes);
}

void* CudaMemory::take_from_slab(size_t block) {
  if (slab_left_ < block) {
    void* slab = nullptr;
    if (take_from_pool(&slab, slab_bytes) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    slab_ = static_cast<char*>(slab);  // what was left of the last one is lost: less than a block
    slab_left_ = slab_bytes;
  }
  void* pointer = slab_;
  slab_ += block;
  slab_left_ -= block;
  return pointer;
}

void* CudaMemory::take_new(size_t block) {
  const CurrentGpu current(context_);
  if (limit_bytes_ > 0 && in_use_bytes_ + cached_bytes_ + block > limit_bytes_) drop_cached();
  void* pointer = block <= largest_small ? take_from_slab(block) : nullptr;
  if (pointer == nullptr) {
    cudaError_t error = take_from_pool(&pointer, block);
    if (error == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      capacity_expires_ = {};
      drop_cached();
      error = take_from_pool(&pointer, block);
    }
    context_.check(error, "allocating GPU memory");
  }
  blocks_[pointer] = block;
  count_out(block);
  return pointer;
}

void CudaMemory::require_below_limit(size_t more, size_t asked) const {
  if (limit_bytes_ == 0 || in_use_bytes_ + more <= limit_bytes_) return;
  throw OutOfMemory("GPU memory limit: " + megabytes(in_use_bytes_) + " in use, " + std::to_string(asked) +
                    " bytes more asked for, the limit is " + megabytes(limit_bytes_));
}

void* CudaMemory::allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes > SIZE_MAX / 2)
    throw OutOfMemory("an allocation of " + megabytes(bytes) + " is larger than any memory");
  const size_t block = block_bytes(bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  require_below_limit(block, bytes);
  void* pointer = take_cached(block);
  return pointer != nullptr ? pointer : take_new(block);
}

void* CudaMemory::allocate_growable(size_t bytes) {
  if (bytes > largest_medium && bytes <= ranges_.most_bytes()) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (void* const pointer = take_range(bytes)) return pointer;
  }
  return allocate(bytes);
}

/// Null where there are no addresses.
void* CudaMemory::take_range(size_t bytes) {
  // The one whose size is the nearest; one that is much larger would keep memory from others. (An array that
  // has grown by a quarter serves those that it was made anew from.)
  const auto distance = [&](const CudaRanges::Range& range) {
    if (range.bytes >= bytes) return range.bytes - range.bytes / 4 <= bytes ? range.bytes - bytes : SIZE_MAX;
    return bytes - range.bytes;
  };
  const auto nearest =
      std::min_element(free_ranges_.begin(), free_ranges_.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  const CurrentGpu current(context_);
  CudaRanges::Range range;
  if (nearest != free_ranges_.end() && distance(*nearest) < SIZE_MAX) {
    require_below_limit(std::max(nearest->bytes, bytes), bytes);
    range = std::move(*nearest);
    free_ranges_.erase(nearest);
    cached_bytes_ -= range.bytes;
    count_out(range.bytes);
  } else {
    require_below_limit(bytes, bytes);
    range = ranges_.reserve();
    if (range.begin == nullptr) return nullptr;
  }
  try {
    extend(range, bytes);
  } catch (...) {
    // What used it earlier may not be done: it is kept until the next time that everything is waited for.
    in_use_bytes_ -= range.bytes;
    cached_bytes_ += range.bytes;
    free_ranges_.push_back(std::move(range));
    throw;
  }
  void* const pointer = range.begin;
  given_ranges_.emplace(pointer, std::move(range));
  return pointer;
}

void CudaMemory::extend(CudaRanges::Range& range, size_t bytes) {
  if (bytes <= range.bytes) return;
  const size_t more = ranges_.mapped_bytes(bytes - range.bytes);
  require_below_limit(more, more);
  if (limit_bytes_ > 0 && in_use_bytes_ + cached_bytes_ + more > limit_bytes_) drop_cached();
  cudaError_t error = ranges_.extend(range, more);
  if (error == cudaErrorMemoryAllocation) {
    capacity_expires_ = {};
    drop_cached();
    error = ranges_.extend(range, more);
  }
  context_.check(error, "mapping GPU memory");
  count_out(more);
}

bool CudaMemory::grow(void* pointer, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = given_ranges_.find(pointer);
  if (found == given_ranges_.end() || bytes > ranges_.most_bytes()) return false;
  const CurrentGpu current(context_);
  extend(found->second, bytes);
  return true;
}

void CudaMemory::release(void* pointer) noexcept try {
  if (pointer == nullptr) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto range = given_ranges_.find(pointer); range != given_ranges_.end()) {
    in_use_bytes_ -= range->second.bytes;
    cached_bytes_ += range->second.bytes;
    free_ranges_.push_back(std::move(range->second));
    given_ranges_.erase(range);
    return;
  }
  const auto found = blocks_.find(pointer);
  if (found == blocks_.end()) return;
  const size_t block = found->second;
  in_use_bytes_ -= block;
  cached_[block].push_back(pointer);
  if (block > largest_small) cached_bytes_ += block;
} catch (const std::bad_alloc&) {
  // No host memory to remember the block: it is lost until the process ends, which is the lesser evil.
}

void CudaMemory::drop_cached() noexcept {
  for (auto it = cached_.upper_bound(largest_small); it != cached_.end(); it = cached_.erase(it)) {
    for (void* pointer : it->second) {
      blocks_.erase(pointer);
      pool_ != nullptr ? cudaFreeAsync(pointer, context_.stream()) : cudaFree(pointer);
    }
  }
  cached_bytes_ = 0;
  cudaStreamSynchronize(context_.stream());
  if (pool_ != nullptr) cudaMemPoolTrimTo(pool_, 0);
  for (CudaRanges::Range& range : free_ranges_) ranges_.free(range);  // nothing uses them any more
  free_ranges_.clear();
  cudaGetLastError();
}

void CudaMemory::trim() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  drop_cached();
}

void CudaMemory::open_to(int ordinal) {
  ranges_.open_to(ordinal);
  if (pool_ == nullptr) return;
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = ordinal;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  context_.check(cudaMemPoolSetAccess(pool_, &access, 1), "opening GPU memory to another GPU");
}

size_t CudaMemory::take_peak_bytes() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(peak_bytes_, in_use_bytes_);
}

/// What others have taken or given back since is not known until the next time.
void CudaMemory::ask_capacity() {
  size_t free = 0;
  context_.check(cudaMemGetInfo(&free, &total_bytes_), "asking for the GPU's free memory");
  uint64_t reserved = 0, used = 0;
  if (pool_ != nullptr) {
    cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved);
    cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used);
  }
  capacity_bytes_ = free + (reserved - used) + cached_bytes_ + in_use_bytes_;
  capacity_expires_ = std::chrono::steady_clock::now() + fresh_capacity;
}

MemoryInfo CudaMemory::information() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::chrono::steady_clock::now() >= capacity_expires_) ask_capacity();
  MemoryInfo info;
  info.total_bytes = total_bytes_;
  info.free_bytes = capacity_bytes_ - std::min(capacity_bytes_, in_use_bytes_);
  if (limit_bytes_ > 0) {
    info.total_bytes = std::min(info.total_bytes, limit_bytes_);
    info.free_bytes = std::min(info.free_bytes, limit_bytes_ - std::min(limit_bytes_, in_use_bytes_));
  }
  return info;
}

}  // namespace cugrb::runtime
