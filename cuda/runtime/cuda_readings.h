// Small copies from the GPU that are not waited for (Device::start_reading).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "cuda/runtime/cuda_context.h"

namespace cugrb::runtime {

/// Each is posted by a kernel (cuda_post.h) to a slot of pinned memory of its own, which is taken at the
/// first use.
class CudaReadings {
 public:
  explicit CudaReadings(CudaContext& context) : context_(context) {}

  /// Null when all slots are in use, or the host has no pinned memory. The GPU must be current.
  std::unique_ptr<Reading> start(const void* device, size_t bytes);

 private:
  class Posted;
  struct Slot {
    char* memory = nullptr;        ///< most_reading_bytes
    uint64_t* arrived = nullptr;   ///< the number of the last reading that is there
    cudaEvent_t posted = nullptr;  ///< recorded behind the last one
    uint64_t number = 0;           ///< of the last one
    bool taken = false;
  };
  static constexpr size_t slot_count = 8;

  bool have_slots();
  Slot* take_slot();
  void give_back(Slot& slot);

  CudaContext& context_;
  std::mutex mutex_;
  std::array<Slot, slot_count> slots_;
  bool tried_ = false, have_ = false;
};

}  // namespace cugrb::runtime
