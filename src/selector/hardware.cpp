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
  set(Family::rows, {0, 2.49e-6, 0.728, 0.961, 0.993, 0, 0.389e-6, 0.827e-6});
  set(Family::merge, {0, 9.09e-6, 0.999, 0.854, 0.734, 3.98e-12, 0.35e-6, 0});
  set(Family::push, {0, 15e-6, 1, 1, 1, 0, 0, 0});  // its launches; what was measured pushes full vectors
  set(Family::ell, {0, 1.64e-6, 0.952, 0.986, 0.523, 0, 0.503e-6, 0});
  set(Family::sell, {0, 1.52e-6, 0.977, 1.01, 0.647, 0, 0.532e-6, 0});
  set(Family::coo, {2.87e-6, 7.2e-6, 0.693, 0.813, 0.285, 3.83e-12, 0, 0});
  set(Family::hyb, {4.65e-6, 5.77e-6, 0.674, 1.07, 0.77, 3.31e-12, 0.0776e-6, 0});
  set(Family::tile_coo, {15.4e-6, 9.21e-6, 0.585, 0.825, 0.905, 3.5e-12, 0, 0});
  set(Family::binned_csr, {3.48e-6, 1.78e-6, 0.801, 1, 0.853, 0, 0.445e-6, 0.531e-6});
  set(Family::blocked, {1e-6, 0, 1, 1, 1, 0, 0, 0});
  set(Family::dcsr, {0, 2.12e-6, 0.611, 1.1, 0.935, 0, 0.524e-6, 1.2e-6});
  set(Family::adcsr, {5.45e-6, 0.54e-6, 0.583, 0.905, 0.556, 0, 0.658e-6, 0.271e-6});
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
