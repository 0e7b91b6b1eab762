#include "tools/cugrb/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace cugrb::command {

namespace {

std::string range_text(uint64_t least, uint64_t most) {
  if (most != UINT64_MAX) return fmt::format("from {} to {}", least, most);
  return least == 0 ? "below 2^64" : fmt::format("of at least {} and below 2^64", least);
}

/// "from 0 to 1", "above 0", "between 0 and 1"; an infinite end is none.
std::string range_text(const Interval& i) {
  const bool bounded = std::isfinite(i.most);
  if (!std::isfinite(i.least)) return "";
  if (!bounded) return fmt::format("{} {}", i.with_least ? "of at least" : "above", i.least);
  if (i.with_least && i.with_most) return fmt::format("from {} to {}", i.least, i.most);
  if (!i.with_least && !i.with_most) return fmt::format("above {} and below {}", i.least, i.most);
  return fmt::format("{} {} and {} {}", i.with_least ? "of at least" : "above", i.least,
                     i.with_most ? "at most" : "below", i.most);
}

}  // namespace

CLI::Validator whole(uint64_t least, uint64_t most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || rest != end || value < least || value > most)
          return fmt::format("expected a whole number {}, not {}", range_text(least, most), text);
        text = std::to_string(value);
        return "";
      },
      "");
}

CLI::Validator real(const Interval& interval) {
  return CLI::Validator(
      [interval](std::string& text) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool number = !text.empty() && *end == '\0' && std::isfinite(value);
        const bool inside = value >= interval.least && value <= interval.most &&
                            (interval.with_least || value != interval.least) &&
                            (interval.with_most || value != interval.most);
        if (number && inside) return "";
        const std::string range = range_text(interval);
        return fmt::format("expected a finite number{}{}, not {}", range.empty() ? "" : " ", range, text);
      },
      "");
}

}  // namespace cugrb::command
