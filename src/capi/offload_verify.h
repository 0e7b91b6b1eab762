// CUGRB_VERIFY=1: the same call on SuiteSparse, and the two answers compared. Slow; for users in doubt.
// Without the setting these functions run the call and nothing else.
#pragma once

#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {

/// Runs `device`, which gives w its new content. To verify it, all operands come to the host and `real` runs
/// first, with a copy of w. When the answers differ, the trace says where and w gets SuiteSparse's. A call
/// that fails on SuiteSparse is forwarded: it makes the error.
template <class Handle>
Outcome verified(Handle w, FunctionRef<GrB_Info(Handle)> real, const Inputs& inputs,
                 const Exactness& exactness, FunctionRef<void()> device);

/// The same of a value, which `device` changes.
Outcome verified(Value& c, FunctionRef<GrB_Info(void*)> real, const Inputs& inputs,
                 FunctionRef<Exactness()> exactness, FunctionRef<void()> device);

}  // namespace cugrb::capi::offload
