// Timing by device events, deadlines, workspaces.
#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

#include "cuda/runtime/device.h"

namespace cugrb::calibration {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A number of seconds from now; never over when it is 0.
class Deadline {
 public:
  explicit Deadline(double seconds = 0) : seconds_(seconds) {}
  bool over() const { return seconds_ > 0 && watch_.seconds() > seconds_; }

 private:
  double seconds_;
  Stopwatch watch_;
};

struct Timing {
  double median = 0, least = 0;  ///< seconds a run
  int samples = 0, runs_a_sample = 0;
};

/// Seconds of run(), by `elapsed(run, count)`: the time of so many runs in a row. One run first; short ones
/// are sampled several at a time, as a program's loop has them; until `repeat` samples or (after three) the
/// limit.
template <class Run, class Elapsed>
Timing measure(int repeat, double limit_seconds, const Run& run, const Elapsed& elapsed) {
  const double first = elapsed(run, 1);
  Timing timing;
  timing.runs_a_sample = std::clamp(int(200e-6 / std::max(first, 1e-7)), 1, 20);
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
