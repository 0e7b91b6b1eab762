// Hardware: what the cost models know of a device, in the units that they compute with.
#pragma once
#include <cstdint>

#include "cuda/runtime/device.h"

namespace cugrb::selector {

/// Rates of one device. Measured on an NVIDIA H200 (132 multiprocessors, 60 MB of L2, CUDA 13.0, driver 580);
/// other devices are scaled from their properties (from_properties).
struct Hardware {
  bool emulated = false;
  double multiprocessors = 132;
  double l2_bytes = 60e6;
  double copy_bytes_per_second = 4.27e12;     ///< device memory, read + write counted
  double launch_seconds = 3e-6;               ///< a launch that follows another on the stream
  double latency_seconds = 0.7e-6;            ///< a load that misses every cache
  double shared_gathers_per_second = 1e12;    ///< random 4-byte loads from shared memory, all multiprocessors
  double atomics_per_second = 25e9;           ///< scattered read-modify-writes that stay in L2
  size_t shared_bytes_per_block = 227 << 10;  ///< largest dynamic shared memory of a block
  double sort_keys_per_second = 3e9;          ///< (key, 64-bit payload) pairs through the radix sort

  /// Random 4-byte loads a second from a vector of so many bytes, indices streamed from memory. Interpolated
  /// between the measured points (1 MB: 163 G/s, 16 MB: 150, 64 MB: 77, 256 MB: 48, 1 GB: 43), with the
  /// footprint taken in units of the L2 cache and the rate in units of the device's bandwidth.
  double gathers_per_second(uint64_t footprint_bytes) const;

  static Hardware from_properties(const runtime::Properties& properties);
  /// The process's device; null when there is none. Never throws.
  static const Hardware* of_device() noexcept;
};

}  // namespace cugrb::selector
