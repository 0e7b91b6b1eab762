#include "tools/cugrb/explain_table.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tools/calibration/accuracy.h"
#include "tools/cugrb/explain.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/units.h"

namespace cugrb::command {

using nlohmann::json;

namespace {

const json* candidate_of(const json& product, const json& kernel) {
  for (const json& c : product["candidates"]) {
    if (c["kernel"] == kernel) return &c;
  }
  return nullptr;
}

void print_line(const json& report, const json& product, bool measured) {
  const json& rows = report["lengths"]["rows"];
  fmt::print("{:<28} {:<18} {:>10} {:>11} {:>8.1f} {:>9.1f} {:>8} {:>4} {:<22} {:>11}", short_name(report),
             product["semiring"].get<std::string>(), report["graph"]["rows"].get<uint64_t>(),
             report["graph"]["entries"].get<uint64_t>(), rows["mean"].get<double>(),
             rows["deviation"].get<double>(), rows["longest"].get<uint64_t>(),
             product["analytic"]["resident_choice"].get<std::string>(),
             product["chosen"]["kernel"].get<std::string>(),
             seconds_text(product["chosen"]["predicted_seconds"].get<double>()));
  if (measured && product.contains("regret")) {
    const json& chosen = *candidate_of(product, product["chosen"]["kernel"]);
    const Tally tally = tally_of(product);
    fmt::print(" {:>11} {:<22} {:>6.1f}% {:>7}", seconds_text(chosen["measured_seconds"].get<double>()),
               product["best"].get<std::string>(), 100 * product["regret"].get<double>(),
               fmt::format("{}/{}", tally.within_20_percent, tally.kernels));
  } else if (product.contains("measurement")) {
    fmt::print(" {:>11}", "failed");
  }
  fmt::print("\n");
}

/// What the choices of several products are worth.
struct Choices {
  size_t all = 0, within_5_percent = 0;
  double logarithms = 0;  ///< of the chosen kernels' times over the best ones'

  void add(double regret) {
    ++all;
    within_5_percent += calibration::within_5_percent(1 + regret, 1) ? 1 : 0;
    logarithms += std::log1p(regret);
  }
  double mean_regret() const { return all == 0 ? 0 : std::expm1(logarithms / double(all)); }
};

struct Sums {
  Choices choices;
  Tally tally;

