#include "src/capi/offload_scalars.h"

#include <cstring>

#include "semirings/table.h"
#include "src/capi/offload_call.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {

#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  Value value_of(ctype x) { return table::value_of(Type::of(TypeCode::Code), x); }
#include "semirings/types.def"
#undef CUGRB_TYPE

Value value_at(const void* x, const Type& type) {
  require(x != nullptr && type.is_user());
  return Value{type, std::string(static_cast<const char*>(x), type.size)};
}

namespace {

/// To SuiteSparse, and to the mirror, a scalar is a vector of length 1.
GrB_Vector as_vector(GrB_Scalar scalar) { return reinterpret_cast<GrB_Vector>(scalar); }

}  // namespace

Type scalar_type(GrB_Scalar scalar) {
  require(scalar != nullptr);
  const mirror::MetadataGuard guard(scalar);
  GrB_Type handle = nullptr;
  require(real::table().GxB_Scalar_type(&handle, scalar) == GrB_SUCCESS);
  return mirror::type_of(handle);
}

std::optional<Value> value_of(GrB_Scalar scalar) {
  const auto& real = real::table();
  const Type type = scalar_type(scalar);
  if (mirror::to_host(as_vector(scalar)) != GrB_SUCCESS) {
    throw Declined("a GrB_Scalar whose value cannot come to the host");
  }
  Value value{type, std::string(type.size, '\0')};
  GrB_Info info = GrB_PANIC;
  switch (type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                             \
  case TypeCode::Code:                                                                                      \
    info =                                                                                                  \
        real.PREFIX##_Scalar_extractElement_##SUFFIX(reinterpret_cast<ctype*>(value.bytes.data()), scalar); \
    break;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      info = real.GrB_Scalar_extractElement_UDT(value.bytes.data(), scalar);
      break;
  }
  if (info == GrB_NO_VALUE) return std::nullopt;
  require(info == GrB_SUCCESS);
  return value;
}

Value required_value(GrB_Scalar scalar) {
  auto value = value_of(scalar);
  require(value.has_value());
  return *value;
}

Value place_thunk(const IndexUnaryOp& op, const Value& thunk) {
  if (op.reads_x || op.stem == "user") return thunk;
  return reference::cast(reference::cast(thunk, Type::of(TypeCode::Int64)), op.thunk);
}

namespace {

GrB_Info set_on_host(GrB_Scalar scalar, const std::optional<Value>& value) {
  const auto& real = real::table();
  if (!value) return real.GrB_Scalar_clear(scalar);
  switch (value->type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                 \
  case TypeCode::Code: {                                        \
    ctype x;                                                    \
    std::memcpy(&x, value->bytes.data(), sizeof(x));            \
    return real.PREFIX##_Scalar_setElement_##SUFFIX(scalar, x); \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      return real.GrB_Scalar_setElement_UDT(scalar, const_cast<char*>(value->bytes.data()));
  }
  return GrB_PANIC;
}

}  // namespace

GrB_Info set_scalar(GrB_Scalar scalar, const std::optional<Value>& value) {
  const GrB_Info info = set_on_host(scalar, value);
  if (info == GrB_SUCCESS) mirror::host_changed(as_vector(scalar));
  return info;
}

}  // namespace cugrb::capi::offload
