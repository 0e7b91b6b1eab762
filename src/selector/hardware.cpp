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
  set(Family::rows, {0, 0.7e-6, 0.818, 0.933, 0.993, 0, 0.401e-6, 0.884e-6});
  set(Family::merge, {6.6e-6, 2.22e-6, 0.999, 0.863, 0.742, 4.02e-12, 0.35e-6, 0});
  set(Family::push, {0, 15e-6, 0.131, 1, 1, 9.18e-12, 0, 0});  // fitted to full vectors, but its start
  set(Family::ell, {0, 0.7e-6, 0.943, 0.929, 0.379, 0, 0.503e-6, 0});
  set(Family::sell, {0, 0.97e-6, 0.977, 1.01, 0.623, 0, 0.527e-6, 0});
  set(Family::coo, {0, 6.1e-6, 0.693, 0.813, 0.285, 3.83e-12, 0, 0});
  set(Family::hyb, {4.65e-6, 3.24e-6, 0.759, 0.988, 0.711, 3.31e-12, 0.0345e-6, 0});
  set(Family::tile_coo, {15.4e-6, 9.57e-6, 0.591, 0.683, 0.121, 4.19e-12, 0, 0});
  set(Family::binned_csr, {3.48e-6, 1.79e-6, 0.809, 0.98, 0.836, 0, 0.441e-6, 0.557e-6});
  set(Family::blocked, {0, 8.32e-6, 0.7, 1, 1, 0, 0, 0});
  set(Family::dcsr, {0, 0.7e-6, 0.702, 0.976, 0.992, 0, 0.5e-6, 1.27e-6});
  set(Family::adcsr, {5.45e-6, 0.54e-6, 0.557, 0.932, 0.67, 0, 0.8e-6, 0.271e-6});
  set(Family::tile_composite, {11e-6, 8.4e-6, 0.94, 1.1, 0.6, 0, 0.43e-6, 0});
  // cuSPARSE 12.6, fitted to the generated matrices of bench/results/spmv.json.
  set(Family::cusparse_csr_alg1, {0, 7.93e-6, 0.688, 0.959, 0.438, 2.5e-12, 0, 0});
  set(Family::cusparse_csr_alg2, {0, 14e-6, 0.554, 1.04, 0.461, 3.51e-12, 0, 0});
  set(Family::cusparse_sell, {0, 1.75e-6, 0.95, 1.15, 0.877, 0, 0.85e-6, 0});
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
