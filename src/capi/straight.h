// Calls that go to SuiteSparse straight away: nothing is to be restored, dropped or forgotten for them,
// nobody watches, and the device is not asked, or there is so little to do that it would not get the call
// (small_call.cpp says the same of others). Most calls of programs on small objects are such, and each of
// them takes SuiteSparse a quarter of a microsecond or more: all that is done here is a few loads.
#pragma once
#include <cstdint>

#include "src/capi/gate.h"
#include "src/capi/growth.h"
#include "src/graphblas/dimensions.h"
#include "src/mirror/presence.h"
#include "src/selector/laps.h"
#include "src/selector/small_elements.h"
#include "src/support/forwarded_calls.h"
#include "src/support/trace.h"

namespace cugrb::capi {

/// What a call does with an argument.
struct Reads {
  const void* handle;
  /// The host has the content.
  bool is_ready() const { return mirror::is_settled(handle); }
};
struct Writes {
  const void* handle;
  bool is_ready() const { return mirror::has_nothing_to_drop(handle); }
};
struct Frees {
  const void* handle = nullptr;
  template <class Object>
  explicit Frees(Object* const* stored) : handle(stored == nullptr ? nullptr : *stored) {}
  bool is_ready() const { return mirror::is_unknown(handle); }
};

/// Whether the positions of all objects together are at most so many. No product overflows where both
/// factors are small.
template <class... Arguments>
[[gnu::always_inline]] inline bool have_at_most(uint64_t most, Arguments... arguments) {
  uint64_t left = most;
  const auto takes = [&left, most](const void* object) {
    if (object == nullptr) return true;
    const real::Dimensions dimensions = real::dimensions(object);
    if (dimensions.along > most || dimensions.across > most) return false;
    const uint64_t positions = dimensions.along * dimensions.across;
    const bool fits = positions <= left;
    left -= positions;
    return fits;
  };
  return (takes(arguments.handle) && ...);
}

/// A call that the device may be asked for would not be given to it: it is never asked, or the CPU has the
/// lap of a loop (selector/laps.h), or the call is small. Counts and elements are the host's where it has
/// the content.
template <unsigned function, class... Arguments>
[[gnu::always_inline]] inline bool is_left_to_host_at_once(LapCounters& lap, Arguments... arguments) {
  constexpr Growth growth = growths[function];
  if (!mode.device || mode.without_device.load(std::memory_order_relaxed)) return true;
  if (!mode.decides) return false;
  if constexpr (growth == Growth::products) {
    if (lap.foresees) return false;
  }
  if (growth != Growth::nothing && !lap.on_host) {
    if constexpr (grows_with_positions(growth)) {
      constexpr uint64_t most = growth == Growth::listed ? selector::small_listed : selector::small_elements;
      if (!have_at_most(most, arguments...)) return false;
    } else {
      return false;
    }
  }
  selector::Laps::step(function, lap);
  return true;
}

/// Whether the call needs no Call around it, and is counted. `offered`: the device may be asked for it.
/// `traced`: it has a record in a trace. `arguments`: Reads, Writes and Frees.
template <unsigned function, bool traced, bool offered, class... Arguments>
[[gnu::always_inline]] inline bool goes_straight(Arguments... arguments) {
  if (any_thread_asked() || mode.stress_outputs) return false;
  if (!mirror::is_empty() && (mirror::keeps_error_texts() || !(arguments.is_ready() && ...))) return false;
  if constexpr (traced) {
    if (trace::enabled()) return false;
  }
  if constexpr (offered || traced) {
    CountersOfThread& counters = counters_of_thread();
    if (offered && !is_left_to_host_at_once<function>(counters.lap, arguments...)) return false;
    if (traced) trace::count_forwarded_call(counters);
  }
  return true;
}

}  // namespace cugrb::capi
