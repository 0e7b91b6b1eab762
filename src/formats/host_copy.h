// Arrays of indices copied to the host: for invariant checks.
#pragma once
#include <vector>

#include "src/formats/vector.h"

namespace cugrb::formats {

/// `count` indices of the given width, as 64-bit ones.
inline std::vector<uint64_t> widened(const runtime::Buffer& buffer, Width width, uint64_t count) {
  if (width == Width::bits64) return buffer.to_host<uint64_t>(count);
  const std::vector<uint32_t> narrow = buffer.to_host<uint32_t>(count);
  return {narrow.begin(), narrow.end()};
}

}  // namespace cugrb::formats
