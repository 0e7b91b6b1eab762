// Constants on the device: the values of iso objects that the host has given. A loop that assigns the same
// scalar in every turn copies it up once, and the host knows what it is without asking the device.
#pragma once
#include <optional>
#include <string>

#include "cuda/runtime/buffer.h"

namespace cugrb::formats {

/// Memory of the calling thread's device with these bytes, which nobody changes: it is never unique(). The
/// last 64 short ones are kept, of each device. O(1). Thread-safe. Throws runtime::OutOfMemory.
runtime::Buffer constant(const void* bytes, size_t count);
/// The first `count` bytes of that memory, where it is one of these constants.
std::optional<std::string> constant_bytes(const runtime::Buffer& memory, size_t count);

}  // namespace cugrb::formats
