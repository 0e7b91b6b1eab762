#include "src/selector/hardware.h"

#include <algorithm>
#include <cmath>

namespace cugrb::selector {

namespace {

/// Footprint over L2 size, and gathers a second, on the H200.
struct GatherPoint {
  double footprint;
  double rate;
};
constexpr double measured_l2_bytes = 60e6;
constexpr GatherPoint gather_points[] = {{1e6 / measured_l2_bytes, 163e9},
                                         {16e6 / measured_l2_bytes, 150e9},
                                         {64e6 / measured_l2_bytes, 77e9},
                                         {256e6 / measured_l2_bytes, 48e9},
                                         {1e9 / measured_l2_bytes, 43e9}};

}  // namespace

double Hardware::gathers_per_second(uint64_t footprint_bytes) const {
  const double scale = copy_bytes_per_second / 4.27e12;
  const double footprint = double(footprint_bytes) / l2_bytes;
  const GatherPoint* previous = &gather_points[0];
  if (footprint <= previous->footprint) return previous->rate * scale;
  for (const GatherPoint& point : gather_points) {
    if (footprint <= point.footprint) {
      const double share =
          std::log(footprint / previous->footprint) / std::log(point.footprint / previous->footprint);
      return (previous->rate + share * (point.rate - previous->rate)) * scale;
    }
    previous = &point;
  }
  return previous->rate * scale;
}

Hardware Hardware::from_properties(const runtime::Properties& properties) {
  Hardware hardware;
  hardware.emulated = properties.kind == runtime::Kind::emulated;
  if (hardware.emulated || properties.name == "NVIDIA H200") return hardware;
  // Unknown: bandwidth grows about as the number of multiprocessors does within a generation of server
  // devices.
  const double share = std::max(1, properties.multiprocessors) / hardware.multiprocessors;
  hardware.multiprocessors = std::max(1, properties.multiprocessors);
  if (properties.shared_bytes_per_block > 0)
    hardware.shared_bytes_per_block = properties.shared_bytes_per_block;
  if (properties.l2_bytes > 0) hardware.l2_bytes = double(properties.l2_bytes);
  hardware.copy_bytes_per_second *= 0.6 * share;
  hardware.atomics_per_second *= 0.6 * share;
  hardware.shared_gathers_per_second *= share;
  hardware.sort_keys_per_second *= 0.6 * share;
  return hardware;
}

const Hardware* Hardware::of_device() noexcept {
  // One per process, like the device. `available` is asked each time: after a fork there is no device any
  // more.
  if (!runtime::available()) return nullptr;
  try {
    static const Hardware hardware = from_properties(runtime::device().properties());
    return &hardware;
  } catch (...) {
    return nullptr;
  }
}

}  // namespace cugrb::selector
