// Timing by device events, deadlines, workspaces.
#pragma once
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "cuda/runtime/device.h"
#include "src/support/stopwatch.h"

namespace cugrb::calibration {

using cugrb::Stopwatch;

/// A number of seconds from now; never over when it is 0.
class Deadline {
 public:
  explicit Deadline(double seconds = 0) : seconds_(seconds) {}
  bool over() const { return seconds_ > 0 && watch_.seconds() > seconds_; }

 private:
  double seconds_;
  Stopwatch watch_;
};

/// Now, as results note it: "2026-11-25T13:55:29Z".
inline std::string utc_now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

struct Timing {
  double median = 0, least = 0;  ///< seconds a run
  int samples = 0, runs_a_sample = 0;
};

/// Runs of a sample that are made in a row.
constexpr int most_runs_a_sample = 20;

/// Seconds of run(), by `elapsed(run, count)`: the time of so many runs in a row. One run first; short ones
/// are sampled several at a time, as a program's loop has them; until `repeat` samples or (after three) the
/// limit.
template <class Run, class Elapsed>
Timing measure(int repeat, double limit_seconds, const Run& run, const Elapsed& elapsed) {
  const double first = elapsed(run, 1);
  Timing timing;
  timing.runs_a_sample = std::clamp(int(200e-6 / std::max(first, 1e-7)), 1, most_runs_a_sample);
  const Stopwatch watch;
  std::vector<double> seconds;
  while (int(seconds.size()) < repeat && (seconds.size() < 3 || watch.seconds() < limit_seconds)) {
    seconds.push_back(elapsed(run, timing.runs_a_sample) / timing.runs_a_sample);
  }
  std::sort(seconds.begin(), seconds.end());
  timing.samples = int(seconds.size());
  timing.median = seconds[seconds.size() / 2];
  timing.least = seconds.front();
  return timing;
}

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
  const Timing timing = measure(samples, limit_seconds, run, elapsed);
  if (!known || timing.median < best_seconds) best_seconds = timing.median;
  return timing;
}

/// Elapsed time on the device's stream.
inline constexpr auto device_elapsed = [](const auto& run, int count) {
  const uint64_t begin = runtime::device().mark();
  for (int n = 0; n < count; ++n) run();
  return runtime::device().seconds_between(begin, runtime::device().mark());
};

/// Device memory that run() takes for itself: the most that is in use meanwhile beyond what is before, less
/// the bytes of its result, which it returns.
template <class Run>
size_t workspace_of(const Run& run) {
  runtime::Device& device = runtime::device();
  device.take_peak_bytes();
  const size_t before = device.take_peak_bytes();
  const size_t kept = before + run();
  const size_t most = device.take_peak_bytes();
  return most > kept ? most - kept : 0;
}

}  // namespace cugrb::calibration
