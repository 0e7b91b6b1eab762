// Failure injection, for tests: CUGRB_INJECT=allocation:N|compilation:N|launch:N makes the N-th of its kind
// fail, once; with "/call" behind it the N-th of each call of the program. Both devices, the primitives and
// the JIT ask here; an unset injection costs one relaxed load.
#pragma once
#include <cstdint>
#include <string>

namespace cugrb::runtime::injection {

enum class Point : uint8_t { allocation, compilation, launch };

/// Counts one event of this kind; true exactly when it is the one that must fail. The caller throws what a
/// real failure would (OutOfMemory, jit::CompilationFailure, DeviceFailure that is not sticky). Thread-safe,
/// never throws.
bool fails(Point point) noexcept;

/// Replaces the environment's injection and sets all counts to zero. `specification` is empty (nothing
/// fails), "allocation:N" (the N-th fails, N >= 1) or "allocation:N+" (the N-th and every later one);
/// likewise for compilation and launch. "/call" behind it counts anew in each call. Throws
/// std::invalid_argument for anything else. Call it while no other thread uses the device.
void reset(const std::string& specification);

/// A call of the program is offered to the device.
void begin_call() noexcept;

/// Events of this kind since the last reset (or the start), failed ones included; counted while an injection
/// is set.
uint64_t count(Point point) noexcept;

}  // namespace cugrb::runtime::injection
