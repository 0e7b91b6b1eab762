// The machine code of one loaded library, to tell by a return address who calls.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cugrb::real {

/// Addresses from `begin` on, `bytes` of them. Without any by default.
struct CodeRange {
  uintptr_t begin = 0;
  size_t bytes = 0;
  bool holds(const void* address) const { return reinterpret_cast<uintptr_t>(address) - begin < bytes; }
};

/// The executable segment of the loaded object that holds the address; empty when none does.
CodeRange code_around(const void* address);

}  // namespace cugrb::real
