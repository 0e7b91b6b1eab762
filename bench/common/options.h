// The options that the benchmarks of products share.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/calibration/timing.h"

namespace cugrb::bench {

struct CommonOptions {
  std::vector<std::string> semirings;
  std::vector<std::string> kernels;  ///< only these; all when empty
  std::vector<std::string> only;     ///< records whose name contains one of these; all when empty
  std::vector<std::string> resume;   ///< files whose complete records are not measured again
  std::string json, commit;
  int repeat = 20;
  double limit_seconds = 0.25;  ///< measuring one candidate ends then, after three samples
  double budget_seconds = 0;    ///< 0: none
  bool choice = true, kernels_forced = true, cusparse = true, suitesparse = false;
  calibration::Deadline deadline;  ///< started by start_deadline()

  void start_deadline() { deadline = calibration::Deadline(budget_seconds); }
  bool wants(const std::string& kernel) const;
  bool wants_record(const std::string& name) const;
};

/// Adds them to the command line. Defaults are those of `options`.
void add_common_options(CLI::App& app, CommonOptions& options);

/// Throws std::invalid_argument when one of options.semirings is not a built-in one.
void check_semirings(const CommonOptions& options);

}  // namespace cugrb::bench
