#include "bench/common/host_call.h"

#include <algorithm>
#include <vector>

#include "cuda/runtime/buffer.h"
#include "tools/calibration/timing.h"

namespace cugrb::bench {

namespace {

constexpr int rounds = 9, calls_a_round = 200;  // short of what a stream queues

}  // namespace

double host_call_seconds() {
  runtime::Device& device = runtime::device();
  const runtime::Buffer bytes(256);
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    device.synchronize();
    const calibration::Stopwatch watch;
    for (int call = 0; call < calls_a_round; ++call) device.fill_bytes(bytes.data(), 0, bytes.bytes());
    seconds.push_back(watch.seconds() / calls_a_round);
  }
  device.synchronize();
  std::nth_element(seconds.begin(), seconds.begin() + rounds / 2, seconds.end());
  return seconds[rounds / 2];
}

}  // namespace cugrb::bench
