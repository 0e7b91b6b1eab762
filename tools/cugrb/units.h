// Times and sizes as the command prints them.
#pragma once
#include <fmt/core.h>

#include <string>

namespace cugrb::command {

inline std::string seconds_text(double s) {
  if (s >= 1) return fmt::format("{:.3f} s", s);
  if (s >= 1e-3) return fmt::format("{:.3f} ms", s * 1e3);
  if (s >= 1e-6 || s == 0) return fmt::format("{:.1f} us", s * 1e6);
  return fmt::format("{:.1f} ns", s * 1e9);
}

inline std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes * 1e-9);
  if (bytes >= 1e6) return fmt::format("{:.2f} MB", bytes * 1e-6);
  return fmt::format("{:.1f} kB", bytes * 1e-3);
}

}  // namespace cugrb::command
