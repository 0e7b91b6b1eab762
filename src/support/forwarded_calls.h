// How many calls SuiteSparse has run, of all threads, for the price of a store in each call: every thread has
// a place of its own.
#pragma once
#include "src/support/counters_of_thread.h"

namespace cugrb::trace {

namespace detail {
void count_elsewhere() noexcept;
}  // namespace detail

/// One call more, of the calling thread.
[[gnu::always_inline]] inline void count_forwarded_call(
    const CountersOfThread& counters = counters_of_thread()) noexcept {
  std::atomic<uint64_t>* const mine = counters.forwarded_calls;
  if (mine == nullptr) [[unlikely]]
    return detail::count_elsewhere();
  mine->store(mine->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Of all threads, those that have ended included.
uint64_t forwarded_calls() noexcept;

}  // namespace cugrb::trace
