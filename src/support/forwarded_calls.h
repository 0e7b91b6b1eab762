// How many calls SuiteSparse has run, of all threads, for the price of a store in each call: every thread has
// a place of its own.
#pragma once
#include <atomic>
#include <cstdint>

namespace cugrb::trace {

namespace detail {
/// Null before the thread's first call, after its end, and where there is no place left.
[[gnu::visibility("hidden")]] extern constinit thread_local std::atomic<uint64_t>* forwarded_calls;
void count_elsewhere() noexcept;
}  // namespace detail

/// One call more.
inline void count_forwarded_call() noexcept {
  std::atomic<uint64_t>* const mine = detail::forwarded_calls;
  if (mine == nullptr) [[unlikely]]
    return detail::count_elsewhere();
  mine->store(mine->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Of all threads, those that have ended included.
uint64_t forwarded_calls() noexcept;

}  // namespace cugrb::trace
