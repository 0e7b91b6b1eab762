// What every call of the program touches of its thread, side by side.
//
// A library that may be opened at run time asks a function for the address of a thread's variables, which
// takes as long as all else that a forwarded call does. So the thread that has loaded the library, which in
// most programs makes all calls, has its counters in static memory, and is known by its thread pointer.
#pragma once
#include <atomic>
#include <cstdint>

namespace cugrb {

/// Of the lap of a loop that the thread is in (src/selector/laps.h).
struct LapCounters {
  uint64_t calls = 0;               ///< of the thread, that the device may be asked for
  uint64_t functions = 0;           ///< of the lap: Lap::functions
  uint64_t look_at = ~uint64_t(0);  ///< the number of calls at which the clock is looked at
  uint64_t others = 0;              ///< functions that the loop does not call, where the CPU has the lap
  bool on_host = false;             ///< the CPU has the lap
  bool foresees = false;            ///< which is a trial: a product of matrices may be too much for it
};

struct CountersOfThread {
  LapCounters lap;
  /// Of the calls that SuiteSparse has run. Null before the thread's first call, after its end, and where
  /// there is no place left (src/support/forwarded_calls.h).
  std::atomic<uint64_t>* forwarded_calls = nullptr;
};

namespace detail {
extern const void* const loading_thread;
extern constinit CountersOfThread counters_of_loading_thread;
CountersOfThread& counters_of_other_thread();
}  // namespace detail

/// The calling thread's. Those of the thread that has loaded the library outlive it: a later thread with the
/// same pointer has them, as who uses them leaves them when they end.
[[gnu::always_inline]] inline CountersOfThread& counters_of_thread() {
  if (__builtin_thread_pointer() == detail::loading_thread) [[likely]]
    return detail::counters_of_loading_thread;
  return detail::counters_of_other_thread();
}

}  // namespace cugrb
