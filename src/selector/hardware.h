// Hardware: what the cost models know of a device, in the units that they compute with.
#pragma once
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "cuda/runtime/device.h"
#include "src/selector/workload_rates.h"

namespace cugrb::selector {

/// Whose numbers a profile holds: the stems of matrix-vector kernels' names. Kernels that differ by their
/// lanes alone share them.
constexpr std::string_view measured_kernels[] = {"rows",
                                                 "few_lanes",
                                                 "merge",
                                                 "push",
                                                 "ell",
                                                 "sell",
                                                 "coo",
                                                 "hyb",
                                                 "binned_csr",
                                                 "blocked",
                                                 "csb",
                                                 "dcsr",
                                                 "adcsr",
                                                 "tile_coo",
                                                 "tile_composite",
                                                 "cusparse_csr_alg1",
                                                 "cusparse_csr_alg2",
                                                 "cusparse_sell"};

/// One of them. A name that is none of them does not compile.
struct NumbersId {
  size_t index = 0;

  consteval NumbersId(const char* stem) {
    while (measured_kernels[index] != stem) ++index;
  }
  constexpr explicit NumbersId(size_t at) : index(at) {}
  bool operator==(const NumbersId&) const = default;
  bool operator<(const NumbersId& other) const { return index < other.index; }
};

/// What a family of matrix-vector kernels makes of the device's rates. A product takes
///   max(call, start + hypot(slower * (max(S, G, E, W) + overlap * apart * min(S, G)), tail))
/// the outer maximum being soft, as is `hypot` where the longest row comes first. S: bytes streamed, G:
/// operands gathered, E: instructions of the entries, W: waves of threads that wait for their loads, tail:
/// what the longest row keeps its threads waiting for, apart: the share of gathers that name another sector
/// than those before, slower: lanes that are idle (src/selector/mxv_cost_terms.cpp).
struct KernelNumbers {
  /// From call to call of a loop, when the device has next to nothing to do and a launch takes
  /// usual_host_call_seconds.
  double call_seconds = 8e-6;
  double start_seconds = 3e-6;  ///< until the kernels' loads are under way, all of its launches together
  double stream_share = 1;      ///< of the copy bandwidth
  double gather_share = 1;      ///< of the gather rate
  double overlap = 0.3;         ///< of the lesser of S and G that the greater one does not hide
  double entry_seconds = 0;     ///< of instructions for an entry, all multiprocessors at work
  double wave_load_seconds = 0.35e-6;  ///< a load that a wave of threads waits for
  double tail_load_seconds = 0.7e-6;   ///< a load that one row waits for
};

/// Loading cuSPARSE, its handle, and its kernels at their first launch (42 and 58 ms were measured; the
/// host's part of it is nearly all).
constexpr double cusparse_loading_seconds = 0.05;

/// The host's pace (runtime::Device::host_call_seconds) that KernelNumbers::call_seconds are for, on any
/// device.
constexpr double usual_host_call_seconds = 2e-6;

/// Rates of one device, and what each family of kernels makes of them: all that predictions know of it. The
/// defaults are the profile of an NVIDIA H200 (132 multiprocessors, 60 MB of L2, CUDA 13.0, driver 580),
/// fitted by `cugrb calibrate` (docs/selector.md); other devices are scaled from their properties until they
/// are calibrated (src/selector/profile.h).
struct Hardware {
  bool emulated = false;
  double multiprocessors = 132;
  double copy_bytes_per_second = 4.27e12;     ///< device memory, read + write counted
  double l2_bytes = 62.9e6;                   ///< all of L2
  double cached_bytes_per_second = 5e12;      ///< streams that are in L2 since the last product
  double cached_bytes = 19.9e6;               ///< of a vector, that L2 keeps
  double launch_seconds = 2.23e-6;            ///< a launch that follows another on the stream
  double further_launch_seconds = 3.19e-6;    ///< one more launch of a product, host work included
  double latency_seconds = 0.7e-6;            ///< a load that misses every cache
  double near_gathers_per_second = 165e9;     ///< random 4-byte loads from L2, indices streamed from memory
  double far_gathers_per_second = 42e9;       ///< the same from memory
  double popular_gathers_per_second = 224e9;  ///< from L1: of columns that many entries name
  double popular_bytes = 46e3;                ///< of those
  double shared_gathers_per_second = 1e12;    ///< random 4-byte loads from shared memory, all multiprocessors
  double atomics_per_second = 25e9;           ///< scattered read-modify-writes that stay in L2
  double contended_update_seconds =
      0.1136e-6;  ///< of one place by compare-and-swap, for each power of ten of threads that ask for it
  double sort_keys_per_second = 3e9;          ///< (key, 64-bit payload) pairs through the radix sort
  double bus_bytes_per_second = 55e9;         ///< large copies between pageable host memory and the device
  double peer_bytes_per_second = 380e9;       ///< large copies between two devices, one way
  double peer_seconds = 15e-6;                ///< a small one, and that one device follows the other
  size_t shared_bytes_per_block = 227 << 10;  ///< largest dynamic shared memory of a block
  /// Properties::resident_clusters
  std::array<int, runtime::most_cluster_blocks + 1> clusters = {0, 132, 66, 39, 30, 22, 17, 15, 15};
  WorkloadRates workloads;  ///< of tile-composite, by shape
  std::array<KernelNumbers, std::size(measured_kernels)> mxv = h200_kernels();

  /// Random 4-byte loads a second from a vector of so many bytes, each place as likely as any other: the
  /// share that L2 keeps at its rate, the rest at the memory's.
  double gathers_per_second(uint64_t footprint_bytes) const;
  /// Of so many bytes of a matrix that each product reads, the share that L2 keeps beside the vectors.
  double kept_share(double matrix_bytes, double vector_bytes) const;
  /// Streams a second of which L2 keeps a share.
  double streamed_bytes_per_second(double kept) const;

  const KernelNumbers& of(NumbersId kernels) const { return mxv[kernels.index]; }
  KernelNumbers& of(NumbersId kernels) { return mxv[kernels.index]; }

  static std::array<KernelNumbers, std::size(measured_kernels)> h200_kernels();
  static Hardware from_properties(const runtime::Properties& properties);
  /// The process's device; null when there is none. Never throws.
  static const Hardware* of_device() noexcept;
};

}  // namespace cugrb::selector
