// CUGRB_VERIFY=1: the same call on SuiteSparse, and the two answers compared. Slow; for users in doubt.
// Without the setting the call runs, and nothing else.
#pragma once

#include "src/capi/offload_call.h"
#include "src/support/settings.h"

namespace cugrb::capi::offload {

/// What `verified` is with the setting: all operands come to the host and `real` runs first, with a copy of
/// w. When the answers differ, the trace says where and w gets SuiteSparse's. A call that fails on
/// SuiteSparse is forwarded: it makes the error.
template <class Handle>
Outcome compared(Handle w, FunctionRef<GrB_Info(Handle)> real, const Inputs& inputs,
                 const Exactness& exactness, FunctionRef<void()> device);
/// The same of a value, which `device` changes.
Outcome compared(Value& c, FunctionRef<GrB_Info(void*)> real, const Inputs& inputs,
                 FunctionRef<Exactness()> exactness, FunctionRef<void()> device);

/// Runs `device`, which gives w, a handle or a value, its new content.
template <class W, class Real, class Bound, class Device>
Outcome verified(W& w, const Real& real, const Inputs& inputs, const Bound& exactness, const Device& device) {
  if (settings().verify) [[unlikely]]
    return compared(w, real, inputs, exactness, device);
  device();
  return GrB_SUCCESS;
}

}  // namespace cugrb::capi::offload
