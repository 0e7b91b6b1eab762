// What the parts of bench_spmv share.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/operations/operations.h"
#include "tools/graph_files/generate.h"

namespace cugrb::bench {

/// The graph as a pattern-only (iso, BOOL true) matrix on the device.
formats::DeviceMatrix to_device(const graph_files::Csr& graph);

/// Seconds of `repeat` runs by device events, after one that warms up; sorted.
template <class Run>
std::vector<double> measure(int repeat, const Run& run) {
  run();
  std::vector<double> seconds;
  for (int n = 0; n < repeat; ++n) {
    const uint64_t begin = runtime::device().mark();
    run();
    seconds.push_back(runtime::device().seconds_between(begin, runtime::device().mark()));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}
inline double median(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

/// settings().force
void force(const std::string& kernel);

/// Every kernel on one product with a full vector; a table on stdout, and as JSON.
nlohmann::json bench_product(const formats::DeviceMatrix& matrix, const std::string& semiring, int repeat);
/// A whole breadth-first search, level by level.
nlohmann::json bench_breadth_first(const formats::DeviceMatrix& matrix, uint64_t source, int repeat);

}  // namespace cugrb::bench
