// Launching kernels that run one thread per element, and naming elements that are moved but never read.
#pragma once
#include <string>

#include "src/formats/launch.h"

namespace cugrb::formats {

/// Launches `name` of cuda/kernels/`header` with at least `count` threads in blocks of 256. Nothing runs for
/// count 0.
template <class Arguments>
void launch_per_element(const std::string& header, const std::string& name, uint64_t count,
                        const Arguments& arguments, const std::string& preamble = {}) {
  launch_blocks(header, name, blocks_for(count), arguments, preamble);
}

/// The device type by which kernels move elements of so many bytes: "uint32_t", "packed<uint64_t, 3>".
inline std::string element_of_bytes(size_t bytes) {
  switch (bytes) {
    case 1:
      return "uint8_t";
    case 2:
      return "uint16_t";
    case 4:
      return "uint32_t";
    case 8:
      return "uint64_t";
    default:
      break;
  }
  const size_t word = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
  return "packed<uint" + std::to_string(8 * word) + "_t, " + std::to_string(bytes / word) + ">";
}

}  // namespace cugrb::formats
