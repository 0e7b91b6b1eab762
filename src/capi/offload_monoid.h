// The monoid that a reduction by an operator means.
#pragma once
#include <algorithm>

#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {

/// The built-in monoid of an operator; SuiteSparse refuses operators that have none.
inline const Monoid& monoid_of(GrB_BinaryOp handle) {
  require(handle != nullptr);
  const auto op = decode::binary_op(handle);
  const auto& all = catalogue::monoids();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Monoid& monoid) { return monoid.op.source == op->source; });
  require(found != all.end());
  return *found;
}

}  // namespace cugrb::capi::offload
