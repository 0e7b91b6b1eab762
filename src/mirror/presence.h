// Whether the mirror knows of objects: what every forwarded call asks first.
#pragma once
#include <atomic>
#include <cstdint>

#include "src/mirror/counting_filter.h"

namespace cugrb::mirror {

namespace detail {
extern constinit std::atomic<uint64_t> known_objects;
extern constinit CountingFilter known_handles, copied_handles, moved_handles, unsettled_handles,
    noted_handles;
extern constinit std::atomic<uint64_t> kept_error_texts;
}  // namespace detail

/// True while no object has an entry in the mirror: then every object's content is where SuiteSparse expects
/// it and there is nothing to restore, to drop or to forget. One load.
inline bool is_empty() { return detail::known_objects.load(std::memory_order_acquire) == 0; }

/// The object has no entry: the same of this object. A few nanoseconds; a known one is never taken for
/// unknown.
inline bool is_unknown(const void* handle) { return !detail::known_handles.may_have(handle); }
/// The object has had no copy, and nothing has waited for it, since it is known: its entry says nothing of a
/// content. Likewise.
inline bool has_never_moved(const void* handle) { return !detail::moved_handles.may_have(handle); }
/// SuiteSparse's object holds the content, with nothing that waits for it, whoever else has a copy.
inline bool is_settled(const void* handle) { return !detail::unsettled_handles.may_have(handle); }
/// A call that changes the content has nothing to drop: there is no copy, nothing waits, and nothing is
/// remembered of the content, as when the program has just changed it.
inline bool has_nothing_to_drop(const void* handle) {
  return is_unknown(handle) || (!detail::copied_handles.may_have(handle) && is_settled(handle) &&
                                !detail::noted_handles.may_have(handle));
}
/// GrB_error of some object answers with a text that is not SuiteSparse's (error_texts.h).
inline bool keeps_error_texts() { return detail::kept_error_texts.load(std::memory_order_acquire) != 0; }

}  // namespace cugrb::mirror
