// A test program that works on several devices: three emulated ones, or all GPUs.
#pragma once
#include "cuda/runtime/device.h"
#include "src/support/settings.h"

namespace cugrb::test {

/// Every file that includes this has its program's settings changed before main().
inline const bool several_devices_asked_for = [] {
  Settings changed = settings();
  changed.devices = changed.device == "emulated" ? "0,1,2" : "all";
  override_settings(changed);
  return true;
}();

}  // namespace cugrb::test
