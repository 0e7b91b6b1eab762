#include "src/capi/restore_error.h"

#include <string>

#include "cuda/runtime/device.h"
#include "src/mirror/error_texts.h"
#include "src/mirror/mirror.h"

namespace cugrb::capi {
namespace {

bool is_stored(Role role) { return role == Role::exported || role == Role::inputs; }

/// The handle's value; of an array of handles the first that has only a device copy.
const void* handle_of(const Handle& handle) {
  if (!is_stored(handle.role) || handle.pointer == nullptr) return handle.pointer;
  const auto* const stored = static_cast<const void* const*>(handle.pointer);
  for (uint64_t i = 0; i < handle.length; ++i) {
    const auto vector = static_cast<GrB_Vector>(const_cast<void*>(stored[i]));
    if (vector != nullptr && mirror::state(vector) == mirror::State::device) return vector;
  }
  return stored[0];
}

/// "the 5 x 4 object of type int64_t"
std::string description_of(const void* handle) {
  const auto& t = real::table();
  const auto object = static_cast<GrB_Matrix>(const_cast<void*>(handle));
  GrB_Index rows = 0, columns = 0;
  char type[GxB_MAX_NAME_LEN] = "";
  t.GrB_Matrix_nrows(&rows, object);
  t.GrB_Matrix_ncols(&columns, object);
  t.GxB_Matrix_type_name(type, object);
  return "the " + std::to_string(rows) + " x " + std::to_string(columns) + " object of type " + type;
}

std::string reason_for(GrB_Info info) {
  if (info == GrB_OUT_OF_MEMORY)
    return "cannot come back from the device: the host has no memory for it. Free other objects and call "
           "again; nothing is lost";
  if (runtime::is_forked())
    return "is on a device that a forked child cannot reach. Before the fork let the host have it: with "
           "CUGRB_FORK=bring (the default) and enough free host memory, or by a read of it such as "
           "GrB_Matrix_extractTuples";
  return "cannot come back from the device, which does not answer any more (" +
         runtime::unavailable_reason() + ")";
}

}  // namespace

void explain_failed_restore(GrB_Info info, const Handle& failed, const Handle& first,
                            const char* function) noexcept {
  try {
    const void* const object = handle_of(failed);
    if (object == nullptr) return;
    const std::string text = "cuGrB: " + std::string(function) + ": the content of " +
                             description_of(object) + " " + reason_for(info);
    mirror::keep_error_text(object, text);
    const bool has_own = first.role == Role::inout || first.role == Role::input || first.role == Role::output;
    if (has_own && first.pointer != nullptr) mirror::keep_error_text(first.pointer, text);
  } catch (...) {
    // The error code is the answer; its text is a help.
  }
}

}  // namespace cugrb::capi
