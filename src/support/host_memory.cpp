#include "src/support/host_memory.h"

#include <cinttypes>
#include <cstdio>
#include <memory>

namespace cugrb {

uint64_t available_host_bytes() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/meminfo", "re"), std::fclose);
  char line[128];
  uint64_t kilobytes = 0;
  while (file != nullptr && std::fgets(line, sizeof line, file.get()) != nullptr) {
    if (std::sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1) return kilobytes << 10;
  }
  return 0;
}

}  // namespace cugrb
