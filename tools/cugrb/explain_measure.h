// What `cugrb explain` says of a decision and of its candidates' measured times, whatever the product.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/formats/length_distribution.h"
#include "src/selector/decision.h"
#include "tools/calibration/kernels.h"
#include "tools/calibration/timing.h"

namespace cugrb::command {

/// By the wall clock, until the device is done.
template <class Function>
double settled_seconds_of(const Function& function) {
  runtime::device().synchronize();
  const calibration::Stopwatch watch;
  function();
  runtime::device().synchronize();
  return watch.seconds();
}

nlohmann::json describe_lengths(const formats::LengthDistribution& lengths);
/// `uses`: the decision charges 1 / uses of a conversion.
nlohmann::json describe_candidates(const std::vector<selector::Candidate>& candidates, uint64_t uses);
/// Adds the choice to the report.
void describe_choice(nlohmann::json& report, const selector::Decision& decision);

/// What is measured: the product, and what a run takes beside operands and result (bytes; may be empty).
struct Measurable {
  calibration::Product product;
  std::function<double()> workspace = {};
};

/// What measuring kernels has found.
struct Measured {
  std::map<std::string, nlohmann::json> kernels;  ///< what candidates are told: times, or a failure
  std::map<std::string, double> in_turns;         ///< seconds of those that were compared in turns
  int samples = 0, rounds = 0;
  double host_call_seconds = 0;  ///< the host's pace while they were compared; 0: not known
};

/// Measures these kernels, and those near the fastest one, and the chosen one, in turns.
Measured measure(const std::vector<std::string>& kernels, const std::string& chosen,
                 const Measurable& measurable, unsigned repeat);
/// The kernels of a report's candidates that can run.
std::vector<std::string> applicable_kernels(const nlohmann::json& candidates);
/// Adds to the report: measured times or failures of its candidates, how they were measured, the best one,
/// and the regret: the chosen kernel's time over the best one's in turns, minus 1. They are compared once
/// more when the chosen one was not among those in turns.
void describe_measured(nlohmann::json& report, Measured& measured, const Measurable& measurable,
                       unsigned repeat);

}  // namespace cugrb::command
