// Wall-clock times of work on the device.
#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

#include "cuda/runtime/device.h"

namespace cugrb::bench {

/// Seconds that `work` takes, with all that the device does of it.
template <class Work>
double seconds_of(const Work& work) {
  runtime::device().synchronize();
  const auto begin = std::chrono::steady_clock::now();
  work();
  runtime::device().synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median of `repeat` times, after three that take memory and compile.
template <class Work>
double median_seconds(int repeat, const Work& work) {
  std::vector<double> seconds;
  for (int r = 0; r < 3 + repeat; ++r) {
    const double taken = seconds_of(work);
    if (r >= 3) seconds.push_back(taken);
  }
  return median(seconds);
}

}  // namespace cugrb::bench
