// Scalar arguments as values: typed C values, user-defined ones behind a pointer, GrB_Scalars.
#pragma once
#include <optional>

#include "src/capi/decode.h"

namespace cugrb::capi::offload {

/// A C value of a built-in type.
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) Value value_of(ctype x);
#include "semirings/types.def"
#undef CUGRB_TYPE
/// The user-defined value at `x`; Invalid when x is null, or `type` is built-in (SuiteSparse refuses that).
Value value_at(const void* x, const Type& type);
/// The entry of a GrB_Scalar, if it has one. Throws Invalid for null.
std::optional<Value> value_of(GrB_Scalar scalar);
/// The type of a GrB_Scalar's value.
Type scalar_type(GrB_Scalar scalar);
/// The value of a GrB_Scalar that must have one; Invalid (GrB_EMPTY_OBJECT) when it has none.
Value required_value(GrB_Scalar scalar);
/// What an operator takes for its thunk: the value itself, but that built-in operators on places
/// (ROWINDEX_INT32 ...) have it as an int64 first, as in SuiteSparse.
Value place_thunk(const IndexUnaryOp& op, const Value& thunk);
/// Stores the value in the scalar, typecast to its type, or empties it.
GrB_Info set_scalar(GrB_Scalar scalar, const std::optional<Value>& value);

}  // namespace cugrb::capi::offload
