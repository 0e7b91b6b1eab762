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

template <class Key, class Row>
std::vector<std::pair<Key, Row>> worst_first(const std::map<Key, Row>& rows) {
  std::vector<std::pair<Key, Row>> items(rows.begin(), rows.end());
  std::stable_sort(items.begin(), items.end(),
                   [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  return items;
}

}  // namespace

void Summary::Row::add(const Record& record) {
  add(Row{1, record.bytes_up, record.bytes_down, 0, record.bytes_between, record.seconds});
}

void Summary::Row::add(const Row& other) {
  calls += other.calls;
  bytes_up += other.bytes_up;
  bytes_down += other.bytes_down;
  bytes_up_later += other.bytes_up_later;
  bytes_between += other.bytes_between;
  seconds += other.seconds;
}

void Summary::add(const Record& record) {
  rows_[{record.function, record.place}].add(record);
  for (const auto& [cause, bytes] : record.up_because_of) rows_[{cause, Place::cpu}].bytes_up_later += bytes;
  if ((record.place != Place::cpu && !record.differs) || record.reason.empty()) return;
  const std::pair<std::string, std::string> key(std::string(record.function) + " on " + name_of(record.place),
                                                record.reason);
  const auto found = reasons_.find(key);
  if (found != reasons_.end()) {
    found->second.add(record);
  } else if (reasons_.size() < reasons_kept) {
    reasons_[key].add(record);
  }
}

void Summary::clear() {
  rows_.clear();
  reasons_.clear();
}

std::string Summary::line_of(const std::string& function, const char* place, const Row& row) {
  char line[256];
  std::snprintf(line, sizeof(line), "cugrb: %-36s %-8s %10llu %12s %10s %10s %10s\n", function.c_str(), place,
                static_cast<unsigned long long>(row.calls), seconds_text(row.seconds).c_str(),
                bytes_text(row.bytes_up).c_str(), bytes_text(row.bytes_down).c_str(),
                bytes_text(row.bytes_up_later).c_str());
  return line;
}

std::string Summary::text() const {
  std::string text = "cugrb: summary\n";
  char head[256];
  std::snprintf(head, sizeof(head), "cugrb: %-36s %-8s %10s %12s %10s %10s %10s\n", "function", "on", "calls",
                "time", "up", "down", "up later");
  text += head;
  Row all;
  for (const auto& [key, row] : worst_first(rows_)) {
    text += line_of(key.first, name_of(key.second), row);
    all.add(row);
  }
  text += line_of("all", "", all);
  for (const auto& [key, row] : worst_first(rows_)) {
    if (row.bytes_between > 0)
      text += "cugrb: between devices in " + key.first + ": " + bytes_text(row.bytes_between) + "\n";
  }
  if (const uint64_t peak = peak_device_bytes(); peak > 0)
    text += "cugrb: device memory in use at once: up to " + bytes_text(peak) + "\n";
  auto reasons = worst_first(reasons_);
  if (reasons.size() > reasons_shown) reasons.resize(reasons_shown);
  for (const auto& [key, row] : reasons) {
    text += "cugrb: " + std::to_string(row.calls) + " x " + key.first + ", " + seconds_text(row.seconds) +
            ", up " + bytes_text(row.bytes_up) + ", down " + bytes_text(row.bytes_down) + ": ";
    for (const char c : key.second) text += c == '\n' || c == '\r' ? ' ' : c;
    text += '\n';
  }
  return text;
}

}  // namespace cugrb::trace
