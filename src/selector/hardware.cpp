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
  set(Family::rows, {4.37e-6, 1.35e-6, 0.794, 0.906, 0.86, 1.36e-12, 0.393e-6, 1.15e-6});
  set(Family::merge, {7.69e-6, 4.01e-6, 0.812, 0.889, 0.577, 2.78e-12, 0, 0});
  set(Family::push, {0, 15e-6, 0.355, 1, 1, 16.4e-12, 0, 0});  // fitted to full vectors, but its start
  set(Family::ell, {4.28e-6, 0, 0.943, 1.24, 0.584, 0.673e-12, 0.503e-6, 1.01e-6});
  set(Family::sell, {4.33e-6, 0.0809e-6, 0.932, 1.25, 0.91, 0.667e-12, 0.512e-6, 1.06e-6});
  set(Family::coo, {7.14e-6, 6.16e-6, 0.693, 0.821, 0.314, 3.79e-12, 0, 0});
  set(Family::hyb, {0.0872e-6, 5.95e-6, 0.836, 0.978, 0.704, 3.31e-12, 0.129e-6, 0});
  set(Family::tile_coo, {17e-6, 10.6e-6, 0.621, 0.676, 0.0637, 3.99e-12, 0, 0});
  set(Family::binned_csr, {4.04e-6, 2.07e-6, 0.787, 0.951, 0.836, 0, 0.445e-6, 1.3e-6});
  set(Family::blocked, {0, 15e-6, 0.714, 1, 1, 0, 0, 0});
  set(Family::dcsr, {4.17e-6, 1.62e-6, 0.531, 0.835, 0.514, 0, 0.481e-6, 1.73e-6});
  set(Family::adcsr, {4.44e-6, 0.279e-6, 0.572, 0.923, 0.601, 0, 0.733e-6, 1.25e-6});
  set(Family::tile_composite, {11.9e-6, 6.69e-6, 0.978, 1.12, 0.729, 0, 0.351e-6, 0});
  set(Family::cusparse_csr_alg1, {7.86e-6, 7.34e-6, 0.662, 1.05, 0.595, 2.5e-12, 0, 0});
  set(Family::cusparse_csr_alg2, {0.176e-6, 11.3e-6, 0.529, 1.03, 0.466, 2.34e-12, 0, 0});
  set(Family::cusparse_sell, {4.84e-6, 2.46e-6, 0.924, 1.21, 0.877, 0, 0.337e-6, 0.735e-6});
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
  for (auto& kind : hardware.workloads.entries_per_second) {
    for (auto& row_class : kind) {
      for (double& rate : row_class) rate *= 0.6 * share;
    }
  }
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
