// A number of entries that a kernel sends to the host by itself (cuda/kernels/counted.h).
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "cuda/runtime/device.h"
#include "cuda/views/counted.h"

namespace cugrb::formats {

/// Shared by all copies of the vector whose entries are counted. Thread-safe.
class PostedCount {
 public:
  /// For a launch of so many blocks; null where it would be long in counting, or the device has no place for
  /// the number.
  static std::shared_ptr<PostedCount> of_launch(uint64_t blocks);

  /// What the kernel is told. Before anybody asks for the value.
  CountedArguments arguments() const;
  /// Waits for the launch. Throws DeviceFailure.
  uint64_t value();

 private:
  explicit PostedCount(std::unique_ptr<runtime::Posting> posting) : posting_(std::move(posting)) {}

  std::mutex mutex_;
  std::unique_ptr<runtime::Posting> posting_;  ///< null: the value is there
  uint64_t value_ = 0;
};

}  // namespace cugrb::formats
