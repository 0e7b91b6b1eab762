// Summary: calls by function and place, and the reasons of fall-backs with what they cost, over the life of
// the process.
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
  /// A table, the most time first, and under it the reasons why calls ran on the CPU, with their calls, time
  /// and bytes, again the most time first.
  std::string text() const;

 private:
  struct Row {
    uint64_t calls = 0, bytes_up = 0, bytes_down = 0;
    uint64_t bytes_up_later = 0;  ///< that went up in other calls because these had changed them on the host
    uint64_t bytes_between = 0;   ///< devices
    double seconds = 0;
    void add(const Record& record);
    void add(const Row& other);
  };
  using Key = std::pair<std::string, Place>;
  static std::string line_of(const std::string& function, const char* place, const Row& row);
  std::map<Key, Row> rows_;
  std::map<std::pair<std::string, std::string>, Row> reasons_;  // function and place, reason
};

}  // namespace cugrb::trace
