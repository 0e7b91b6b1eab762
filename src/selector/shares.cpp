#include "src/selector/shares.h"

#include <algorithm>

#include "src/selector/hardware.h"
#include "src/support/number_text.h"

namespace cugrb::selector {

Shares share_out(const std::vector<DeviceSeconds>& devices) {
  std::vector<double> begins;
  for (const DeviceSeconds& device : devices) begins.push_back(device.before_seconds);
  std::sort(begins.begin(), begins.end());
  // With those that begin first, until the next one would begin too late to be of use.
  Shares shares;
  for (size_t taking = 1; taking <= devices.size(); ++taking) {
    double pace = 0, ahead = 0;
    for (const DeviceSeconds& device : devices) {
      if (device.before_seconds > begins[taking - 1]) continue;
      pace += 1 / device.whole_seconds;
      ahead += device.before_seconds / device.whole_seconds;
    }
    shares.seconds = (1 + ahead) / pace;
    if (taking == devices.size() || shares.seconds <= begins[taking]) break;
  }
  for (const DeviceSeconds& device : devices)
    shares.of_device.push_back(
        std::max(0.0, (shares.seconds - device.before_seconds) / device.whole_seconds));
  return shares;
}

std::vector<double> paces_of(std::span<runtime::Device* const> devices) {
  std::vector<double> paces;
  for (const runtime::Device* device : devices) {
    const runtime::Properties& properties = device->properties();
    paces.push_back(properties.kind == runtime::Kind::emulated
                        ? properties.multiprocessors
                        : Hardware::from_properties(properties).copy_bytes_per_second);
  }
  for (size_t n = paces.size(); n-- > 0;) paces[n] /= paces[0];
  return paces;
}

std::string text_of(const std::vector<double>& shares) {
  std::string text;
  for (const double share : shares) text += (text.empty() ? "" : " ") + fixed_text(share, 2);
  return text;
}

}  // namespace cugrb::selector
