// A benchmark's candidates: what measuring one puts into its row.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/calibration/kernels.h"
#include "tools/calibration/timing.h"

namespace cugrb::bench {

using calibration::Deadline;
using calibration::device_elapsed;
using calibration::sample;
using calibration::Stopwatch;
using calibration::Timing;
using calibration::traced;

/// `measure` fills the row; what it throws becomes the row's `skipped` (declined, no memory, another kernel
/// than the one that was forced) or `failed`.
void attempt(nlohmann::json& row, const std::function<void()>& measure);

/// By the host's clock: for what returns when it is done.
inline constexpr auto host_elapsed = [](const auto& run, int count) {
  const Stopwatch watch;
  for (int n = 0; n < count; ++n) run();
  return watch.seconds();
};

}  // namespace cugrb::bench
