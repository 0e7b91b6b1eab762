// A reduction to one value on its way to the host (cuda/kernels/reduce.h).
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "cuda/runtime/buffer.h"
#include "cuda/views/reduce.h"

namespace cugrb::formats {

/// Of `count` values to one of so many bytes: room for the blocks' partial results, and for the result. Its
/// kernel sends a small result to the host by itself, where the device has a place for it
/// (runtime::Device::expect_post); a large one is read.
class Reduction {
 public:
  /// Throws runtime::OutOfMemory.
  Reduction(uint64_t count, size_t value_bytes);

  /// All but the input. Launched as cuda/kernels/reduce.h says, in so many blocks.
  const ReduceArguments& arguments() const { return arguments_; }
  uint64_t blocks() const { return ReduceShape::blocks(arguments_.count); }
  /// Waits for the launch. The value's bytes; nothing where there was none. Throws DeviceFailure.
  std::optional<std::string> value() const;

 private:
  size_t value_bytes_, flags_at_;
  std::unique_ptr<runtime::Posting> posting_;
  runtime::Buffer result_, partials_;
  ReduceArguments arguments_;
};

}  // namespace cugrb::formats
