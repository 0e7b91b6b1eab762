// The CUDA device's factory. CUDA builds only.
#pragma once
#include "cuda/runtime/device_choice.h"

namespace cugrb::runtime {

/// The first usable GPU (`ordinal` < 0), or GPU `ordinal`. Usable: compute capability 7.5 or later, and a
/// context can be made on it. Never throws.
Choice make_cuda_device(int ordinal) noexcept;
/// Those GPUs, or all usable ones: of one architecture, and able to reach each other where they are connected
/// so.
Choices make_cuda_devices(const std::vector<int>& ordinals) noexcept;

}  // namespace cugrb::runtime
