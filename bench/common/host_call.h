// How fast the host calls the driver: where products are short, that is what is measured, and on a machine
// that is shared it differs from second to second, on one core, too.
#pragma once

namespace cugrb::bench {

/// Of one call that the device is not waited for (a fill of a few bytes): the middle one of some rounds.
/// Seconds.
double host_call_seconds();

}  // namespace cugrb::bench
