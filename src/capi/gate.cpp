#include "src/capi/gate.h"

#include <pthread.h>

#include <mutex>

#include "cuda/runtime/device.h"
#include "src/support/every_call.h"
#include "src/support/settings.h"
#include "src/support/without_cancellation.h"

namespace cugrb::capi {

CUGRB_READ_BY_EVERY_CALL constinit std::atomic<bool> gate_open{false};
CUGRB_READ_BY_EVERY_CALL constinit Mode mode;

namespace {

constinit std::once_flag once;
constinit std::atomic<bool> blocking_mode{false};

/// A CUDA context does not survive a fork: the child computes on the CPU (rule 14).
void after_fork_in_child() {
  runtime::mark_forked();
  mode.device = false;
  mode.forked = true;
}

void open_now(const void* caller) {
  real::boot(caller);
  const Settings& wanted = settings();
  mode.device = wanted.offload != Offload::never;
  mode.decides = wanted.offload == Offload::automatic;
  mode.stress_outputs = wanted.stress != Stress::none;
  mode.stress_inputs = wanted.stress == Stress::evict_all;
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
  gate_open.store(true, std::memory_order_release);
}

}  // namespace

void open_gate(const void* caller) {
  const WithoutCancellation without_cancellation;
  std::call_once(once, [caller] { open_now(caller); });
}

bool blocking() { return blocking_mode.load(std::memory_order_relaxed); }
void set_blocking(bool blocking) { blocking_mode = blocking; }

}  // namespace cugrb::capi
