// How much memory the host has to give.
#pragma once
#include <cstdint>

namespace cugrb {

/// Bytes that the system can give without swapping (MemAvailable of /proc/meminfo); 0 where it does not say.
uint64_t available_host_bytes();

}  // namespace cugrb
