#include "src/selector/experience.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "src/support/stopwatch.h"

namespace cugrb::selector {
namespace {

/// Each call on the CPU moves the logarithm of the factor by a fifth of the way, and by 0.2 at most: one that
/// was interrupted teaches little. No factor is beyond these bounds.
constexpr double weight_of_last = 0.2, most_surprise = 1, least_factor = 0.05, most_factor = 50;
/// A call on the device takes a 500th of what is known of the CPU: what was true once need not stay true.
constexpr double forgotten_at_a_call = 0.002;
/// A shorter call on the device than the known ones counts at once, a longer one less: some of those that are
/// longer have made a format, or waited for calls before them. One that has loaded a kernel or moved a matrix
/// counts little. What is assumed at first is a third of what calls take on a slow host; a dozen tell.
constexpr double weight_of_shorter = 0.5, weight_of_longer = 0.1, weight_of_unsettled = 0.02,
                 most_times_longer = 2;
/// What the clock cannot tell.
constexpr double clock_tick_seconds = 0.5e-6;

struct Known {
  double host_log = 0;  ///< of measured over predicted
  std::optional<double> device_call;
};

struct Table {
  std::mutex mutex;
  /// Numbers are compared first. Operations are literals, so that their texts stay.
  std::map<std::tuple<uint8_t, bool, std::string_view>, Known> known;
  Known& of(const Kind& kind) { return known[{kind.magnitude, kind.makes_matrix, kind.operation}]; }
};

/// Never destroyed: calls may come when the process ends.
Table& table() {
  static auto* const one = new Table;
  return *one;
}

struct Expected {
  bool armed = false, running = false;
  Kind kind;
  double predicted = 0;
  Stopwatch watch;
};
thread_local Expected expected;

}  // namespace

double host_factor(const Kind& kind) {
  Table& t = table();
  const std::lock_guard<std::mutex> lock(t.mutex);
  return std::exp(t.of(kind).host_log);
}

double device_call_seconds(const Kind& kind, double assumed) {
  Table& t = table();
  const std::lock_guard<std::mutex> lock(t.mutex);
  return std::max(assumed, t.of(kind).device_call.value_or(assumed));
}

void ran_on_device(const Kind& kind, double assumed, double measured, bool settled) {
  Table& t = table();
  const std::lock_guard<std::mutex> lock(t.mutex);
  Known& known = t.of(kind);
  known.host_log *= 1 - forgotten_at_a_call;
  const double before = known.device_call.value_or(assumed);
  const double of_longer = settled ? weight_of_longer : weight_of_unsettled;
  const double weight = measured < before ? weight_of_shorter : of_longer;
  known.device_call = before + weight * (std::min(measured, most_times_longer * before) - before);
}

void HostCall::expect(const Kind& kind, double predicted) {
  expected.armed = true;
  expected.running = false;
  expected.kind = kind;
  expected.predicted = predicted;
}

void HostCall::forget() { expected.armed = expected.running = false; }

void HostCall::begin() {
  expected.running = std::exchange(expected.armed, false);
  if (expected.running) expected.watch = Stopwatch();
}

double HostCall::end() {
  if (!expected.running) return 0;
  expected.running = false;
  const double measured = std::max(expected.watch.seconds(), clock_tick_seconds);
  Table& t = table();
  const std::lock_guard<std::mutex> lock(t.mutex);
  double& known = t.of(expected.kind).host_log;
  const double seen = std::log(measured / std::max(expected.predicted, clock_tick_seconds));
  const double surprise = std::clamp(seen - known, -most_surprise, most_surprise);
  known = std::clamp(known + weight_of_last * surprise, std::log(least_factor), std::log(most_factor));
  return measured;
}

}  // namespace cugrb::selector
