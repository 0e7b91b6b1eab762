// The text of an error that SuiteSparse has no part in: content that cannot come back to the host.
#pragma once
#include "src/capi/call.h"

namespace cugrb::capi {

/// Keeps a text for GrB_error that names the object (shape, type, the call that needs it) and the remedy: on
/// the object itself and on the call's first one, where a program asks. To be called when `failed` could not
/// be restored with `info`.
void explain_failed_restore(GrB_Info info, const Handle& failed, const Handle& first,
                            const char* function) noexcept;

}  // namespace cugrb::capi
