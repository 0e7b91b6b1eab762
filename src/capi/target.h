// Where a call puts its result.
#pragma once
#include "src/capi/offload_function.h"
#include "src/graphblas/types.h"

namespace cugrb::capi {

/// The left side of a call w<mask> accum= T, with its descriptor.
template <class Handle>
struct Target {
  Handle w;
  Handle mask;         ///< may be null
  GrB_BinaryOp accum;  ///< may be null
  GrB_Descriptor descriptor;
  FunctionRef<GrB_Info(Handle)> real;  ///< the real library's call, with another object in w's place
};

}  // namespace cugrb::capi
