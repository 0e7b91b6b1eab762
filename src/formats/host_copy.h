// Indices copied to the host.
#pragma once
#include <vector>

#include "src/formats/vector.h"

namespace cugrb::formats {

/// All rows of a matrix in host memory.
struct HostRows {
  std::vector<uint64_t> offsets, columns;
  std::vector<char> values;  ///< one for each entry, or one for all (iso)
};

/// `count` indices of the given width, as 64-bit ones.
inline std::vector<uint64_t> widened(const runtime::Buffer& buffer, Width width, uint64_t count) {
  if (width == Width::bits64) return buffer.to_host<uint64_t>(count);
  const std::vector<uint32_t> narrow = buffer.to_host<uint32_t>(count);
  return {narrow.begin(), narrow.end()};
}

/// One of them. Waits for the device.
inline uint64_t index_at(const runtime::Buffer& buffer, Width width, uint64_t position) {
  return width == Width::bits64 ? buffer.read<uint64_t>(position) : buffer.read<uint32_t>(position);
}

}  // namespace cugrb::formats
