// Sharing out work to devices that differ in what they wait for and in their pace.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cuda/runtime/device.h"

namespace cugrb::selector {

/// What a device takes for a share s of the work, 0 <= s <= 1: before_seconds + s * whole_seconds; nothing
/// where s is 0.
struct DeviceSeconds {
  double before_seconds = 0;
  double whole_seconds = 0;  ///< above 0
};

struct Shares {
  std::vector<double> of_device;  ///< they add up to one; 0: better left out
  double seconds = 0;             ///< when all of them are done
};

/// The shares with which all devices that take part end at the same time: no others end sooner. That time is
/// the least T with sum over devices of max(0, T - before) / whole >= 1. O(devices^2).
Shares share_out(const std::vector<DeviceSeconds>& devices);

/// How fast devices are beside the first one of them, by their bandwidths (Hardware::from_properties).
std::vector<double> paces_of(std::span<runtime::Device* const> devices);

/// "0.55 0.45".
std::string text_of(const std::vector<double>& shares);

}  // namespace cugrb::selector
