// One algorithm of cugrb-mpi: what it needs of a graph, its runs, and what is told of its result.
#pragma once
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "cugrb/distributed.hpp"
#include "tools/distributed/load.h"

namespace cugrb::tools {

struct TaskOptions {
  std::string algorithm, graph, json_file, values_file, compare_file;
  LoadOptions load;
  double deadline = 0;  ///< 0: as it is
  unsigned repeat = 1, top = 10;
  int iterations = 100;
  double damping = 0.85, tolerance = 1e-4, delta = 0;
  int64_t source = -1;  ///< -1: the vertex with most edges
  bool double_precision = false;
};

/// At work on every rank. `report` is rank 0's to print.
class Task {
 public:
  Task(Distributed& given, const TaskOptions& asked, LoadedParts& parts)
      : ranks(given), options(asked), loaded(parts) {}

  Distributed& ranks;
  const TaskOptions& options;
  LoadedParts& loaded;
  nlohmann::json report;

  const Deal& deal() const { return loaded.graph->exchange().deal(); }
  /// Runs the algorithm `repeat` times and reports the seconds of each, those of the slowest rank.
  template <class Run>
  void time(const Run& run) {
    for (unsigned k = 0; k < options.repeat; ++k) {
      ranks.barrier("the beginning of a run");
      const auto start = detail::Clock::now();
      run();
      const double seconds = detail::seconds_since(start);
      report["seconds"].push_back(ranks.all_reduce(
          seconds, [](double a, double b) { return a > b ? a : b; }, "the end of a run"));
    }
  }
  /// The scores of this rank's vertices, -1 where there is no entry: the largest of all ranks, a checksum
  /// that does not depend on the partition, and the files of --values and --compare.
  template <class T>
  void tell_values(const Vector<T>& block) {
    std::vector<double> values(block.size(), -1.0);
    const auto entries = block.entries();
    for (size_t k = 0; k < entries.indices.size(); ++k)
      values[entries.indices[k]] = static_cast<double>(entries.values[k]);
    tell(values);
  }
  /// The vertex where a search begins.
  Index source();

 private:
  void tell(const std::vector<double>& values);
  void tell_top(const std::vector<double>& values);
  void write_values(const std::vector<double>& values);
  void compare_values(const std::vector<double>& values);
};

struct TaskKind {
  const char* name;
  const char* help;
  struct Needs {
    bool leaving = false, weights = false;
    bool full_vectors = true;  ///< products with all values of a vector: they can overlap with its gathering
  } needs;
  void (*run)(Task&);
  void (*print)(const nlohmann::json& report);
};
const std::vector<TaskKind>& task_kinds();

}  // namespace cugrb::tools
