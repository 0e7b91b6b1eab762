#include "src/selector/hardware.h"

#include <algorithm>

#include "src/formats/l2_share.h"
#include "src/selector/profile.h"

namespace cugrb::selector {

double Hardware::gathers_per_second(uint64_t footprint_bytes) const {
  const double kept = footprint_bytes == 0 ? 1 : std::min(1.0, cached_bytes / double(footprint_bytes));
  return 1 / (kept / near_gathers_per_second + (1 - kept) / far_gathers_per_second);
}

double Hardware::kept_share(double matrix_bytes, double vector_bytes) const {
  return formats::sixteenths_kept_in_l2(l2_bytes, matrix_bytes, vector_bytes) / 16.0;
}

double Hardware::streamed_bytes_per_second(double kept) const {
  return 1 / (kept / cached_bytes_per_second + (1 - kept) / copy_bytes_per_second);
}

std::array<KernelNumbers, std::size(measured_kernels)> Hardware::h200_kernels() {
  std::array<KernelNumbers, std::size(measured_kernels)> kernels;
  const auto set = [&kernels](NumbersId of, const KernelNumbers& numbers) { kernels[of.index] = numbers; };
  //                            call   start stream gather overlap entry wave tail
  set("rows", {3.36e-6, 1.37e-6, 0.794, 0.933, 0.821, 1.35e-12, 0.389e-6, 1.22e-6});
  set("few_lanes", {3.36e-6, 1e-6, 0.81, 0.994, 0.878, 1.69e-12, 0.381e-6, 1.03e-6});
  set("merge", {6.34e-6, 4.22e-6, 0.821, 0.907, 0.607, 2.81e-12, 0, 0});
  set("push", {15e-6, 18.5e-6, 0.247, 1, 1, 15.9e-12, 0, 0});  // fitted to full vectors, but its start
  set("ell", {3.43e-6, 0, 0.934, 0.957, 0.379, 0.68e-12, 0.508e-6, 1.12e-6});
  set("sell", {3.47e-6, 0.342e-6, 0.932, 1.25, 0.901, 0.667e-12, 0.508e-6, 0.886e-6});
  set("coo", {5.37e-6, 6.1e-6, 0.693, 0.821, 0.314, 3.79e-12, 0, 0});
  set("hyb", {3.63e-6, 6.42e-6, 0.665, 0.942, 0.488, 2.16e-12, 0.00585e-6, 0});
  set("tile_coo", {11.3e-6, 9.04e-6, 0.447, 0.907, 0.307, 5.38e-12, 0, 0});
  set("binned_csr", {3.4e-6, 1.66e-6, 0.787, 0.961, 0.879, 0, 0.441e-6, 1.21e-6});
  set("blocked", {0, 14.9e-6, 0.721, 1, 1, 0, 0, 0});
  set("csb", {3.4e-6, 2.5e-6, 0.995, 1.55, 0.58, 0, 0.68e-6, 0});
  set("dcsr", {3.39e-6, 1.18e-6, 0.592, 0.982, 0.603, 0, 0.56e-6, 0.7e-6});
  set("adcsr", {3.4e-6, 0.39e-6, 0.572, 0.914, 0.583, 0, 0.74e-6, 1.09e-6});
  set("tile_composite", {9.7e-6, 7.15e-6, 0.978, 1.14, 0.737, 0, 0.348e-6, 0});
  set("cusparse_csr_alg1", {7.28e-6, 7.65e-6, 0.662, 1.05, 0.589, 2.5e-12, 0, 0});
  set("cusparse_csr_alg2", {9.8e-6, 11.8e-6, 0.524, 1.02, 0.448, 2.34e-12, 0, 0});
  set("cusparse_sell", {4.08e-6, 2.48e-6, 0.917, 1.21, 0.879, 0, 0.333e-6, 0.722e-6});
  return kernels;
}

Hardware Hardware::from_properties(const runtime::Properties& properties) {
  Hardware hardware;
  hardware.emulated = properties.kind == runtime::Kind::emulated;
  hardware.clusters = properties.resident_clusters;  // devices of one name differ
  if (properties.l2_bytes > 0) hardware.l2_bytes = double(properties.l2_bytes);
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
