// The hot path of every exported function: is the library booted, and is this a call to be passed straight
// through?
//
// Calls that SuiteSparse makes to its own exported names (through the PLT) arrive here too: their return
// address tells them from the program's calls. That holds whatever a user's operator does in between: call
// GraphBLAS, throw, end its thread, or leave by longjmp.
#pragma once
#include <atomic>

#include "src/graphblas/real.h"
#include "src/support/offload_mode.h"

namespace cugrb::capi {

/// What the environment asks for, read once at the first call.
struct Mode {
  bool device = false;                      ///< calls may run on the device (CUGRB_OFFLOAD is not never)
  bool decides = false;                     ///< by predicted times (CUGRB_OFFLOAD=auto)
  bool forked = false;                      ///< a forked child has no device, whatever is asked for
  bool stress_outputs = false;              ///< CUGRB_STRESS=evict-outputs or evict-all
  bool stress_inputs = false;               ///< CUGRB_STRESS=evict-all
  std::atomic<bool> without_device{false};  ///< a call has found that there is none
};

extern std::atomic<bool> gate_open;
extern Mode mode;

/// The same for the calling thread, which may have asked for something else (src/support/offload_mode.h).
inline bool wants_device() {
  if (any_thread_asked()) [[unlikely]]
    return !mode.forked && offload_mode() != Offload::never;
  return mode.device;
}
inline bool decides_by_time() {
  return any_thread_asked() ? offload_mode() == Offload::automatic : mode.decides;
}

/// Boots: finds the real library, reads the settings, registers the fork handler. Thread-safe, idempotent.
void open_gate(const void* caller);

/// The real library's functions.
#define CUGRB_GATE                                             \
  if (!gate_open.load(std::memory_order_acquire)) [[unlikely]] \
    open_gate(__builtin_return_address(0));                    \
  const cugrb::real::Functions& real = cugrb::real::detail::functions

/// True in an exported function that SuiteSparse or cuGrB has called, not the program. Inlined, so that the
/// return address is that function's.
[[gnu::always_inline]] inline bool called_by_library() {
  return real::is_library_code(__builtin_return_address(0));
}
/// True when the call is to be forwarded with no hooks.
[[gnu::always_inline]] inline bool passes() { return real::forward_only() || called_by_library(); }

/// True between GrB_init(GrB_BLOCKING) and GrB_finalize: results must be there when a call returns (rule 13).
bool blocking();
void set_blocking(bool blocking);

}  // namespace cugrb::capi
