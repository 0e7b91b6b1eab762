// Helpers of the emulator's tests: a launch under each schedule.
#pragma once
#include <string>
#include <vector>

#include "cuda/emulated/emulator.h"
#include "cuda/emulated/entry.h"

namespace cugrb::tests {

inline const std::vector<std::string>& schedules() {
  static const std::vector<std::string> all = {"forward", "reverse", "random:1", "random:2"};
  return all;
}

template <class Arguments>
void launch(simt::Entry entry, const Arguments& arguments, uint64_t grid, unsigned block,
            const std::string& schedule = "forward", size_t shared_bytes = 0, unsigned cluster = 1) {
  simt::run(entry, &arguments, {grid, block, shared_bytes, cluster}, simt::parse_schedule(schedule));
}

}  // namespace cugrb::tests
