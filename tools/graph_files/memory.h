// Host memory that this process can still get.
#pragma once
#include <cstdint>

namespace cugrb::graph_files {

/// Bytes that the machine can give without taking them from other programs, at most what the control group
/// allows. UINT64_MAX when the system does not say. An allocation beyond it may succeed, and the process is
/// killed when it writes there.
uint64_t available_memory();

}  // namespace cugrb::graph_files