  explicit Sums(const json& reports) {
    for (const json& report : reports) {
      if (report.contains("failed")) continue;
      for (const json& product : report["products"]) {
        if (product.contains("regret")) choices.add(product["regret"].get<double>());
        tally.add(tally_of(product));
      }
    }
  }
};

/// As many digits as a measurement is worth.
double rounded(double number) { return std::strtod(fmt::format("{:.4g}", number).c_str(), nullptr); }

void copy_rounded(const json& from, const char* key, json& to, const char* as) {
  if (from.contains(key)) to[as] = rounded(from[key].get<double>());
}

/// Of those that can run: seconds, or why one failed.
json brief_candidates(const json& product) {
  json kernels = json::object();
  for (const json& c : product["candidates"]) {
    if (!c["applicable"].get<bool>()) continue;
    json& brief = kernels[c["kernel"].get<std::string>()];
    copy_rounded(c, "predicted_seconds", brief, "predicted");
    copy_rounded(c, "measured_seconds", brief, "measured");
    if (c["conversion_seconds"].get<double>() > 0) {
      copy_rounded(c, "conversion_seconds", brief, "conversion_predicted");
      copy_rounded(c, "measured_conversion_seconds", brief, "conversion_measured");
    }
    if (c.contains("failure")) brief["failure"] = c["failure"];
  }
  return kernels;
}

json brief_product(const json& product) {
  json brief = {{"semiring", product["semiring"]},
                {"chosen", product["chosen"]["kernel"]},
                {"predicted_seconds", rounded(product["chosen"]["predicted_seconds"].get<double>())},
                {"kernels", brief_candidates(product)}};
  if (!product.contains("measurement")) return brief;
  const Tally tally = tally_of(product);
  brief["measured_kernels"] = tally.kernels;
  brief["within_20_percent"] = tally.within_20_percent;
  brief["rounds"] = product["measurement"]["rounds"];
  copy_rounded(product["measurement"], "host_call_seconds", brief, "host_call_seconds");
  if (!product.contains("regret")) return brief;
  copy_rounded(*candidate_of(product, product["chosen"]["kernel"]), "measured_seconds", brief,
               "measured_seconds");
  copy_rounded(*candidate_of(product, product["best"]), "measured_seconds", brief, "best_seconds");
  copy_rounded(product, "regret", brief, "regret");
  brief["best"] = product["best"];
  return brief;
}

json brief_report(const json& report) {
  json brief = {{"name", short_name(report)}};
  if (report.contains("failed")) {
    brief["failed"] = report["failed"];
    return brief;
  }
  for (const char* key : {"rows", "columns", "entries"}) brief[key] = report["graph"][key];
  brief["products"] = json::array();
  for (const json& product : report["products"]) brief["products"].push_back(brief_product(product));
  return brief;
}

}  // namespace

void Tally::add(const Tally& other) {
  kernels += other.kernels;
  within_20_percent += other.within_20_percent;
  failures += other.failures;
}

std::string Tally::text() const {
  return fmt::format("predicted within 20 %: {} of {} kernels{}", within_20_percent, kernels,
                     failures == 0 ? "" : fmt::format(" ({} failed)", failures));
}

Tally tally_of(const json& product) {
  Tally tally;
  for (const json& c : product.value("candidates", json::array())) {
    tally.failures += c.contains("failure") ? 1 : 0;
    if (!c.contains("measured_seconds")) continue;
    ++tally.kernels;
    const bool within = calibration::within_20_percent(c["predicted_seconds"].get<double>(),
                                                       c["measured_seconds"].get<double>());
    tally.within_20_percent += within ? 1 : 0;
  }
  return tally;
}

void print_table_head(bool measured) {
  fmt::print("{:<28} {:<18} {:>10} {:>11} {:>8} {:>9} {:>8} {:>4} {:<22} {:>11}", "matrix", "semiring",
             "rows", "entries", "E(X)", "sigma", "longest", "anl.", "chosen", "predicted");
  if (measured) fmt::print(" {:>11} {:<22} {:>7} {:>7}", "measured", "fastest", "regret", "in 20 %");
  fmt::print("\n");
  std::fflush(stdout);
}

void print_table_lines(const json& report, bool measured) {
  if (report.contains("failed")) {
    fmt::print("{:<28} failed\n", short_name(report));
  } else {
    for (const json& product : report["products"]) print_line(report, product, measured);
  }
  std::fflush(stdout);
}

void print_table_end(const json& reports) {
  const Sums sums(reports);
  if (sums.tally.kernels == 0) return;
  fmt::print("\nchosen kernel within 5 % of the fastest: {} of {}; mean regret {:.1f} % (geometric)\n",
             sums.choices.within_5_percent, sums.choices.all, 100 * sums.choices.mean_regret());
  fmt::print("{}\n", sums.tally.text());
}

std::string table_json(const json& run, const json& reports) {
  const Sums sums(reports);
  json head = run;
  if (sums.tally.kernels > 0) {
    head["choices"] = {{"all", sums.choices.all},
                       {"within_5_percent", sums.choices.within_5_percent},
                       {"mean_regret", rounded(sums.choices.mean_regret())}};
    head["predictions"] = {{"kernels", sums.tally.kernels},
                           {"within_20_percent", sums.tally.within_20_percent},
                           {"failures", sums.tally.failures}};
  }
  std::string text = "{";
  for (const auto& [key, value] : head.items())
    text += json_text(key, -1) + ":" + json_text(value, -1) + ",\n";
  text += "\"matrices\":[";
  const char* between = "\n";
  for (const json& report : reports) {
    text += between + json_text(brief_report(report), -1);
    between = ",\n";
  }
  return text + "]}\n";
}

}  // namespace cugrb::command
