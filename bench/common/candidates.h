// How candidates are measured: forced, traced, with as many samples as their time is worth.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "src/support/trace.h"
#include "tools/calibration/timing.h"

namespace cugrb::bench {

using calibration::Deadline;
using calibration::device_elapsed;
using calibration::Stopwatch;
using calibration::Timing;

/// Runs it, and says what its call was: kernel, reason, prediction.
trace::Record traced(const char* function, const std::function<void()>& run);

/// `measure` fills the row; what it throws becomes the row's `skipped` (declined, no memory) or `failed`.
void attempt(nlohmann::json& row, const std::function<void()>& measure);

/// By the host's clock: for what returns when it is done.
inline constexpr auto host_elapsed = [](const auto& run, int count) {
  const Stopwatch watch;
  for (int n = 0; n < count; ++n) run();
  return watch.seconds();
};

/// A candidate that takes so many times as long as the best so far is run once; one beyond the second number
/// gets a quarter of the samples: the time is better spent on others.
constexpr double hopeless = 15, behind = 2;

/// Samples of a warm candidate. `best_seconds`: of the candidates so far, 0 for the first; is lowered.
template <class Run, class Elapsed>
Timing sample(int repeat, double limit_seconds, const Run& run, const Elapsed& elapsed,
              double& best_seconds) {
  const double once = elapsed(run, 1);
  const bool known = best_seconds > 0;
  if (known && once > hopeless * best_seconds) return {once, once, 1, 1};
  const int samples = known && once > behind * best_seconds ? (repeat + 3) / 4 : repeat;
  const Timing timing = calibration::measure(samples, limit_seconds, run, elapsed);
  if (!known || timing.median < best_seconds) best_seconds = timing.median;
  return timing;
}

}  // namespace cugrb::bench
