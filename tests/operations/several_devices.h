// A test program that works on several devices: three emulated ones, or all GPUs.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "src/formats/vector_parts.h"
#include "src/support/settings.h"
#include "tests/operations/device_data.h"

namespace cugrb::test {

/// Every file that includes this has its program's settings changed before main().
inline const bool several_devices_asked_for = [] {
  Settings changed = settings();
  changed.devices = changed.device == "emulated" ? "0,1,2" : "all";
  override_settings(changed);
  return true;
}();

/// Positions to parts by chance; there may be parts without any. Two parts may lie on one device.
inline std::shared_ptr<const formats::Split> random_split(Random& random, uint64_t length, size_t parts) {
  auto split = std::make_shared<formats::Split>();
  split->length = length;
  split->width = formats::index_width(length);
  split->home = runtime::devices().front();
  std::vector<std::vector<uint32_t>> positions(parts);
  for (uint32_t i = 0; i < length; ++i) positions[below(random, parts)].push_back(i);
  for (size_t p = 0; p < parts; ++p) {
    std::shuffle(positions[p].begin(), positions[p].end(), random);
    split->parts.push_back({runtime::devices()[p % runtime::devices().size()],
                            runtime::Buffer::from_host(positions[p].data(), positions[p].size() * 4),
                            positions[p].size()});
  }
  return split;
}

}  // namespace cugrb::test
