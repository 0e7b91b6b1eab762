// What calls took: the corrections that placement.h makes to its predictions. The speed of the host depends
// on its cores, on the build of SuiteSparse and on what else runs; that of a call on the device on the
// driver.
#pragma once
#include <cstdint>

namespace cugrb::selector {

/// Whose times are kept together: calls of one operation that make a vector or scalar, or a matrix, and are
/// predicted to take about as long. What threads and caches do to a call of 20 us says nothing of one of 2
/// ms.
struct Kind {
  const char* operation = "";
  bool makes_matrix = false;
  uint8_t magnitude = 0;  ///< magnitude_of() what is predicted
};

/// 0 below 10 us, 1 below 100 us, and so on to 4.
constexpr uint8_t magnitude_of(double seconds) {
  uint8_t magnitude = 0;
  for (double bound = 10e-6; magnitude < 4 && seconds >= bound; bound *= 10) ++magnitude;
  return magnitude;
}

/// Measured over predicted time of calls of this kind on the CPU: the geometric mean of all, where the last
/// ones weigh most. 1 where none has been measured, and again after many calls on the device. Thread-safe, as
/// all here.
double host_factor(const Kind& kind);

/// What a call of this kind costs the host when the device has little to do, seconds: its launches, and its
/// waits for what it reads back. The shortest of the last calls, about, and at least `assumed`.
double device_call_seconds(const Kind& kind, double assumed);

/// A call on the device has taken so long, launches to the last of its own waits, without what is predicted
/// of its transfers. `settled`: it has loaded no kernel and brought up no matrix, as few calls do.
void ran_on_device(const Kind& kind, double assumed, double measured, bool settled);

/// Measures the calls of this thread on the CPU: expect() when one has been predicted, begin() and end()
/// around it, forget() when the device has done it. A call that was not expected is not measured.
class HostCall {
 public:
  static void expect(const Kind& kind, double predicted);
  static void forget();
  static void begin();
  /// What it took, seconds; 0 where it was not measured.
  static double end();
};

}  // namespace cugrb::selector
