#include "src/support/device_peak.h"

#include <atomic>

namespace cugrb::trace {
namespace {
constinit std::atomic<uint64_t> peak{0};
}

void device_bytes_in_use(uint64_t bytes) {
  uint64_t known = peak.load(std::memory_order_relaxed);
  while (bytes > known && !peak.compare_exchange_weak(known, bytes, std::memory_order_relaxed)) {
  }
}

uint64_t peak_device_bytes() { return peak.load(std::memory_order_relaxed); }

}  // namespace cugrb::trace
