// What a launch takes the host, by the clock of the launches that are made anyway.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace cugrb::runtime {

/// Times every fourth launch (two looks at the clock, about 50 ns) and keeps the last 64. An eighth of them
/// took less than the pace that it tells: most of the others waited for a full queue, or lost their core.
/// Threads may share it.
class HostPace {
 public:
  /// Makes the call, and times it when it is due.
  template <class Call>
  auto timed(const Call& call) {
    if (calls_.fetch_add(1, std::memory_order_relaxed) % interval != 0) return call();
    const auto start = std::chrono::steady_clock::now();
    auto result = call();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const uint64_t number = timed_.fetch_add(1, std::memory_order_relaxed);
    kept_[number % kept_.size()].store(taken.count(), std::memory_order_relaxed);
    return result;
  }

  /// Of a call, seconds; 0 until eight have been timed.
  double seconds() const {
    const uint64_t count = std::min<uint64_t>(timed_.load(std::memory_order_relaxed), kept_.size());
    if (count < least_count) return 0;
    std::array<double, most_count> sorted;
    for (uint64_t n = 0; n < count; ++n) sorted[n] = kept_[n].load(std::memory_order_relaxed);
    const auto eighth = sorted.begin() + std::ptrdiff_t(count / 8);
    std::nth_element(sorted.begin(), eighth, sorted.begin() + std::ptrdiff_t(count));
    return *eighth;
  }

 private:
  static constexpr uint64_t interval = 4, least_count = 8, most_count = 64;
  std::atomic<uint64_t> calls_{0}, timed_{0};
  std::array<std::atomic<double>, most_count> kept_{};
};

}  // namespace cugrb::runtime
