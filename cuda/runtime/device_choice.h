// How the process's device is chosen from CUGRB_DEVICE. Apart from device() so that tests can try every
// setting.
#pragma once
#include <memory>
#include <string>

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

/// Why a GPU of this compute capability is not used; empty when it is (7.5 or later). `gpu` names it in the
/// text.
std::string too_old_reason(const std::string& gpu, int major, int minor);

}  // namespace cugrb::runtime
