// The emulated device: runtime::Device on host memory and the SIMT emulator (CUGRB_DEVICE=emulated).
#pragma once
#include <memory>

#include "cuda/runtime/device.h"

namespace cugrb::emulated {

/// Reads CUGRB_MEMORY_LIMIT (default: 4 GiB) and CUGRB_EMULATED_SCHEDULE=forward|reverse|random|random:SEED.
/// CUGRB_EMULATED_DEVICES=N:BYTES,... gives the device at each place, in turn, so many multiprocessors and so
/// much memory. Throws runtime::NoDevice when one of them is malformed. Several have memories of their own,
/// and `place` and `number` as runtime::Properties has them.
///
/// Launches are checked: whatever simt::run reports, a write next to an allocation, and an argument struct of
/// the wrong size become runtime::DeviceFailure with the text. Fresh memory holds 0xCB bytes.
std::unique_ptr<runtime::Device> make_device(unsigned place = 0, int number = 0);

/// For tests: a reading that is started from now on arrives when so many kernels have been launched after it,
/// or when it is waited for. 0, the default: at once.
void delay_readings(uint64_t launches) noexcept;

}  // namespace cugrb::emulated
