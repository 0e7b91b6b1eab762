// Single elements of vectors whose truth is on the device. A vector whose truth is on the host is left there.
#include <cstring>

#include "cuda/runtime/device.h"
#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"
#include "src/support/settings.h"

namespace cugrb::capi::offload {
namespace {

/// True when the element access is to be served on the device: the truth is there, and it is not one of many
/// accesses.
bool served_on_device(GrB_Vector vector) {
  require(vector != nullptr);
  mirror::note_element_access(vector);
  return mirror::state(vector) == mirror::State::device && !mirror::prefers_host_elements(vector);
}

/// Changes a vector on the device, in place.
Outcome change(GrB_Vector vector, FunctionRef<void(formats::DeviceVector&)> body) {
  with_eviction([&] {
    mirror::VectorUse use = mirror::write(vector, true);
    body(*use);
    use.commit();
  });
  if (blocking()) runtime::device().synchronize();
  return GrB_SUCCESS;
}

Outcome set_element(GrB_Vector w, FunctionRef<Value(const Type&)> value, GrB_Index i) {
  return attempt([&]() -> Outcome {
    if (!served_on_device(w)) return forwarded;
    const VectorOperand vector = operand(w);
    require(i < vector.size);
    const Value x = value(vector.type);
    require(compatible(x.type, vector.type));
    const Value cast = x.type == vector.type ? x : reference::cast(x, vector.type);
    return change(w, [&](formats::DeviceVector& device) { operations::set_element(device, i, cast); });
  });
}

std::optional<Value> element_of(GrB_Vector v, GrB_Index i) {
  std::optional<Value> value;
  with_eviction([&] { value = operations::extract_element(*mirror::read(v), i); });
  return value;
}

/// The element as a value of `type` (of the vector's own when null), handed to `store`.
Outcome extract_element(GrB_Vector v, GrB_Index i, const Type* type, FunctionRef<void(const Value&)> store) {
  return attempt([&]() -> Outcome {
    if (!served_on_device(v)) return forwarded;
    const VectorOperand vector = operand(v);
    require(i < vector.size);
    require(type != nullptr ? compatible(vector.type, *type) : vector.type.is_user());
    const std::optional<Value> value = element_of(v, i);
    if (!value) return GrB_NO_VALUE;
    store(type == nullptr || value->type == *type ? *value : reference::cast(*value, *type));
    return GrB_SUCCESS;
  });
}

}  // namespace

Outcome GrB_Vector_removeElement(GrB_Vector v, GrB_Index i) {
  return attempt([&]() -> Outcome {
    if (!served_on_device(v)) return forwarded;
    require(i < operand(v).size);
    return change(v, [&](formats::DeviceVector& device) { operations::remove_element(device, i); });
  });
}

#define CUGRB_TYPE(SUFFIX, ctype, Code)                                                                  \
  Outcome GrB_Vector_setElement_##SUFFIX(GrB_Vector w, ctype x, GrB_Index i) {                           \
    return set_element(                                                                                  \
        w, [&](const Type&) { return value_of(x); }, i);                                                 \
  }                                                                                                      \
  Outcome GrB_Vector_extractElement_##SUFFIX(ctype* x, GrB_Vector v, GrB_Index i) {                      \
    if (x == nullptr) return forwarded;                                                                  \
    return extract_element(v, i, &Type::of(TypeCode::Code),                                              \
                           [&](const Value& value) { std::memcpy(x, value.bytes.data(), sizeof(*x)); }); \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE

Outcome GrB_Vector_setElement_UDT(GrB_Vector w, void* x, GrB_Index i) {
  return set_element(
      w, [&](const Type& type) { return value_at(x, type); }, i);
}

Outcome GrB_Vector_setElement_Scalar(GrB_Vector w, GrB_Scalar x, GrB_Index i) {
  return attempt([&]() -> Outcome {
    require(x != nullptr);
    const std::optional<Value> value = value_of(x);
    if (!value) return GrB_Vector_removeElement(w, i);
    return set_element(
        w, [&](const Type&) { return *value; }, i);
  });
}

Outcome GrB_Vector_extractElement_Scalar(GrB_Scalar x, GrB_Vector v, GrB_Index i) {
  return attempt([&]() -> Outcome {
    if (reinterpret_cast<GrB_Vector>(x) == v || !served_on_device(v)) return forwarded;
    const VectorOperand vector = operand(v);
    require(i < vector.size && compatible(vector.type, scalar_type(x)));
    return set_scalar(x, element_of(v, i));
  });
}

Outcome GxB_Vector_isStoredElement(GrB_Vector v, GrB_Index i) {
  return attempt([&]() -> Outcome {
    if (!served_on_device(v)) return forwarded;
    require(i < operand(v).size);
    return element_of(v, i) ? GrB_SUCCESS : GrB_NO_VALUE;
  });
}

Outcome GrB_Vector_extractElement_UDT(void* x, GrB_Vector v, GrB_Index i) {
  if (x == nullptr) return forwarded;
  return extract_element(v, i, nullptr,
                         [&](const Value& value) { std::memcpy(x, value.bytes.data(), value.bytes.size()); });
}

}  // namespace cugrb::capi::offload
