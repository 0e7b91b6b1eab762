#include "tools/cugrb/explain_measure.h"

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
    list.push_back({{"kernel", c.kernel}, {"format", c.format}, {"applicable", c.applicable}});
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
  report["chosen"] = {{"kernel", decision.chosen.kernel},
                      {"format", decision.chosen.format},
                      {"predicted_seconds", decision.chosen.predicted_seconds},
                      {"charged_conversion_seconds", decision.chosen.conversion_seconds}};
  if (!decision.chosen.reason.empty()) report["chosen"]["reason"] = decision.chosen.reason;
  report["forced"] = decision.forced;
}

namespace {

/// Median of `repeat` products by device events; of fewer, but at least three, when they take long.
double median_seconds(const Runnable& product, unsigned repeat) {
  constexpr double long_enough = 2;
  std::vector<double> seconds;
  double total = 0;
  for (unsigned n = 0; n < repeat && (n < 3 || total < long_enough); ++n) {
    const uint64_t begin = runtime::device().mark();
    product.run();
    seconds.push_back(runtime::device().seconds_between(begin, runtime::device().mark()));
    total += seconds.back();
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// Times of the forced kernel: warm, and what making its format takes (a first product after everything
/// derived was dropped, less a warm one).
json measure_kernel(const std::string& kernel, const Runnable& product, unsigned repeat) {
  force_kernel(kernel);
  try {
    product.run();  // compiles
    product.forget();
    const double first = seconds_of([&] { product.run(); });
    const double warm = seconds_of([&] { product.run(); });
    const double median = median_seconds(product, repeat);
    json measured = {{"measured_seconds", median},
                     {"measured_conversion_seconds", std::max(0.0, first - warm)}};
    if (product.workspace) measured["measured_workspace_bytes"] = product.workspace();
    product.forget();
    return measured;
  } catch (const runtime::OutOfMemory& error) {
    product.forget();
    return {{"failure", error.what()}};
  } catch (const Declined& error) {
    return {{"failure", error.what()}};
  } catch (const jit::CompilationFailure& error) {
    return {{"failure", error.what()}};
  }
}

}  // namespace

/// Adds measured times to the candidates, and the regret.
void measure(json& report, const Runnable& product, unsigned repeat) {
  const SettingsGuard guard;  // of force_kernel
  double chosen = 0, best = 0;
  for (json& c : report["candidates"]) {
    if (!c["applicable"].get<bool>()) continue;
    c.update(measure_kernel(c["kernel"].get<std::string>(), product, repeat));
    if (!c.contains("measured_seconds")) continue;
    const double seconds = c["measured_seconds"].get<double>();
    if (c["kernel"] == report["chosen"]["kernel"]) chosen = seconds;
    if (best > 0 && seconds >= best) continue;
    best = seconds;
    report["best"] = c["kernel"];
  }
  if (chosen > 0) report["regret"] = chosen / best - 1;
}

}  // namespace cugrb::command
