// Variables of a compiled kernel that its code never touches.
#pragma once
#include <string>

namespace cugrb::jit {

/// A CUBIN without its unused variables. NVRTC gives every constant of the sources that it meets a place in
/// the device's memory, also where each use has been replaced by the value, and the driver takes 0.4 ms more
/// to load a kernel that has such variables (docs/notebook/2026-11-29-unused-variables.md). The code stays as
/// it is, byte by byte. An image whose variables are used comes back unchanged, and so does anything that is
/// no CUBIN. O(bytes).
std::string without_unused_variables(std::string cubin);

}  // namespace cugrb::jit
