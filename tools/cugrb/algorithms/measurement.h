// One algorithm at work in the process that measures: its runs, and what is told of its result.
#pragma once
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <vector>

#include "tools/cugrb/trace_report.h"
#include "tools/cugrb/workload.h"

namespace cugrb::command {

template <class Function>
double seconds_of(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A vector as one double a vertex; `missing` where there is no entry.
template <class T>
std::vector<double> dense(const Vector<T>& vector, double missing) {
  std::vector<double> values(vector.size(), missing);
  const auto entries = vector.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k)
    values[entries.indices[k]] = static_cast<double>(entries.values[k]);
  return values;
}

class Measurement {
 public:
  Measurement(const Workload& w, LoadedGraph& l, const std::string& values_file, Trace& trace)
      : workload(w), loaded(l), values_file_(values_file), trace_(trace) {}

  const Workload& workload;
  LoadedGraph& loaded;
  nlohmann::json report;

  /// Runs the algorithm `repeat` times and reports the seconds of each. The first one is traced.
  template <class Run>
  void time(const Run& run) {
    for (unsigned k = 0; k < workload.repeat; ++k) {
      report["seconds"].push_back(seconds_of(run));
      trace_.stop();
    }
  }
  /// The values in which backends are to agree.
  void compare(const std::vector<double>& values) const;
  /// {"vertex", and "name" where vertices have names}.
  nlohmann::json named(Index vertex) const;
  /// The `top` vertices with the largest values, each named and with its "value", largest first; equal ones
  /// by number.
  nlohmann::json largest(const std::vector<double>& values) const;

 private:
  const std::string& values_file_;
  Trace& trace_;
};

}  // namespace cugrb::command
