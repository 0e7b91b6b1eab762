// A device's profile as a file: the numbers of Hardware by name.
#pragma once
#include <string>
#include <vector>

#include "src/jit/sources.h"
#include "src/selector/hardware.h"

namespace cugrb::selector {

/// One number of a profile: a rate of the device, one of a family's, or of the table of workloads.
struct ProfileNumber {
  std::string name;  ///< "copy_bytes_per_second", "merge.start_seconds", "workloads.fp32.128x1"
  double Hardware::*rate = nullptr;
  double KernelNumbers::*kernel = nullptr;  ///< of `kernels`, when `rate` is null
  NumbersId kernels = "rows";
  /// When both are null: WorkloadRates::entries_per_second of a kind, a class of rows and a length.
  size_t kind = 0, row_class = 0, length = 0;
  bool of_links = false;  ///< between devices: a profile that was made on one device lacks it

  bool in_table() const { return rate == nullptr && kernel == nullptr; }

  double& in(Hardware& hardware) const;
};
/// All that a profile's file holds: rates, families' numbers, the table of workloads.
const std::vector<ProfileNumber>& profile_numbers();

/// The file's text: {"device": name, "numbers": {name: value, …}}.
std::string profile_text(const Hardware& hardware, const std::string& device);
/// Throws std::invalid_argument: not such a text, of another device, a number that is missing, unknown, or
/// not a finite one (rates and the table of workloads: above 0). Numbers of links may be missing.
Hardware parse_profile(const std::string& text, const runtime::Properties& device);

/// Where `cugrb calibrate` writes a device's profile and every process looks for it: in the kernel cache's
/// folder, named after the device. Empty when there is no such folder (CUGRB_CACHE=off).
std::string profile_path(const std::string& device);

/// The profiles that the library brings along (src/selector/profiles), beside the H200's, which
/// Hardware's defaults are.
const jit::EmbeddedSource* shipped_profiles(size_t& count);

/// The profile in force for a device.
struct Profile {
  Hardware hardware;
  /// "shipped (NVIDIA H200, driver 580, 2026-11-25)", "scaled from the device's properties", or the file's
  /// path.
  std::string source;
  std::string problem;  ///< why a file that is there was not taken; empty when there is nothing to say
  std::string advice;   ///< what to do about numbers that nobody has measured; empty where somebody has

  /// The process's device's; null when there is none. Never throws.
  static const Profile* of_device() noexcept;
};
/// The file's, when it is there, sound, and nobody but this user and root can write to it; otherwise the
/// shipped one or one scaled from the properties.
Profile profile_of(const runtime::Properties& device);

}  // namespace cugrb::selector
