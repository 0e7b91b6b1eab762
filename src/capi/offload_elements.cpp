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
bool change(GrB_Info& info, GrB_Vector vector, FunctionRef<void(formats::DeviceVector&)> body) {
  with_eviction([&] {
    mirror::VectorUse use = mirror::write(vector, true);
    body(*use);
    use.commit();
  });
  if (blocking()) runtime::device().synchronize();
  info = GrB_SUCCESS;
  return true;
}

bool set_element(GrB_Info& info, GrB_Vector w, FunctionRef<Value(const Type&)> value, GrB_Index i) {
  return attempt([&] {
    if (!served_on_device(w)) return false;
    const VectorOperand vector = operand(w);
    require(i < vector.size);
    const Value x = value(vector.type);
    require(compatible(x.type, vector.type));
    const Value cast = x.type == vector.type ? x : reference::cast(x, vector.type);
    return change(info, w, [&](formats::DeviceVector& device) { operations::set_element(device, i, cast); });
  });
}

/// The element as a value of `type` (of the vector's own when null), handed to `store`.
bool extract_element(GrB_Info& info, GrB_Vector v, GrB_Index i, const Type* type,
                     FunctionRef<void(const Value&)> store) {
  return attempt([&] {
    if (!served_on_device(v)) return false;
    const VectorOperand vector = operand(v);
    require(i < vector.size);
    require(type != nullptr ? compatible(vector.type, *type) : vector.type.is_user());
    std::optional<Value> value;
    with_eviction([&] { value = operations::extract_element(*mirror::read(v), i); });
    info = value ? GrB_SUCCESS : GrB_NO_VALUE;
    if (value) store(type == nullptr || value->type == *type ? *value : reference::cast(*value, *type));
    return true;
  });
}

}  // namespace

bool GrB_Vector_removeElement(GrB_Info& info, GrB_Vector v, GrB_Index i) {
  return attempt([&] {
    if (!served_on_device(v)) return false;
    require(i < operand(v).size);
    return change(info, v, [&](formats::DeviceVector& device) { operations::remove_element(device, i); });
  });
}

#define CUGRB_TYPE(SUFFIX, ctype, Code)                                                                  \
  bool GrB_Vector_setElement_##SUFFIX(GrB_Info& info, GrB_Vector w, ctype x, GrB_Index i) {              \
    return set_element(                                                                                  \
        info, w, [&](const Type&) { return value_of(x); }, i);                                           \
  }                                                                                                      \
  bool GrB_Vector_extractElement_##SUFFIX(GrB_Info& info, ctype* x, GrB_Vector v, GrB_Index i) {         \
    if (x == nullptr) return false;                                                                      \
    return extract_element(info, v, i, &Type::of(TypeCode::Code),                                        \
                           [&](const Value& value) { std::memcpy(x, value.bytes.data(), sizeof(*x)); }); \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE

bool GrB_Vector_setElement_UDT(GrB_Info& info, GrB_Vector w, void* x, GrB_Index i) {
  return set_element(
      info, w, [&](const Type& type) { return value_at(x, type); }, i);
}

bool GrB_Vector_setElement_Scalar(GrB_Info& info, GrB_Vector w, GrB_Scalar x, GrB_Index i) {
  return attempt([&] {
    require(x != nullptr);
    const std::optional<Value> value = value_of(x);
    if (!value) return GrB_Vector_removeElement(info, w, i);
    return set_element(
        info, w, [&](const Type&) { return *value; }, i);
  });
}

bool GrB_Vector_extractElement_UDT(GrB_Info& info, void* x, GrB_Vector v, GrB_Index i) {
  if (x == nullptr) return false;
  return extract_element(info, v, i, nullptr,
                         [&](const Value& value) { std::memcpy(x, value.bytes.data(), value.bytes.size()); });
}

}  // namespace cugrb::capi::offload
