// Whole objects whose truth is on the device: count, clear, dup, options. What is on the host is left there,
// but its sparsity control may wait.
#include <cstring>

#include "cuda/runtime/device.h"
#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/variadic.h"

namespace cugrb::capi::offload {
namespace {

template <class Handle>
bool count(GrB_Info& info, GrB_Index* nvals, Handle object) {
  return attempt([&] {
    require(nvals != nullptr && object != nullptr);
    if (!mirror::unsettled_nvals(object, nvals)) return false;
    info = GrB_SUCCESS;
    return true;
  });
}

void make_empty(formats::DeviceVector& vector) { operations::clear(vector); }
void make_empty(formats::DeviceMatrix&) {}  // a matrix that is to be overwritten starts without entries

template <class Handle>
bool clear(GrB_Info& info, Handle object) {
  return attempt([&] {
    require(object != nullptr);
    // What lives on the device stays there; for others SuiteSparse's clear is the cheaper one.
    if (mirror::state(object) == mirror::State::host || mirror::prefers_host(object)) return false;
    with_eviction([&] {
      auto use = mirror::write(object, false);
      make_empty(*use);
      use.commit();
    });
    if (blocking()) runtime::device().synchronize();
    info = GrB_SUCCESS;
    return true;
  });
}

/// A new object of the same type and size, without content.
GrB_Vector new_like(GrB_Vector u) {
  const mirror::MetadataGuard guard(u);
  const auto& real = real::table();
  GrB_Type type = nullptr;
  GrB_Index size = 0;
  GrB_Vector made = nullptr;
  require(real.GxB_Vector_type(&type, u) == GrB_SUCCESS && real.GrB_Vector_size(&size, u) == GrB_SUCCESS);
  require(real.GrB_Vector_new(&made, type, size) == GrB_SUCCESS);
  return made;
}
GrB_Matrix new_like(GrB_Matrix a) {
  const mirror::MetadataGuard guard(a);
  const auto& real = real::table();
  GrB_Type type = nullptr;
  GrB_Index rows = 0, columns = 0;
  GrB_Matrix made = nullptr;
  require(real.GxB_Matrix_type(&type, a) == GrB_SUCCESS && real.GrB_Matrix_nrows(&rows, a) == GrB_SUCCESS &&
          real.GrB_Matrix_ncols(&columns, a) == GrB_SUCCESS);
  require(real.GrB_Matrix_new(&made, type, rows, columns) == GrB_SUCCESS);
  return made;
}

template <class Handle>
bool duplicate(GrB_Info& info, Handle* copy, Handle original) {
  return attempt([&] {
    require(copy != nullptr && original != nullptr);
    if (mirror::state(original) != mirror::State::device) return false;
    Handle made = new_like(original);
    bool shared = false;
    try {
      shared = mirror::share(original, made);
    } catch (...) {
      release(&made);
      throw;
    }
    if (!shared) {
      release(&made);
      return false;
    }
    *copy = made;
    info = GrB_SUCCESS;
    return true;
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
bool set_option(GrB_Info& info, Handle object, int field, int control) {
  if (object == nullptr || field != real::options().sparsity_control || control < 1 ||
      control > GxB_AUTO_SPARSITY)
    return false;
  if (blocking() && mirror::state(object) != mirror::State::device) return false;
  return attempt([&] {
    if (!mirror::defer_sparsity_control(object, control)) return false;
    note_reason("remembered until SuiteSparse needs it");
    info = GrB_SUCCESS;
    return true;
  });
}

/// The SuiteSparse object knows its own settings, but for a sparsity control that waits.
template <class Handle>
bool get_option(GrB_Info& info, Handle object, int field, void* word, FunctionRef<GrB_Info()> real) {
  int32_t control = 0;
  const bool waits = mirror::deferred_sparsity_control(object, &control);
  if (word == nullptr || (!waits && mirror::state(object) != mirror::State::device)) return false;
  return attempt([&] {
    if (field == real::options().sparsity_control && waits) {
      std::memcpy(word, &control, sizeof(control));
      info = GrB_SUCCESS;
      return true;
    }
    if (!known_to_hollow_object(field)) return false;
    const mirror::MetadataGuard guard(object);
    info = real();
    return true;
  });
}

}  // namespace

bool GrB_Vector_nvals(GrB_Info& info, GrB_Index* nvals, GrB_Vector v) { return count(info, nvals, v); }
bool GrB_Matrix_nvals(GrB_Info& info, GrB_Index* nvals, GrB_Matrix A) { return count(info, nvals, A); }
bool GrB_Vector_clear(GrB_Info& info, GrB_Vector v) { return clear(info, v); }
bool GrB_Matrix_clear(GrB_Info& info, GrB_Matrix A) { return clear(info, A); }
bool GrB_Vector_dup(GrB_Info& info, GrB_Vector* w, GrB_Vector u) { return duplicate(info, w, u); }
bool GrB_Matrix_dup(GrB_Info& info, GrB_Matrix* C, GrB_Matrix A) { return duplicate(info, C, A); }

bool GxB_Vector_Option_set(GrB_Info& info, GrB_Vector v, int field, void* word, double real) {
  return set_option(info, v, field, Variadic{word, real}.integer());
}
bool GxB_Matrix_Option_set(GrB_Info& info, GrB_Matrix A, int field, void* word, double real) {
  return set_option(info, A, field, Variadic{word, real}.integer());
}
bool GxB_Vector_Option_get(GrB_Info& info, GrB_Vector v, int field, void* word, double real) {
  return get_option(info, v, field, word,
                    [&] { return real::table().GxB_Vector_Option_get(v, field, word, real); });
}
bool GxB_Matrix_Option_get(GrB_Info& info, GrB_Matrix A, int field, void* word, double real) {
  return get_option(info, A, field, word,
                    [&] { return real::table().GxB_Matrix_Option_get(A, field, word, real); });
}

bool GrB_Vector_set_INT32(GrB_Info& info, GrB_Vector v, int32_t value, int field) {
  return set_option(info, v, field, value);
}
bool GrB_Matrix_set_INT32(GrB_Info& info, GrB_Matrix A, int32_t value, int field) {
  return set_option(info, A, field, value);
}
bool GrB_Vector_get_INT32(GrB_Info& info, GrB_Vector v, int32_t* value, int field) {
  return get_option(info, v, field, value,
                    [&] { return real::table().GrB_Vector_get_INT32(v, value, field); });
}
bool GrB_Matrix_get_INT32(GrB_Info& info, GrB_Matrix A, int32_t* value, int field) {
  return get_option(info, A, field, value,
                    [&] { return real::table().GrB_Matrix_get_INT32(A, value, field); });
}

}  // namespace cugrb::capi::offload
