#include "src/selector/hardware.h"

#include <algorithm>

#include "src/selector/profile.h"

namespace cugrb::selector {

double Hardware::gathers_per_second(uint64_t footprint_bytes) const {
  const double kept = footprint_bytes == 0 ? 1 : std::min(1.0, cached_bytes / double(footprint_bytes));
  return 1 / (kept / near_gathers_per_second + (1 - kept) / far_gathers_per_second);
}

double Hardware::streamed_bytes_per_second(double working_set_bytes) const {
  const double kept = std::clamp(2 - working_set_bytes / cached_bytes, 0.0, 1.0);
  return 1 / (kept / cached_bytes_per_second + (1 - kept) / copy_bytes_per_second);
}

std::array<KernelNumbers, families> Hardware::h200_kernels() {
  std::array<KernelNumbers, families> kernels;
  const auto set = [&kernels](Family family, const KernelNumbers& numbers) {
    kernels[size_t(family)] = numbers;
  };
  //                            call   start stream gather overlap entry wave tail
  set(Family::rows, {7.66e-6, 3.2e-6, 0.686, 0.926, 0.993, 0, 0.393e-6, 0.911e-6});
  set(Family::merge, {1e-6, 11.7e-6, 0.999, 0.829, 0.812, 4.14e-12, 0.35e-6, 0});
  set(Family::push, {50.3e-6, 24.3e-6, 1, 1, 1, 0, 0, 0});
  set(Family::ell, {7.69e-6, 3.59e-6, 0.89, 0.996, 0.481, 0, 0.594e-6, 0});
  set(Family::sell, {7.79e-6, 3.28e-6, 0.887, 0.994, 0.585, 0, 0.689e-6, 0});
  set(Family::coo, {11e-6, 9.33e-6, 0.673, 0.813, 0.336, 3.91e-12, 0, 0});
  set(Family::hyb, {1e-6, 6.24e-6, 0.583, 1.07, 0.77, 4.96e-12, 0.589e-6, 0});
  set(Family::tile_coo, {19.8e-6, 12.2e-6, 0.767, 0.825, 0.896, 3.5e-12, 0, 0});
  set(Family::binned_csr, {8.8e-6, 1.63e-6, 0.755, 0.863, 0.751, 0, 0.454e-6, 0.752e-6});
  set(Family::blocked, {1e-6, 0, 1, 1, 1, 0, 0, 0});
  set(Family::dcsr, {8.17e-6, 2.14e-6, 0.589, 1.07, 0.963, 0, 0.54e-6, 1.32e-6});
  set(Family::adcsr, {8.75e-6, 0.749e-6, 0.953, 0.821, 0.858, 0, 0.87e-6, 0.713e-6});
  set(Family::tile_composite, {1e-6, 0, 1, 1, 1, 0, 0, 0});
  return kernels;
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
  if (properties.l2_bytes > 0) hardware.cached_bytes = 0.7 * double(properties.l2_bytes);
  for (double* rate : {&hardware.copy_bytes_per_second, &hardware.cached_bytes_per_second,
                       &hardware.near_gathers_per_second, &hardware.far_gathers_per_second})
    *rate *= 0.6 * share;
  hardware.atomics_per_second *= 0.6 * share;
  hardware.shared_gathers_per_second *= share;
  hardware.popular_gathers_per_second *= share;
  hardware.popular_bytes *= share;
  for (KernelNumbers& kernel : hardware.mxv) kernel.entry_seconds /= share;
  hardware.sort_keys_per_second *= 0.6 * share;
  return hardware;
}

const Hardware* Hardware::of_device() noexcept {
  const Profile* profile = Profile::of_device();
  return profile == nullptr ? nullptr : &profile->hardware;
}

}  // namespace cugrb::selector
