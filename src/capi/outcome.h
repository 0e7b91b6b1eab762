// What becomes of a call that the device was offered.
#pragma once
#include <optional>

#include "src/graphblas/types.h"

namespace cugrb::capi {

/// The result, where the device has done the call or its copy of an object has answered it. Nothing, where
/// the call is SuiteSparse's: nothing has happened, and the real function is still to be called.
using Outcome = std::optional<GrB_Info>;
inline constexpr std::nullopt_t forwarded = std::nullopt;

}  // namespace cugrb::capi
