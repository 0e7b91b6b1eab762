#include "tools/cugrb/report.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "src/support/text.h"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/units.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void print_graph(const json& report) {
  const json& graph = report["graph"];
  fmt::print("{}: {} vertices, {} entries, {}; loaded in {}\n", printable(graph["name"].get<std::string>()),
             graph["vertices"].get<uint64_t>(), graph["entries"].get<uint64_t>(),
             graph["directed"].get<bool>() ? "directed" : "undirected",
             seconds_text(graph["load_seconds"].get<double>()));
}

/// The time of a warm run: the median of all but the first, or the only one.
double warm_seconds(const json& report) {
  const auto seconds = report["seconds"].get<std::vector<double>>();
  return seconds.size() > 1 ? median({seconds.begin() + 1, seconds.end()}) : seconds[0];
}

void print_times(const json& reports) {
  const bool repeated = reports[0]["seconds"].size() > 1;
  fmt::print("\n  backend      first run{}\n", repeated ? "   median of the others" : "");
  for (const json& report : reports) {
    fmt::print("  {:<10} {:>11}", report["backend"].get<std::string>(),
               seconds_text(report["seconds"][0].get<double>()));
    if (repeated) fmt::print("   {:>20}", seconds_text(warm_seconds(report)));
    fmt::print("{}\n", report.contains("device") ? "   on " + report["device"].value("name", "?") : "");
  }
  if (reports.size() < 2) return;
  const double ratio = warm_seconds(reports[0]) / warm_seconds(reports[1]);
  fmt::print(
      "  {} takes {:.1f} times as long as {}{}\n", reports[0]["backend"].get<std::string>(), ratio,
      reports[1]["backend"].get<std::string>(),
      repeated ? "" : " (one run each: transfers and compilation are in it; --repeat shows warm runs)");
}

/// Different texts in one line; of kernels only the family, not the types it was specialised for.
std::string joined(const json& texts, bool kernels) {
  std::set<std::string> different;
  for (const json& text : texts) {
    const std::string whole = text.get<std::string>();
    different.insert(kernels ? whole.substr(0, whole.find('<')) : whole);
  }
  return fmt::format("{}", fmt::join(different, "; "));
}

void print_calls(const json& report) {
  const std::string backend = report["backend"].get<std::string>();
  if (!report.contains("trace") || report["trace"].is_null()) {
    fmt::print("\nwhere each call ran ({}): every call on the CPU, in {}\n", backend,
               report["library"].get<std::string>());
    return;
  }
  const json& trace = report["trace"];
  fmt::print(
      "\nwhere each call ran ({}):\n  call                              place      count        time   "
      "kernel, "
      "or why not on the device\n",
      backend);
  for (const json& call : trace["calls"]) {
    const bool on_device = call["place"] != "cpu";
    fmt::print("  {:<33} {:<8} {:>7} {:>11}   {}\n", call["function"].get<std::string>(),
               call["place"].get<std::string>(), call["count"].get<uint64_t>(),
               seconds_text(call["seconds"].get<double>()),
               joined(on_device ? call["kernels"] : call["reasons"], on_device));
  }
  const double between = trace.value("bytes_between", 0.0);
  fmt::print("  moved to the device {}, back {}{}; {} kernels compiled\n",
             bytes_text(trace["bytes_up"].get<double>()), bytes_text(trace["bytes_down"].get<double>()),
             between > 0 ? ", between devices " + bytes_text(between) : "",
             trace["compiled"].get<uint64_t>());
}

}  // namespace

void print_report(const json& reports, bool calls) {
  const json& first = reports[0];
  print_graph(first);
  algorithm(first["algorithm"].get<std::string>()).print(first);
  print_times(reports);
  for (const json& report : reports) {
    if (!report.contains("agrees")) continue;
    const bool finite = report.contains("largest_difference");
    fmt::print("  {} {} with {}: largest difference {}\n", report["backend"].get<std::string>(),
               report["agrees"].get<bool>() ? "agrees" : "disagrees", first["backend"].get<std::string>(),
               finite ? fmt::format("{:.1e}", report["largest_difference"].get<double>()) : "infinite");
  }
  if (!calls) return;
  for (const json& report : reports) print_calls(report);
}

}  // namespace cugrb::command
