#include "bench/common/host_core.h"

#include <sched.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "cuda/runtime/buffer.h"
#include "src/support/parallel.h"
#include "tools/calibration/timing.h"

namespace cugrb::bench {

namespace {

constexpr int rounds = 9, calls_a_round = 200;  // short of what a stream queues

bool keep_to(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(size_t(core), &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

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

std::map<int, double> keep_to_fastest_core() {
  // Threads take their maker's cores: OpenMP's are to be there before this one has a single core.
  on_threads(std::max(1u, std::thread::hardware_concurrency()), [](unsigned) {});
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  std::map<int, double> seconds;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(size_t(core), &allowed) && keep_to(core)) seconds[core] = host_call_seconds();
  }
  if (seconds.empty()) return {};
  const auto fastest =
      std::min_element(seconds.begin(), seconds.end(),
                       [](const auto& first, const auto& second) { return first.second < second.second; });
  keep_to(fastest->first);
  return seconds;
}

}  // namespace cugrb::bench
