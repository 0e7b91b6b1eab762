// Who decides where the calling thread's calls run: CUGRB_OFFLOAD, unless the thread has asked for something
// else.
#pragma once
#include <atomic>
#include <optional>

#include "src/support/settings.h"

namespace cugrb {

namespace detail {
extern constinit std::atomic<bool> any_thread_asked;
}

/// Whether any thread has ever asked: keeps the question cheap for programs in which none does. One load.
inline bool any_thread_asked() { return detail::any_thread_asked.load(std::memory_order_relaxed); }

/// What this thread has asked for; nothing when it leaves it to CUGRB_OFFLOAD.
std::optional<Offload> asked_offload();
/// From now on this thread's calls run so; returns what it had asked for until now.
std::optional<Offload> ask_offload(std::optional<Offload> wanted);

/// What is in force for this thread: what it has asked for, else CUGRB_OFFLOAD.
Offload offload_mode();
/// Why: "CUGRB_OFFLOAD=never", or that the program asked for it.
const char* offload_reason(Offload mode);

}  // namespace cugrb
