// The hot path of every exported function: is the library booted, and is this a call to be passed straight
// through?
//
// Calls that SuiteSparse makes to its own exported names (through the PLT) and calls that cuGrB makes itself
// arrive here too: a thread-local depth tells them from the program's calls (rule 3).
#pragma once
#include <atomic>

#include "src/graphblas/real.h"

namespace cugrb::capi {

/// What the environment asks for, read once at the first call.
struct Mode {
  bool device = false;                      ///< calls may run on the device (CUGRB_OFFLOAD is not never)
  bool decides = false;                     ///< by predicted times (CUGRB_OFFLOAD=auto)
  bool stress_outputs = false;              ///< CUGRB_STRESS=evict-outputs or evict-all
  bool stress_inputs = false;               ///< CUGRB_STRESS=evict-all
  std::atomic<bool> without_device{false};  ///< a call has found that there is none
};

extern std::atomic<bool> gate_open;
extern Mode mode;

/// Calls of the program that are on this thread's stack, cuGrB's hooks included. (Not of the initial-exec
/// model, which is 2 ns faster: the drop-in can be loaded by dlopen, when no static TLS is left for a library
/// of this size.)
extern constinit thread_local int depth;

/// Boots: finds the real library, reads the settings, registers the fork handler. Thread-safe, idempotent.
void open_gate(const void* caller);

/// The real library's functions.
#define CUGRB_GATE                                             \
  if (!gate_open.load(std::memory_order_acquire)) [[unlikely]] \
    open_gate(__builtin_return_address(0));                    \
  const cugrb::real::Functions& real = cugrb::real::detail::functions

/// True when this call is to be forwarded with no hooks.
inline bool passes() { return depth > 0 || real::forward_only(); }

/// True between GrB_init(GrB_BLOCKING) and GrB_finalize: results must be there when a call returns (rule 13).
bool blocking();
void set_blocking(bool blocking);

/// Makes this thread's GraphBLAS calls pass straight through while it lives.
class Inside {
 public:
  Inside() { ++depth; }
  ~Inside() { --depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

}  // namespace cugrb::capi
