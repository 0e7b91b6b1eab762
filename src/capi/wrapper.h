// What the generated wrappers (capi_wrappers_<k>.cpp) need.
#pragma once
#include <cstdarg>
#include <type_traits>

#include "offload_functions.h"
#include "src/capi/call.h"
#include "src/capi/decode.h"
#include "src/capi/gate.h"
#include "src/capi/straight.h"
#include "src/capi/variadic.h"
#include "src/support/without_cancellation.h"

namespace cugrb::mirror {
void forget_type(GrB_Type type);  // src/mirror/mirror.h, without its headers
}

using namespace cugrb::capi;  // the wrappers are extern "C" functions at global scope

namespace cugrb::capi {

/// The result of a function that the real library lacks (another version, or no library at all).
template <class Result>
Result missing() {
  if constexpr (std::is_same_v<Result, GrB_Info>) return GrB_PANIC;
  if constexpr (!std::is_void_v<Result>) return Result();
}

/// Runs a note about a new object: a failure to remember it costs the device path of that object, not the
/// call.
template <class Note>
void noted(const Note& note) noexcept {
  const WithoutCancellation without_cancellation;
  try {
    note();
  } catch (...) {
  }
}

}  // namespace cugrb::capi
