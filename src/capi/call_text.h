// What the trace says of every call, wherever it runs: the sizes of its objects and its operator.
#pragma once
#include <span>
#include <string>

#include "src/capi/call.h"

namespace cugrb::capi {

/// "400x300, 400": the dimensions of the objects in the order of the arguments, none twice in a row. Objects
/// that the call makes, or that SuiteSparse does not acknowledge, have none.
std::string sizes_of(std::span<const Handle> handles);

/// "PLUS_TIMES_FP32", or a user's name for it; "an operator without a known name" for bare
/// function pointers; "" for null.
std::string name_of(GrB_Semiring semiring);
std::string name_of(GrB_Monoid monoid);
std::string name_of(GrB_BinaryOp op);
std::string name_of(GrB_UnaryOp op);
std::string name_of(GrB_IndexUnaryOp op);
std::string name_of(GxB_SelectOp op);

}  // namespace cugrb::capi
