// Bytes that kernels send to the host by themselves (Device::expect_post).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "cuda/runtime/cuda_context.h"

namespace cugrb::runtime {

/// Each has a slot of pinned memory of its own, which is taken at the first use.
class CudaPostings {
 public:
  explicit CudaPostings(CudaContext& context) : context_(context) {}

  /// Null when all slots are in use, or the host has no pinned memory.
  std::unique_ptr<Posting> expect();

 private:
  class Posted;
  /// Of pinned memory: a cache line.
  struct alignas(64) Slot {
    char bytes[most_post_bytes];
    uint64_t arrived;  ///< the number of the last post that is there
  };
  struct Use {
    Slot* slot = nullptr;
    uint64_t number = 0;  ///< of the last post that was expected
    bool taken = false;
  };

  bool have_slots();
  void give_back(Use& use);

  CudaContext& context_;
  std::mutex mutex_;
  std::array<Use, most_postings> uses_;
  size_t next_ = 0;  ///< where a free one is looked for first
  bool tried_ = false, have_ = false;
};

}  // namespace cugrb::runtime
