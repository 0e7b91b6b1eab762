// One call of the program that goes through the hooks: what the generated wrappers do around the real
// function.
//
//   const Handle handles[] = {inout(w), input(mask), input(A), input(u)};
//   Call call(index, handles, traced);
//   if (call.device()) {
//     if (const Outcome outcome = offload::GrB_mxv(...)) return call.ran_on_device(*outcome);
//   }
//   if (!call.restore()) return call.info;
//   return call.finish(real.GrB_mxv(...));
//
// All inputs and in/outs are restored first, then the real function runs, then outputs are marked as changed
// (rule 4). Roles are explained in tools/interposer/roles.py.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "src/capi/gate.h"
#include "src/capi/growth.h"
#include "src/mirror/presence.h"
#include "src/selector/laps.h"
#include "src/support/forwarded_calls.h"
#include "src/support/trace.h"

namespace cugrb::capi {

enum class Role : uint8_t {
  input,
  inout,
  output,
  metadata,
  freed,
  exported,
  created,
  attached,
  inputs,
  creates,
  container,
  dismantled
};

/// A data handle among the arguments. `pointer` is the handle itself, or where it is stored (freed, exported,
/// created, inputs, creates).
struct Handle {
  const void* pointer;
  uint64_t length;  ///< of inputs and creates
  Role role;
  bool is_matrix;
};

// A GrB_Scalar is a vector of length 1 here, as it is in SuiteSparse.
#define CUGRB_HANDLE_ROLE(role)                                                    \
  inline Handle role(GrB_Scalar scalar) { return {scalar, 1, Role::role, false}; } \
  inline Handle role(GrB_Vector vector) { return {vector, 1, Role::role, false}; } \
  inline Handle role(GrB_Matrix matrix) { return {matrix, 1, Role::role, true}; }
#define CUGRB_POINTER_ROLE(role)                                                          \
  inline Handle role(const GrB_Scalar* scalar) { return {scalar, 1, Role::role, false}; } \
  inline Handle role(const GrB_Vector* vector) { return {vector, 1, Role::role, false}; } \
  inline Handle role(const GrB_Matrix* matrix) { return {matrix, 1, Role::role, true}; }
#define CUGRB_ARRAY_ROLE(role) \
  inline Handle role(const GrB_Matrix* matrices, uint64_t n) { return {matrices, n, Role::role, true}; }
CUGRB_HANDLE_ROLE(input)
CUGRB_HANDLE_ROLE(inout)
CUGRB_HANDLE_ROLE(output)
CUGRB_HANDLE_ROLE(metadata)
CUGRB_HANDLE_ROLE(attached)
CUGRB_POINTER_ROLE(freed)
CUGRB_POINTER_ROLE(exported)
CUGRB_POINTER_ROLE(created)
inline Handle inputs(const GrB_Scalar* scalars, uint64_t n) { return {scalars, n, Role::inputs, false}; }
CUGRB_ARRAY_ROLE(inputs)
CUGRB_ARRAY_ROLE(creates)

inline Handle container(GxB_Container container) { return {container, 1, Role::container, false}; }
/// A container that the call makes holds nothing yet.
inline Handle container(GxB_Container*) { return {nullptr, 1, Role::container, false}; }
inline Handle dismantled(GxB_Container* container) {
  return {container == nullptr ? nullptr : *container, 1, Role::dismantled, false};
}

class Call {
 public:
  /// `function`: index into real::function_names.
  Call(unsigned function, std::span<const Handle> handles, bool traced)
      : handles_(handles), function_(function), traced_(traced) {
    watched_ = mode.stress_outputs || (traced && trace::enabled());
    if (watched_) [[unlikely]]
      begin_watch();
  }
  ~Call() {
    if (watched_) [[unlikely]]
      end_watch();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Whether the device may be asked at all. Where there is none, or too little to do for it, only a trace
  /// asks, for the reason.
  bool device() {
    if (watched_) [[unlikely]]
      asked_ = true;
    if (!wants_device()) return false;
    const bool by_time = decides_by_time();
    if (by_time && selector::Laps::step(function_) && !is_foreseen()) {
      if (watched_) [[unlikely]]
        note_lap();
      return false;
    }
    if (!watched_ && (mode.without_device.load(std::memory_order_relaxed) || (by_time && is_left_to_host())))
      return false;
    timed_ = by_time;
    return true;
  }
  /// Whether somebody wants to know of this call: then he wants to know its operator.
  bool watched() const { return watched_; }
  void operates(GrB_Semiring semiring);
  void operates(GrB_Monoid monoid);
  void operates(GrB_BinaryOp op);
  void operates(GrB_UnaryOp op);
  void operates(GrB_IndexUnaryOp op);
  void operates(GxB_SelectOp op);
  /// Takes the result of a call that the device has run.
  GrB_Info ran_on_device(GrB_Info result);
  /// Brings what the real function reads to the host. False: it could not (info says why) and nothing has
  /// changed.
  bool restore() {
    const bool restored = mirror::is_empty() || restore_handles();
    if (timed_) begin_on_host();
    return restored;
  }
  /// Takes the real function's result, and drops the device copies of what it has changed.
  GrB_Info finish(GrB_Info result) {
    if (timed_) end_on_host();
    info = result;
    if (!mirror::is_empty()) mark_changed();
    if (traced_) trace::count_forwarded_call();
    return info;
  }

  /// The same of a call that makes a vector or a matrix: `caller` is the place of the program that it is made
  /// at, by which loops are known.
  GrB_Info finish_made(GrB_Info result, const void* caller) {
    finish(result);
    if (decides_by_time() && info == GrB_SUCCESS) note_made(caller);
    return info;
  }

  GrB_Info info = GrB_SUCCESS;

 private:
  /// Opens the trace's record; tells the stress modes.
  void begin_watch();
  void end_watch();
  /// Tells the trace that the CPU has this lap of a loop, and why.
  static void note_lap();
  /// A product of matrices in a trial of the CPU, which may be too much for that.
  bool is_foreseen() const { return selector::Laps::foresees() && growths[function_] == Growth::products; }
  void note_made(const void* caller) const;
  bool is_left_to_host() const;
  bool is_small_or_settled() const;
  bool restore_handles();
  void mark_changed();
  /// What the real function takes teaches later predictions.
  static void begin_on_host();
  static void end_on_host();

  std::span<const Handle> handles_;
  unsigned function_;
  bool traced_;
  bool watched_;        ///< traced now, or a stress mode is on: not what a call usually is
  bool asked_ = false;  ///< whether the device would have it; known while watched
  bool timed_ = false;  ///< offered to the device, which its predicted time keeps it from, perhaps
  std::optional<trace::Scope> scope_;
};

/// A question about an object's type, dimensions or error text: it moves nothing, but while it runs no other
/// thread may move the object's content.
class Query {
 public:
  explicit Query(const void* handle) : handle_(handle), guarded_(!mirror::is_unknown(handle)) {
    if (guarded_) guard(handle);
  }
  ~Query() {
    if (guarded_) release();
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// GrB_error: true, with the text, where it is not SuiteSparse's to give.
  bool answers(const char** error) const;
  /// GrB_wait: SuiteSparse clears the object's error text.
  void clears_error_text() const;

 private:
  void guard(const void* handle);
  void release();

  const void* handle_;
  bool guarded_;
  alignas(8) unsigned char guard_[8];  // a mirror::MetadataGuard, whose header the wrappers do not need
};

}  // namespace cugrb::capi
