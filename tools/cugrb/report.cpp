#include "tools/cugrb/report.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tools/cugrb/output.h"
#include "tools/cugrb/units.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

std::string name_of(const json& entry) {
  const std::string number = std::to_string(entry["vertex"].get<uint64_t>());
  return entry.contains("name") ? printable(entry["name"].get<std::string>()) : "vertex " + number;
}

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

void print_convergence(const std::string& name, const json& result) {
  fmt::print("{}: {} after {} iterations, residual {:.2e}\n", name,
             result["converged"].get<bool>() ? "converged" : "not converged", result["iterations"].get<int>(),
             result["residual"].get<double>());
}

void print_scores(const char* title, const json& top) {
  if (top.empty()) return;
  fmt::print("\n  {:<10} vertex\n", title);
  for (const json& entry : top) fmt::print("  {:.6f}   {}\n", entry["value"].get<double>(), name_of(entry));
}

void print_pagerank(const json& report) {
  print_convergence("PageRank", report["result"]);
  print_scores("rank", report["top"]);
}

void print_hits(const json& report) {
  print_convergence("HITS", report["result"]);
  print_scores("authority", report["top"]);
  print_scores("hub", report["top_hubs"]);
}

void print_walks(const json& report) {
  const json& queries = report["result"]["queries"];
  const std::string first = name_of(queries[0]);
  if (queries.size() == 1) {
    print_convergence("Random walk from " + first, report["result"]);
  } else {
    print_convergence(fmt::format("Random walks from {} vertices", queries.size()), report["result"]);
    fmt::print("Times are those of all walks. The first one is from {}:\n", first);
  }
  print_scores("relevance", report["top"]);
}

void print_simrank(const json& report) {
  const json& result = report["result"];
  print_convergence("SimRank", result);
  fmt::print("{} similarities kept. Most similar to {}:\n", result["entries"].get<uint64_t>(),
             name_of(result["source"]));
  print_scores("similarity", report["top"]);
}

void print_triangles(const json& report) {
  const json& result = report["result"];
  fmt::print("{} triangles ({}, presort {})\n", result["triangles"].get<uint64_t>(),
             result["method"].get<std::string>(), result["presort"].get<std::string>());
}

void print_bfs(const json& report) {
  const json& result = report["result"];
  fmt::print("BFS from {}: {} vertices reached, {} levels\n", name_of(result["source"]),
             result["visited"].get<uint64_t>(), result["depth"].get<int64_t>());
  fmt::print("\n  level   vertices\n");
  for (size_t level = 0; level < result["levels"].size(); ++level) {
    if (level >= 20 && level + 1 < result["levels"].size()) {
      if (level == 20) fmt::print("    ...\n");
      continue;
    }
    fmt::print("  {:5}   {}\n", level, result["levels"][level].get<uint64_t>());
  }
  if (report["top"].empty()) return;
  fmt::print("\n  farthest vertices, and the vertex before each\n");
  for (const json& entry : report["top"]) {
    if (entry["value"].get<double>() < 0) continue;
    fmt::print("  {:5}   {}{}\n", entry["value"].get<double>(), name_of(entry),
               entry.contains("parent") ? "  from " + name_of(entry["parent"]) : "");
  }
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
  fmt::print("  moved to the device {}, back {}; {} kernels compiled\n",
             bytes_text(trace["bytes_up"].get<double>()), bytes_text(trace["bytes_down"].get<double>()),
             trace["compiled"].get<uint64_t>());
}

}  // namespace

void print_report(const json& reports, bool calls) {
  const json& first = reports[0];
  print_graph(first);
  if (first["algorithm"] == "bfs") {
    print_bfs(first);
  } else if (first["algorithm"] == "hits") {
    print_hits(first);
  } else if (first["algorithm"] == "rwr") {
    print_walks(first);
  } else if (first["algorithm"] == "simrank") {
    print_simrank(first);
  } else if (first["algorithm"] == "triangles") {
    print_triangles(first);
  } else {
    print_pagerank(first);
  }
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
