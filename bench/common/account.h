// Where the wall-clock time of a benchmark goes.
#pragma once
#include <map>
#include <string>

#include "cuda/runtime/device.h"
#include "src/jit/jit.h"
#include "tools/calibration/timing.h"

namespace cugrb::bench {

/// Seconds by phase. Every moment belongs to one phase: what has passed since the last charge. What kernels'
/// compilation took of it is the phase "compile".
class Account {
 public:
  /// Waits for the device, so that its work is charged to who asked for it.
  void charge(const std::string& phase) {
    if (runtime::available()) runtime::device().synchronize();
    const double now = watch_.seconds(), compiled = jit::statistics().compile_seconds;
    seconds_[phase] += now - charged_ - (compiled - compiled_);
    if (compiled > compiled_) seconds_["compile"] += compiled - compiled_;
    charged_ = now;
    compiled_ = compiled;
  }
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  calibration::Stopwatch watch_;
  double charged_ = 0, compiled_ = jit::statistics().compile_seconds;
  std::map<std::string, double> seconds_;
};

}  // namespace cugrb::bench
