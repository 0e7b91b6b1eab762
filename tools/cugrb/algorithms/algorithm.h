// What `cugrb run` knows of each algorithm: one row a name. The functions of a row stand together in a file
// of algorithms of its kind.
#pragma once
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "tools/cugrb/workload.h"

namespace CLI {
class App;
}

namespace cugrb::command {

class Measurement;

struct Algorithm {
  const char* name;
  const char* help;
  /// Adds the options that not every algorithm has, and sets their defaults.
  void (*add_options)(CLI::App& sub, Workload& workload);
  /// In the process that measures: runs the algorithm and describes its result.
  void (*measure)(Measurement& measurement);
  /// Prints what `measure` has put into the report.
  void (*print)(const nlohmann::json& report);
  /// By how much the values of two backends may differ, relative to the largest; 0: they are exact.
  double difference = 0;
  bool weighted = false;  ///< whether it asks for weights
};

/// The rows in the order of the help.
const std::vector<Algorithm>& algorithms();
/// The row of a name that is one.
const Algorithm& algorithm(const std::string& name);

/// The rows by kind.
std::vector<Algorithm> score_algorithms();
std::vector<Algorithm> path_algorithms();
std::vector<Algorithm> part_algorithms();
std::vector<Algorithm> cohesion_algorithms();
std::vector<Algorithm> system_algorithms();
std::vector<Algorithm> stream_algorithms();

}  // namespace cugrb::command
