// The options that the benchmarks of products share.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/calibration/timing.h"

namespace cugrb::bench {

/// What the benchmarks' command lines and results differ in.
struct Benchmark {
  std::string name;     ///< "spmv": what the result says
  std::string records;  ///< "matrices": the key of its records
  std::string one;      ///< measured when nothing is named
  std::vector<std::string> semirings;
  std::vector<std::string> (*suite)(const std::string& name);  ///< --set NAME; throws std::invalid_argument
  std::string (*record_name)(const std::string& word);         ///< of what is named on the command line
};

struct CommonOptions {
  std::vector<std::string> names;  ///< what is measured
  std::vector<std::string> semirings;
  std::vector<std::string> kernels;  ///< only these; all when empty
  std::vector<std::string> only;     ///< records whose name contains one of these; all when empty
  std::vector<std::string> resume;   ///< files whose complete records are not measured again
  std::string json, commit;
  int repeat = 20;
  double limit_seconds = 0.25;  ///< measuring one candidate ends then, after three samples
  double budget_seconds = 0;    ///< 0: none
  bool choice = true, kernels_forced = true, cusparse = true, suitesparse = false;
  calibration::Deadline deadline;

  bool wants(const std::string& kernel) const;
  bool wants_record(const std::string& name) const;
};

/// Adds them to `app`, which has the benchmark's own, and parses; ends the process at --help and at errors.
/// The names are those of the command line, of its sets and its folder, without what --only and --resume
/// leave out. Starts the deadline. Throws std::invalid_argument.
void parse_options(CLI::App& app, int count, char** arguments, const Benchmark& benchmark,
                   CommonOptions& options);

}  // namespace cugrb::bench
