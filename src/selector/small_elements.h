// Up to how many elements a call is the CPU's, where the host has its operands: placement.h has what else
// decides.
#pragma once
#include <cstdint>

namespace cugrb::selector {

/// Loops of LAGraph on R-MAT 11, of 45 K entries, take an H200 1.4 to 3 times as long as 16 cores; those of
/// R-MAT 14, of 400 K, pay for products.
inline constexpr uint64_t small_elements = 80000;
/// A list goes up in every call.
inline constexpr uint64_t small_listed = small_elements / 4;

}  // namespace cugrb::selector
