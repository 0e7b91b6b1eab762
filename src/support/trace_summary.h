// Summary: calls by function and place, and the reasons of fall-backs, counted over the life of the process.
#pragma once
#include <map>
#include <string>
#include <utility>

#include "src/support/trace.h"

namespace cugrb::trace {

class Summary {
 public:
  void add(const Record& record);
  bool empty() const { return rows_.empty(); }
  void clear();
  /// A table, the most time first, and under it the reasons why calls ran on the CPU, the most frequent
  /// first.
  std::string text() const;

 private:
  struct Row {
    uint64_t calls = 0, bytes_up = 0, bytes_down = 0;
    double seconds = 0;
  };
  std::map<std::pair<std::string, Place>, Row> rows_;
  std::map<std::pair<std::string, std::string>, uint64_t> reasons_;  // function, reason
};

}  // namespace cugrb::trace
