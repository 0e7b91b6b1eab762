// How fast the host calls the driver: where products are short, that is what is measured, and on a machine
// that is shared it differs from core to core and from second to second.
#pragma once
#include <map>

namespace cugrb::bench {

/// Of one call that the device is not waited for (a fill of a few bytes): the middle one of some rounds, on
/// the core where this thread is. Seconds.
double host_call_seconds();

/// Tries all cores that this thread may run on (some milliseconds each), and keeps it to the fastest; the
/// threads that OpenMP has for it stay where they are. What was found, by core; empty where nothing could be
/// done.
std::map<int, double> keep_to_fastest_core();

}  // namespace cugrb::bench
