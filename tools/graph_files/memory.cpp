#include "tools/graph_files/memory.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace cugrb::graph_files {
namespace {

/// MemAvailable and SwapFree.
uint64_t of_machine() {
  std::ifstream file("/proc/meminfo");
  uint64_t kilobytes = 0, sum = 0;
  bool known = false;
  for (std::string name, unit; file >> name >> kilobytes && std::getline(file, unit);) {
    known = known || name == "MemAvailable:";
    if (name == "MemAvailable:" || name == "SwapFree:") sum += kilobytes * 1024;
  }
  return known ? sum : UINT64_MAX;
}

/// The limit of the control group that a container sees as its root; version 2, then version 1.
uint64_t of_control_group() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    uint64_t limit = 0;
    if (std::ifstream(path) >> limit) return limit;  // "max" is no number
  }
  return UINT64_MAX;
}

}  // namespace

uint64_t available_memory() { return std::min(of_machine(), of_control_group()); }

}  // namespace cugrb::graph_files
