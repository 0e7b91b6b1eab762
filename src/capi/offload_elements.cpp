// Single elements of vectors whose truth is on the device, and of matrices of which the device has a copy.
// Changes of a vector are made at once, those of a matrix wait until it is used. What the host alone has is
// left there.
#include <cstring>

#include "cuda/runtime/device.h"
#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"
#include "src/capi/offload_trace.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

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

/// The value in the object's type.
Value typecast(const Value& x, const Type& type) {
  require(compatible(x.type, type));
  return x.type == type ? x : reference::cast(x, type);
}

Outcome set_element(GrB_Vector w, FunctionRef<Value(const Type&)> value, GrB_Index i) {
  return attempt([&]() -> Outcome {
    if (!served_on_device(w)) return forwarded;
    const VectorOperand vector = operand(w);
    require(i < vector.size);
    const Value cast = typecast(value(vector.type), vector.type);
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

/// body(C), with C(i,j) a place of C. What the host alone has is SuiteSparse's.
Outcome at_place(GrB_Matrix c, GrB_Index i, GrB_Index j, FunctionRef<Outcome(const MatrixOperand&)> body) {
  if (c == nullptr || mirror::state(c) == mirror::State::host) return forwarded;
  return attempt([&]() -> Outcome {
    const MatrixOperand matrix = operand(c);
    require(i < matrix.rows && j < matrix.columns);
    return body(matrix);
  });
}

/// Queues C(i,j) = value, or (no value) that the entry goes.
Outcome queue(const MatrixOperand& matrix, uint64_t i, uint64_t j, const Value* value) {
  if (!mirror::queue_element(matrix.handle, i, j, value)) return forwarded;
  if (blocking()) {
    with_eviction([&] { mirror::read(matrix.handle); });
    runtime::device().synchronize();
  } else if (trace::enabled()) {
    note_reason("waits for the next use of the matrix");
  }
  return GrB_SUCCESS;
}

Outcome set_element(GrB_Matrix c, FunctionRef<Value(const Type&)> value, GrB_Index i, GrB_Index j) {
  return at_place(c, i, j, [&](const MatrixOperand& matrix) {
    const Value cast = typecast(value(matrix.type), matrix.type);
    return queue(matrix, i, j, &cast);
  });
}

mirror::Element element_of(const MatrixOperand& a, GrB_Index i, GrB_Index j) {
  mirror::Element element;
  with_eviction([&] { element = mirror::element_of(a.handle, i, j); });
  return element;
}

Outcome extract_element(GrB_Matrix a, GrB_Index i, GrB_Index j, const Type* type,
                        FunctionRef<void(const Value&)> store) {
  return at_place(a, i, j, [&](const MatrixOperand& matrix) -> Outcome {
    require(type != nullptr ? compatible(matrix.type, *type) : matrix.type.is_user());
    const mirror::Element element = element_of(matrix, i, j);
    if (!element.served) return forwarded;
    if (!element.value) return GrB_NO_VALUE;
    store(type == nullptr ? *element.value : typecast(*element.value, *type));
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

Outcome GrB_Matrix_removeElement(GrB_Matrix C, GrB_Index i, GrB_Index j) {
  return at_place(C, i, j, [&](const MatrixOperand& matrix) { return queue(matrix, i, j, nullptr); });
}

#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                          \
  Outcome PREFIX##_Matrix_setElement_##SUFFIX(GrB_Matrix C, ctype x, GrB_Index i, GrB_Index j) {         \
    return set_element(                                                                                  \
        C, [&](const Type&) { return value_of(x); }, i, j);                                              \
  }                                                                                                      \
  Outcome PREFIX##_Matrix_extractElement_##SUFFIX(ctype* x, GrB_Matrix A, GrB_Index i, GrB_Index j) {    \
    if (x == nullptr) return forwarded;                                                                  \
    return extract_element(A, i, j, &Type::of(TypeCode::Code),                                           \
                           [&](const Value& value) { std::memcpy(x, value.bytes.data(), sizeof(*x)); }); \
  }                                                                                                      \
  Outcome PREFIX##_Vector_setElement_##SUFFIX(GrB_Vector w, ctype x, GrB_Index i) {                      \
    return set_element(                                                                                  \
        w, [&](const Type&) { return value_of(x); }, i);                                                 \
  }                                                                                                      \
  Outcome PREFIX##_Vector_extractElement_##SUFFIX(ctype* x, GrB_Vector v, GrB_Index i) {                 \
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

Outcome GrB_Matrix_setElement_UDT(GrB_Matrix C, void* x, GrB_Index i, GrB_Index j) {
  return set_element(
      C, [&](const Type& type) { return value_at(x, type); }, i, j);
}

Outcome GrB_Matrix_setElement_Scalar(GrB_Matrix C, GrB_Scalar x, GrB_Index i, GrB_Index j) {
  if (C == nullptr || mirror::state(C) == mirror::State::host) return forwarded;
  return attempt([&]() -> Outcome {
    require(x != nullptr);
    const std::optional<Value> value = value_of(x);
    if (!value) return GrB_Matrix_removeElement(C, i, j);
    return set_element(
        C, [&](const Type&) { return *value; }, i, j);
  });
}

Outcome GrB_Matrix_extractElement_Scalar(GrB_Scalar x, GrB_Matrix A, GrB_Index i, GrB_Index j) {
  if (reinterpret_cast<GrB_Matrix>(x) == A) return forwarded;
  return at_place(A, i, j, [&](const MatrixOperand& matrix) -> Outcome {
    require(compatible(matrix.type, scalar_type(x)));
    const mirror::Element element = element_of(matrix, i, j);
    return element.served ? Outcome(set_scalar(x, element.value)) : forwarded;
  });
}

Outcome GxB_Matrix_isStoredElement(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  return at_place(A, i, j, [&](const MatrixOperand& matrix) -> Outcome {
    const mirror::Element element = element_of(matrix, i, j);
    if (!element.served) return forwarded;
    return element.value ? GrB_SUCCESS : GrB_NO_VALUE;
  });
}

Outcome GrB_Matrix_extractElement_UDT(void* x, GrB_Matrix A, GrB_Index i, GrB_Index j) {
  if (x == nullptr) return forwarded;
  return extract_element(A, i, j, nullptr,
                         [&](const Value& value) { std::memcpy(x, value.bytes.data(), value.bytes.size()); });
}

}  // namespace cugrb::capi::offload
