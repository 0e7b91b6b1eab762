#include "src/support/trace_summary.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "src/support/device_peak.h"
#include "src/support/trace_text.h"

namespace cugrb::trace {
namespace {

constexpr size_t reasons_kept = 1000;  // distinct ones, against texts that never repeat
constexpr size_t reasons_shown = 20;

}  // namespace

void Summary::add(const Record& record) {
  Row& row = rows_[{record.function, record.place}];
  ++row.calls;
  row.seconds += record.seconds;
  row.bytes_up += record.bytes_up;
  row.bytes_down += record.bytes_down;
  if ((record.place != Place::cpu && !record.differs) || record.reason.empty()) return;
  const std::pair<std::string, std::string> key(std::string(record.function) + " on " + name_of(record.place),
                                                record.reason);
  const auto found = reasons_.find(key);
  if (found != reasons_.end()) {
    ++found->second;
  } else if (reasons_.size() < reasons_kept) {
    reasons_.emplace(key, 1);
  }
}

void Summary::clear() {
  rows_.clear();
  reasons_.clear();
}

std::string Summary::text() const {
  using Item = std::pair<std::pair<std::string, Place>, Row>;
  std::vector<Item> items(rows_.begin(), rows_.end());
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.second.seconds > b.second.seconds; });
  std::string text = "cugrb: summary\n";
  char line[256];
  std::snprintf(line, sizeof(line), "cugrb: %-36s %-8s %10s %12s %10s %10s\n", "function", "on", "calls",
                "time", "up", "down");
  text += line;
  Row all;
  for (const auto& [key, row] : items) {
    std::snprintf(line, sizeof(line), "cugrb: %-36s %-8s %10llu %12s %10s %10s\n", key.first.c_str(),
                  name_of(key.second), static_cast<unsigned long long>(row.calls),
                  seconds_text(row.seconds).c_str(), bytes_text(row.bytes_up).c_str(),
                  bytes_text(row.bytes_down).c_str());
    text += line;
    all.calls += row.calls;
    all.seconds += row.seconds;
    all.bytes_up += row.bytes_up;
    all.bytes_down += row.bytes_down;
  }
  std::snprintf(line, sizeof(line), "cugrb: %-36s %-8s %10llu %12s %10s %10s\n", "all", "",
                static_cast<unsigned long long>(all.calls), seconds_text(all.seconds).c_str(),
                bytes_text(all.bytes_up).c_str(), bytes_text(all.bytes_down).c_str());
  text += line;
  if (const uint64_t peak = peak_device_bytes(); peak > 0)
    text += "cugrb: device memory in use at once: up to " + bytes_text(peak) + "\n";
  using Reason = std::pair<std::pair<std::string, std::string>, uint64_t>;
  std::vector<Reason> reasons(reasons_.begin(), reasons_.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.second > b.second; });
  if (reasons.size() > reasons_shown) reasons.resize(reasons_shown);
  for (const auto& [key, count] : reasons) {
    text += "cugrb: " + std::to_string(count) + " x " + key.first + ": ";
    for (const char c : key.second) text += c == '\n' || c == '\r' ? ' ' : c;
    text += '\n';
  }
  return text;
}

}  // namespace cugrb::trace
