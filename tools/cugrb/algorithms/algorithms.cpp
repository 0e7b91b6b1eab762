#include <algorithm>

#include "tools/cugrb/algorithms/algorithm.h"

namespace cugrb::command {

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> rows = [] {
    std::vector<Algorithm> all;
    for (const auto kind : {score_algorithms, cohesion_algorithms, path_algorithms, part_algorithms,
                            system_algorithms, stream_algorithms}) {
      for (const Algorithm& row : kind()) all.push_back(row);
    }
    return all;
  }();
  return rows;
}

const Algorithm& algorithm(const std::string& name) {
  return *std::find_if(algorithms().begin(), algorithms().end(),
                       [&name](const Algorithm& row) { return row.name == name; });
}

}  // namespace cugrb::command
