// MaskView: a mask as a kernel sees it. A plain struct: it crosses the launch boundary by value.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// The vector that a mask is made of, in any of the three forms. Which fields are set, the value type,
/// whether the mask is structural and whether it is complemented are template parameters
/// (cuda/kernels/mask.h), never read from here.
struct MaskView {
  const void* values = nullptr;      ///< valued masks only; one element when iso
  const uint8_t* present = nullptr;  ///< bitmap only
  const void* indices = nullptr;     ///< sparse only: `entries` positions, ascending
  uint64_t entries = 0;              ///< sparse only
};

}  // namespace cugrb
