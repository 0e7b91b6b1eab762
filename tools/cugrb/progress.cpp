#include "tools/cugrb/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "src/support/text.h"

namespace cugrb::command {

namespace {
constexpr auto quiet_time = std::chrono::milliseconds(300);
constexpr auto redraw_time = std::chrono::milliseconds(100);
constexpr int bar_width = 30;
}  // namespace

ProgressBar::ProgressBar(const std::string& what)
    : what_(printable(what)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(uint64_t done, uint64_t all) {
  const auto now = Clock::now();
  if (!on_terminal_ || now - start_ < quiet_time || now - last_ < redraw_time) return;
  last_ = now;
  drawn_ = true;
  if (all == 0) {
    fmt::print(stderr, "\r\033[K{}: {:.1f} MB", what_, static_cast<double>(done) * 1e-6);
  } else {
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
    const int filled = static_cast<int>(part * bar_width);
    fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} %", what_, std::string(static_cast<size_t>(filled), '#'),
               std::string(static_cast<size_t>(bar_width - filled), ' '), 100 * part);
  }
  std::fflush(stderr);
}

}  // namespace cugrb::command
