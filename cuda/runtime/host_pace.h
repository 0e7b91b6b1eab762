// What a launch takes the host, by the clock of the launches that are made anyway.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace cugrb::runtime {

/// Times every fourth launch (two looks at the clock, about 50 ns) and keeps the last eight: the least of
/// them is not one that waited for a full queue or lost its core. Threads may share it.
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

  /// Of a call, seconds; 0 until enough have been timed.
  double seconds() const {
    if (timed_.load(std::memory_order_relaxed) < kept_.size()) return 0;
    double least = kept_[0].load(std::memory_order_relaxed);
    for (const std::atomic<double>& seconds : kept_)
      least = std::min(least, seconds.load(std::memory_order_relaxed));
    return least;
  }

 private:
  static constexpr uint64_t interval = 4;
  std::atomic<uint64_t> calls_{0}, timed_{0};
  std::array<std::atomic<double>, 8> kept_{};
};

}  // namespace cugrb::runtime
