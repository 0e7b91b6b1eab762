// A progress bar on a terminal, for what takes longer than a moment; nothing elsewhere.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace cugrb::command {

class ProgressBar {
 public:
  /// `what` stands in front: "reading graph.mtx".
  explicit ProgressBar(const std::string& what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws at most ten times a second, on standard error, and only when that is a terminal.
  void update(uint64_t done, uint64_t all);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace cugrb::command
