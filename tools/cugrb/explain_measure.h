// What `cugrb explain` says of a decision and of its candidates' measured times, whatever the product.
#pragma once
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>

#include "src/formats/length_distribution.h"
#include "src/selector/decision.h"

namespace cugrb::command {

/// One product, ready to run by the kernel that settings().force names.
struct Runnable {
  std::function<void()> run;
  std::function<void()> forget;       ///< drops everything that was derived from the operands
  std::function<double()> workspace;  ///< bytes that a run takes beside operands and result; may be empty
};

/// By the wall clock, until the device is done.
template <class Function>
double seconds_of(const Function& function) {
  runtime::device().synchronize();
  const auto start = std::chrono::steady_clock::now();
  function();
  runtime::device().synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::json describe_lengths(const formats::LengthDistribution& lengths);
/// `uses`: the decision charges 1 / uses of a conversion.
nlohmann::json describe_candidates(const std::vector<selector::Candidate>& candidates, uint64_t uses);
/// Adds the choice to the report.
void describe_choice(nlohmann::json& report, const selector::Decision& decision);
/// Adds measured times (medians of `repeat` products) to the report's candidates, the best one, and the
/// regret.
void measure(nlohmann::json& report, const Runnable& product, unsigned repeat);

}  // namespace cugrb::command
