#include "tools/cugrb/explain_measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "src/jit/jit.h"
#include "src/support/declined.h"
#include "src/support/settings.h"

namespace cugrb::command {

using formats::LengthDistribution;
using nlohmann::json;

json describe_lengths(const LengthDistribution& d) {
  json fractiles = json::object();
  for (const auto& [name, per_mille] :
       {std::pair{"25", 250}, {"50", 500}, {"75", 750}, {"90", 900}, {"99", 990}, {"99.9", 999}}) {
    fractiles[name] = d.fractile(static_cast<uint64_t>(per_mille), 1000);
  }
  json histogram = json::array();
  for (const LengthDistribution::Bin& bin : d.bins()) histogram.push_back({bin.length, bin.rows});
  return {{"rows", d.rows()},
          {"entries", d.entries()},
          {"empty", d.empty_rows()},
          {"longest", d.longest()},
          {"distinct", d.bins().size()},
          {"mean", d.mean()},
          {"deviation", d.deviation()},
          {"skewness", d.skewness()},
          {"fractiles", fractiles},
          {"warp_fractile_mean", d.fractile_mean(32)},
          {"histogram", histogram}};
}

json describe_candidates(const std::vector<selector::Candidate>& candidates, uint64_t uses) {
  double fastest_unconverted = 0;
  for (const selector::Candidate& c : candidates) {
    const bool usable = c.applicable && c.conversion_seconds == 0;
    if (usable && (fastest_unconverted == 0 || c.predicted_seconds < fastest_unconverted))
      fastest_unconverted = c.predicted_seconds;
  }
  json list = json::array();
  for (const selector::Candidate& c : candidates) {
    list.push_back({{"kernel", c.kernel->name}, {"format", c.format}, {"applicable", c.applicable}});
    if (!c.reason.empty()) list.back()["reason"] = c.reason;
    if (!c.applicable) continue;
    const double conversion = c.conversion_seconds * double(uses);
    const double gain = fastest_unconverted - c.predicted_seconds;
    list.back()["predicted_seconds"] = c.predicted_seconds;
    list.back()["conversion_seconds"] = conversion;
    if (c.workspace_bytes > 0) list.back()["workspace_bytes"] = c.workspace_bytes;
    if (conversion > 0 && gain > 0) list.back()["break_even_uses"] = std::ceil(conversion / gain);
  }
  return list;
}

void describe_choice(json& report, const selector::Decision& decision) {
  report["chosen"] = {{"kernel", decision.chosen.kernel->name},
                      {"format", decision.chosen.format},
                      {"predicted_seconds", decision.chosen.predicted_seconds},
                      {"charged_conversion_seconds", decision.chosen.conversion_seconds}};
  if (!decision.chosen.reason.empty()) report["chosen"]["reason"] = decision.chosen.reason;
  for (const selector::Candidate& c : decision.candidates) {
    const bool same =
        c.applicable && selector::charged_seconds(c) == selector::charged_seconds(decision.chosen);
    if (same && c.kernel != decision.chosen.kernel)
      report["chosen"]["predicted_alike"].push_back(c.kernel->name);
  }
  report["forced"] = decision.forced;
}

namespace {

/// A kernel's share of the seconds, as in the benchmarks.
constexpr double seconds_of_kernel = 0.25, seconds_in_turns = 5;
/// As many rounds for the usual number of samples as the benchmark has.
int rounds_of(unsigned repeat) { return int(2 * repeat + 1); }

/// One kernel's samples, and what making its format takes: a first product less a warm one.
json measure_kernel(const std::string& kernel, const Measurable& measurable, unsigned repeat, double& best) {
  const calibration::Product& product = measurable.product;
  json told;
  try {
    const double first = calibration::first_seconds(kernel, product);
    const calibration::Timing timing =
        calibration::sample(int(repeat), seconds_of_kernel, product.run, calibration::device_elapsed, best);
    told = {{"measured_seconds", timing.median},
            {"measured_conversion_seconds", std::max(0.0, first - timing.median)}};
    if (measurable.workspace) told["measured_workspace_bytes"] = measurable.workspace();
  } catch (const runtime::OutOfMemory& error) {
    told = {{"failure", error.what()}};
  } catch (const Declined& error) {
    told = {{"failure", error.what()}};
  } catch (const jit::CompilationFailure& error) {
    told = {{"failure", error.what()}};
  } catch (const calibration::AnotherKernel& error) {
    told = {{"failure", error.what()}};
  }
  product.forget();
  return told;
}

/// The host's pace meanwhile.
double compare_in_turns(const std::vector<std::string>& kernels, const Measurable& measurable,
                        unsigned repeat, Measured& measured) {
  const calibration::ComparedKernels compared =
      calibration::compare(kernels, measurable.product, rounds_of(repeat), seconds_in_turns);
  measurable.product.forget();
  measured.in_turns = compared.seconds;
  measured.rounds = compared.rounds;
  for (const auto& [kernel, seconds] : compared.seconds)
    measured.kernels[kernel]["measured_seconds"] = seconds;
  return compared.host_call_seconds;
}

std::string what_is_measured(const Measured& measured) {
  return fmt::format(
      "seconds from product to product of a loop of up to {} between two events on the device's stream, the "
      "host's part where it is the slower one; by shares of {} rounds, in each of which every kernel within "
      "{:.0f} times the fastest one's time has its turn",
      calibration::most_runs_a_sample, measured.rounds, calibration::hopeless);
}

std::string fastest_of(const std::map<std::string, double>& seconds) {
  return std::min_element(seconds.begin(), seconds.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

Measured measure(const std::vector<std::string>& kernels, const std::string& chosen,
                 const Measurable& measurable, unsigned repeat) {
  const SettingsGuard guard;  // of force_kernel
  Measured measured;
  measured.samples = int(repeat);
  double best = 0;
  for (const std::string& kernel : kernels)
    measured.kernels[kernel] = measure_kernel(kernel, measurable, repeat, best);
  std::vector<std::string> hopeful;
  for (const auto& [kernel, told] : measured.kernels) {
    if (!told.contains("measured_seconds")) continue;
    if (kernel == chosen || told["measured_seconds"] <= calibration::hopeless * best)
      hopeful.push_back(kernel);
  }
  measured.host_call_seconds = compare_in_turns(hopeful, measurable, repeat, measured);
  return measured;
}

std::vector<std::string> applicable_kernels(const json& candidates) {
  std::vector<std::string> kernels;
  for (const json& c : candidates) {
    if (c["applicable"].get<bool>()) kernels.push_back(c["kernel"]);
  }
  return kernels;
}

void describe_measured(json& report, Measured& measured, const Measurable& measurable, unsigned repeat) {
  const std::string chosen = report["chosen"]["kernel"];
  const auto told = measured.kernels.find(chosen);
  const bool chosen_ran = told != measured.kernels.end() && told->second.contains("measured_seconds");
  if (chosen_ran && !measured.in_turns.empty() && measured.in_turns.count(chosen) == 0) {
    const SettingsGuard guard;  // of force_kernel
    compare_in_turns({chosen, fastest_of(measured.in_turns)}, measurable, repeat, measured);
  }
  for (json& c : report["candidates"]) {
    const auto found = measured.kernels.find(c["kernel"]);
    if (found != measured.kernels.end()) c.update(found->second);
  }
  report["measurement"] = {{"what", what_is_measured(measured)},
                           {"samples", measured.samples},
                           {"rounds", measured.rounds},
                           {"host_call_seconds", measured.host_call_seconds}};
  if (measured.in_turns.empty()) return;
  report["best"] = fastest_of(measured.in_turns);
  const auto found = measured.in_turns.find(chosen);
  if (found == measured.in_turns.end()) return;
  report["regret"] = found->second / measured.in_turns.at(report["best"]) - 1;
}

}  // namespace cugrb::command
