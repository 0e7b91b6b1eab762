#include "src/capi/call.h"

#include <bit>
#include <cstring>
#include <new>

#include "cuda/runtime/device.h"
#include "src/capi/call_text.h"
#include "src/capi/mutation.h"
#include "src/capi/restore_error.h"
#include "src/capi/stress.h"
#include "src/graphblas/dimensions.h"
#include "src/graphblas/info_of.h"
#include "src/mirror/error_texts.h"
#include "src/mirror/mirror.h"
#include "src/selector/experience.h"
#include "src/selector/habits.h"
#include "src/support/without_cancellation.h"

namespace cugrb::capi {
namespace {

// A handle is known by its pointer's value only; the mirror casts away the const that roles do not promise.
GrB_Vector as_vector(const void* pointer) { return static_cast<GrB_Vector>(const_cast<void*>(pointer)); }
GrB_Matrix as_matrix(const void* pointer) { return static_cast<GrB_Matrix>(const_cast<void*>(pointer)); }

GrB_Info to_host(const void* pointer, bool is_matrix) {
  if (pointer == nullptr) return GrB_SUCCESS;
  return real::info_of(
      [&] { return is_matrix ? mirror::to_host(as_matrix(pointer)) : mirror::to_host(as_vector(pointer)); });
}

void host_changed(const void* pointer, bool is_matrix) {
  if (pointer == nullptr) return;
  real::info_of([&] {
    is_matrix ? mirror::host_changed(as_matrix(pointer)) : mirror::host_changed(as_vector(pointer));
    return GrB_SUCCESS;
  });
}

/// The arrays go to the program, which may give them back as they are.
void handed_out(const void* pointer) {
  real::info_of([&] {
    mirror::host_unpacked(as_matrix(pointer));
    return GrB_SUCCESS;
  });
}

void forget(const void* pointer, bool is_matrix) {
  if (pointer == nullptr) return;
  real::info_of([&] {
    is_matrix ? mirror::forget(as_matrix(pointer)) : mirror::forget(as_vector(pointer));
    return GrB_SUCCESS;
  });
}

/// The handle that a pointer to a handle points to; null when the program passed null.
const void* stored(const Handle& handle, uint64_t i = 0) {
  return handle.pointer == nullptr ? nullptr : static_cast<const void* const*>(handle.pointer)[i];
}

/// An access of a matrix's element that is served on the host although the device holds the matrix: it brings
/// the matrix down, which its hysteresis is told.
void note_element_access(unsigned function, const Handle& handle) {
  if (!handle.is_matrix || (handle.role != Role::inout && handle.role != Role::input)) return;
  const GrB_Matrix matrix = as_matrix(handle.pointer);
  if (matrix == nullptr || mirror::state(matrix) != mirror::State::device) return;
  if (std::strstr(real::function_names[function], "Element") != nullptr) mirror::note_element_access(matrix);
}

/// An element is set alike in every form, and cheaply in a sparse one: a sparsity control can go on waiting.
bool leaves_control_waiting(unsigned function, const Handle& handle) {
  return handle.role == Role::inout && mirror::control_waits_for_element(handle.pointer) &&
         std::strstr(real::function_names[function], "_setElement") != nullptr;
}

/// Whether the call takes the arrays out of a matrix of which the device has a copy.
bool hands_arrays_out(unsigned function, const Handle& handle) {
  if (!handle.is_matrix || handle.role != Role::inout || handle.pointer == nullptr) return false;
  if (mirror::state(as_matrix(handle.pointer)) != mirror::State::both) return false;
  if (selector::Laps::on_host()) return false;  // a copy that nobody reads is not worth proving
  const char* const name = real::function_names[function];
  return std::strstr(name, "_unpack_") != nullptr || std::strstr(name, "_unload_Matrix_") != nullptr;
}

/// GxB_Container_struct up to what may be read and changed: the same in 10.0 to 10.5.
struct ContainerHead {
  char numbers[128 + 64];
  GrB_Vector p, h, b, i, x;
  GrB_Vector later_vectors[11];
  GrB_Matrix Y;
};

/// Calls visit(handle value, is a matrix) for what a container holds.
template <class Visit>
void each_member(const Handle& handle, const Visit& visit) {
  if (handle.pointer == nullptr) return;
  const auto* head = static_cast<const ContainerHead*>(handle.pointer);
  for (GrB_Vector vector : {head->p, head->h, head->b, head->i, head->x}) visit(vector, false);
  visit(head->Y, true);
}

GrB_Info restore_members(const Handle& handle) {
  GrB_Info info = GrB_SUCCESS;
  each_member(handle, [&](const void* pointer, bool is_matrix) {
    if (info == GrB_SUCCESS) info = to_host(pointer, is_matrix);
  });
  return info;
}

GrB_Info restore_one(const Handle& handle) {
  switch (handle.role) {
    case Role::input:
    case Role::inout:
    case Role::attached:
      return to_host(handle.pointer, handle.is_matrix);
    case Role::output:
      return real::info_of([&] { return mirror::control_to_host(handle.pointer); });
    case Role::exported:
      return to_host(stored(handle), handle.is_matrix);
    case Role::container:
      return restore_members(handle);
    case Role::inputs: {
      GrB_Info info = GrB_SUCCESS;
      for (uint64_t i = 0; handle.pointer != nullptr && i < handle.length && info == GrB_SUCCESS; ++i) {
        info = to_host(stored(handle, i), handle.is_matrix);
      }
      return info;
    }
    default:
      return GrB_SUCCESS;
  }
}

/// Of a call that gave no reason itself: what moves nothing and answers where the object is.
const char* why_on_host(bool has_device_version) {
  if (!has_device_version) return "no device version";
  return wants_device() ? "the object is on the host" : offload_reason(Offload::never);
}

}  // namespace

void Call::begin_watch() {
  const WithoutCancellation without_cancellation;
  real::info_of([&] {
    if (mode.stress_outputs) stress::enter(handles_);
    return GrB_SUCCESS;
  });
  real::info_of([&] {
    if (traced_) scope_.emplace(real::function_names[function_]);
    if (scope_) trace::current().sizes = sizes_of(handles_);
    return GrB_SUCCESS;
  });
}

#define CUGRB_OPERATES(Operator)                            \
  void Call::operates(Operator op) {                        \
    real::info_of([&] {                                     \
      if (scope_) trace::current().operation = name_of(op); \
      return GrB_SUCCESS;                                   \
    });                                                     \
  }
CUGRB_OPERATES(GrB_Semiring)
CUGRB_OPERATES(GrB_Monoid)
CUGRB_OPERATES(GrB_BinaryOp)
CUGRB_OPERATES(GrB_UnaryOp)
CUGRB_OPERATES(GrB_IndexUnaryOp)
CUGRB_OPERATES(GxB_SelectOp)
#undef CUGRB_OPERATES

void Call::end_watch() {
  const WithoutCancellation without_cancellation;
  real::info_of([&] {
    if (mode.stress_outputs) stress::leave(real::function_names[function_], handles_, info >= GrB_SUCCESS);
    return GrB_SUCCESS;
  });
  real::info_of([&] {
    if (scope_ && trace::current().place == trace::Place::cpu && trace::current().reason.empty())
      trace::current().reason = why_on_host(asked_);
    return GrB_SUCCESS;
  });
  scope_.reset();
}

GrB_Info Call::ran_on_device(GrB_Info result) {
  info = result;
  if (timed_) selector::HostCall::forget();
  if (traced_) {
    trace::count(trace::totals().calls_gpu);
    const bool emulated = runtime::device().properties().kind == runtime::Kind::emulated;
    trace::current().place = emulated ? trace::Place::emulated : trace::Place::gpu;
  }
  return info;
}

void Call::note_lap() {
  const WithoutCancellation without_cancellation;
  real::info_of([] {
    const selector::Loop* const loop = selector::Laps::current().loop();
    if (!trace::enabled() || loop == nullptr) return GrB_SUCCESS;
    trace::current().reason = loop->reason();
    trace::current().basis = loop->text();
    return GrB_SUCCESS;
  });
}

/// A place and the sizes of what is made there, within a factor of 2.
void Call::note_made(const void* caller) const {
  const real::Dimensions dimensions = real::dimensions(stored(handles_.front()));
  const unsigned sizes =
      unsigned(std::bit_width(dimensions.along)) << 8 | unsigned(std::bit_width(dimensions.across));
  selector::Laps::current().made((reinterpret_cast<uint64_t>(caller) ^ sizes) * 0x9E3779B97F4A7C15u);
}

bool Call::restore_handles() {
  const bool mutated = drops_pre_hook(function_);
  for (const Handle& handle : handles_) {
    if (!mutated) {
      note_element_access(function_, handle);
      if (!leaves_control_waiting(function_, handle)) info = restore_one(handle);
    }
    if (info != GrB_SUCCESS) {
      explain_failed_restore(info, handle, handles_.front(), real::function_names[function_]);
      return false;
    }
  }
  for (const Handle& handle : handles_) {
    const bool freed = handle.role == Role::freed && !mutated;
    if (freed || handle.role == Role::exported) forget(stored(handle), handle.is_matrix);
    if (handle.role == Role::dismantled) each_member(handle, forget);
  }
  return true;
}

void Call::begin_on_host() { selector::HostCall::begin(); }
void Call::end_on_host() {
  if (selector::HostCall::end() >= selector::short_call_seconds) selector::Habits::current().was_long();
}

void Call::mark_changed() {
  if (drops_post_hook(function_)) return;
  for (const Handle& handle : handles_) {
    const bool replaced = handle.role == Role::output && info >= GrB_SUCCESS;  // GrB_NO_VALUE empties it
    if (info >= GrB_SUCCESS && hands_arrays_out(function_, handle)) {
      handed_out(handle.pointer);
      continue;
    }
    if (handle.role == Role::inout || replaced) host_changed(handle.pointer, handle.is_matrix);
    if (handle.role == Role::container) each_member(handle, host_changed);
  }
}

bool Query::answers(const char** error) const {
  const char* const text = mirror::kept_error_text(handle_);
  if (text == nullptr || error == nullptr) return false;
  *error = text;
  return true;
}

void Query::clears_error_text() const { mirror::drop_error_text(handle_); }

void Query::guard(const void* handle) {
  static_assert(sizeof(mirror::MetadataGuard) <= sizeof(guard_) && alignof(mirror::MetadataGuard) <= 8);
  new (guard_) mirror::MetadataGuard(handle);
}
void Query::release() { std::launder(reinterpret_cast<mirror::MetadataGuard*>(guard_))->~MetadataGuard(); }

}  // namespace cugrb::capi
