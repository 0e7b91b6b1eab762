// Whole objects whose truth is on the device: count, clear, dup, options. What is on the host is left there,
// but its sparsity control may wait.
#include <cstring>

#include "cuda/runtime/device.h"
#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_trace.h"
#include "src/capi/variadic.h"

namespace cugrb::capi::offload {
namespace {

template <class Handle>
Outcome count(GrB_Index* nvals, Handle object) {
  return attempt([&]() -> Outcome {
    require(nvals != nullptr && object != nullptr);
    const Stopwatch watch;
    if (!mirror::unsettled_nvals(object, nvals)) return forwarded;
    // On the CPU the count would be there.
    if (decides_by_time()) selector::Sequence::current().lost_seconds += watch.seconds();
    return GrB_SUCCESS;
  });
}

void make_empty(formats::DeviceVector& vector) { operations::clear(vector); }
void make_empty(formats::DeviceMatrix&) {}  // a matrix that is to be overwritten starts without entries

template <class Handle>
Outcome clear(Handle object) {
  return attempt([&]() -> Outcome {
    require(object != nullptr);
    // What lives on the device stays there; for others SuiteSparse's clear is the cheaper one.
    if (mirror::state(object) == mirror::State::host || mirror::prefers_host(object)) return forwarded;
    with_eviction([&] {
      auto use = mirror::write(object, false);
      make_empty(*use);
      use.commit(/*cleared=*/true);
    });
    if (blocking()) runtime::device().synchronize();
    return GrB_SUCCESS;
  });
}

/// A new object of the same type and size, without content.
GrB_Vector new_like(GrB_Vector u) {
  GrB_Vector made = nullptr;
  require(real::table().GrB_Vector_new(&made, type_handle(u), operand(u).size) == GrB_SUCCESS);
  return made;
}
GrB_Matrix new_like(GrB_Matrix a) {
  const MatrixOperand given = operand(a);
  return new_matrix(type_handle(a), given.rows, given.columns);
}

template <class Handle>
Outcome duplicate(Handle* copy, Handle original) {
  return attempt([&]() -> Outcome {
    require(copy != nullptr && original != nullptr);
    if (mirror::state(original) != mirror::State::device) return forwarded;
    Made<Handle> made(new_like(original));
    if (!mirror::share(original, made.get())) return forwarded;
    *copy = made.give();
    return GrB_SUCCESS;
  });
}

/// What an object says of itself while its content is on the device, too.
bool known_to_hollow_object(int field) {
  const real::OptionNumbers& option = real::options();
  if (field == option.sparsity_control || field == option.format || field == option.hyper_switch ||
      field == option.bitmap_switch)
    return true;
  return real::generation() >= real::Generation::nine &&
         (field == real::field_orientation || field == real::field_type_code ||
          field == real::field_row_index_hint || field == real::field_column_index_hint ||
          field == real::field_offset_hint);
}

/// GxB_SPARSITY_CONTROL can wait until SuiteSparse needs the object. Every other option is the real
/// library's, without a reason to trace. In blocking mode only what is on the device waits: there each
/// element that is set in a sparse object is put in its place at once, which costs as much as the object is
/// large.
template <class Handle>
Outcome set_option(Handle object, int field, int control) {
  if (object == nullptr || field != real::options().sparsity_control || control < 1 ||
      control > GxB_AUTO_SPARSITY)
    return forwarded;
  if (blocking() && mirror::state(object) != mirror::State::device) return forwarded;
  return attempt([&]() -> Outcome {
    if (!mirror::defer_sparsity_control(object, control)) return forwarded;
    note_reason("remembered until SuiteSparse needs it");
    return GrB_SUCCESS;
  });
}

/// The SuiteSparse object knows its own settings, but for a sparsity control that waits.
template <class Handle>
Outcome get_option(Handle object, int field, void* word, FunctionRef<GrB_Info()> real) {
  int32_t control = 0;
  const bool waits = mirror::deferred_sparsity_control(object, &control);
  if (word == nullptr || (!waits && mirror::state(object) != mirror::State::device)) return forwarded;
  return attempt([&]() -> Outcome {
    if (field == real::options().sparsity_control && waits) {
      std::memcpy(word, &control, sizeof(control));
      return GrB_SUCCESS;
    }
    if (!known_to_hollow_object(field)) return forwarded;
    const mirror::MetadataGuard guard(object);
    return real();
  });
}

}  // namespace

Outcome GrB_Vector_nvals(GrB_Index* nvals, GrB_Vector v) { return count(nvals, v); }
Outcome GrB_Matrix_nvals(GrB_Index* nvals, GrB_Matrix A) { return count(nvals, A); }
Outcome GrB_Vector_clear(GrB_Vector v) { return clear(v); }
Outcome GrB_Matrix_clear(GrB_Matrix A) { return clear(A); }
Outcome GrB_Vector_dup(GrB_Vector* w, GrB_Vector u) { return duplicate(w, u); }
Outcome GrB_Matrix_dup(GrB_Matrix* C, GrB_Matrix A) { return duplicate(C, A); }

Outcome GxB_Vector_Option_set(GrB_Vector v, int field, void* word, double real) {
  return set_option(v, field, Variadic{word, real}.integer());
}
Outcome GxB_Matrix_Option_set(GrB_Matrix A, int field, void* word, double real) {
  return set_option(A, field, Variadic{word, real}.integer());
}
Outcome GxB_Vector_Option_get(GrB_Vector v, int field, void* word, double real) {
  return get_option(v, field, word,
                    [&] { return real::table().GxB_Vector_Option_get(v, field, word, real); });
}
Outcome GxB_Matrix_Option_get(GrB_Matrix A, int field, void* word, double real) {
  return get_option(A, field, word,
                    [&] { return real::table().GxB_Matrix_Option_get(A, field, word, real); });
}

Outcome GrB_Vector_set_INT32(GrB_Vector v, int32_t value, int field) { return set_option(v, field, value); }
Outcome GrB_Matrix_set_INT32(GrB_Matrix A, int32_t value, int field) { return set_option(A, field, value); }
Outcome GrB_Vector_get_INT32(GrB_Vector v, int32_t* value, int field) {
  return get_option(v, field, value, [&] { return real::table().GrB_Vector_get_INT32(v, value, field); });
}
Outcome GrB_Matrix_get_INT32(GrB_Matrix A, int32_t* value, int field) {
  return get_option(A, field, value, [&] { return real::table().GrB_Matrix_get_INT32(A, value, field); });
}

}  // namespace cugrb::capi::offload
