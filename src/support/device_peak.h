// The most device memory in use at once in the life of the process: told by the device's allocator, said by
// the summary and the statistics.
#pragma once
#include <cstdint>

namespace cugrb::trace {

/// So much is given out now, as the device rounds it. Thread-safe, one load when it is no new peak.
void device_bytes_in_use(uint64_t bytes);
uint64_t peak_device_bytes();

}  // namespace cugrb::trace
