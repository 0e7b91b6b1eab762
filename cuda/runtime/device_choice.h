// How the process's devices are chosen from CUGRB_DEVICE and CUGRB_DEVICES. Apart from device() so that tests
// can try every setting.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cuda/runtime/device.h"

namespace cugrb::runtime {

/// A device, or the reason in words why there is none.
struct Choice {
  std::unique_ptr<Device> device;
  std::string reason;  ///< empty exactly when `device` is set
};

/// `setting`: "auto" takes the first usable GPU and never the emulated device; "gpu" likewise; "gpu:N" takes
/// GPU N; "emulated"; "none". Never throws.
Choice choose_device(const std::string& setting) noexcept;

/// Several, or the reason in words why there are none.
struct Choices {
  std::vector<std::unique_ptr<Device>> devices;
  std::string reason;  ///< empty exactly when there are devices
};

/// `list` is CUGRB_DEVICES: empty gives choose_device(setting) alone; "all" gives every GPU, or one emulated
/// device; "0,1" those GPUs, or as many emulated devices. All must be usable and of one architecture, and
/// `setting` must name no single one. GPUs that can reach each other's memory do. Never throws.
Choices choose_devices(const std::string& setting, const std::string& list) noexcept;

/// Why a GPU of this compute capability is not used; empty when it is (7.5 or later). `gpu` names it in the
/// text.
std::string too_old_reason(const std::string& gpu, int major, int minor);

}  // namespace cugrb::runtime
