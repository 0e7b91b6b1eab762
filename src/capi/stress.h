// CUGRB_STRESS: after each call of the program its outputs (and, for evict-all, its inputs) are moved out of
// SuiteSparse, so that a hook that is missing shows. With several user threads a handle is moved only when no
// other call uses it; a handle with an iterator attached stays, because the iterator reads through raw
// pointers.
#pragma once
#include <span>

namespace cugrb::capi {
struct Handle;
}

namespace cugrb::capi::stress {

/// Marks the handles as in use.
void enter(std::span<const Handle> handles);
/// Ends that use and moves content out as the mode says. After functions on single elements this is done for
/// the first ones and now and then only: each time costs as much as the whole object, and programs fill
/// objects element by element.
void leave(const char* function, std::span<const Handle> handles, bool succeeded);

}  // namespace cugrb::capi::stress
