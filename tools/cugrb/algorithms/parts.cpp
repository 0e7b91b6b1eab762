// Components, communities, independent sets, spanning forests: the vertices in parts.
#include <fmt/core.h>

#include <algorithm>

#include "algorithms/connected_components.hpp"
#include "algorithms/label_propagation.hpp"
#include "algorithms/maximal_independent_set.hpp"
#include "algorithms/minimum_spanning_forest.hpp"
#include "algorithms/strongly_connected_components.hpp"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
#include "tools/cugrb/algorithms/print.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

/// The result of an algorithm that gives each vertex the number of a vertex of its part: compared as it is;
/// shown are the largest parts with that vertex of each.
void report_parts(Measurement& m, const Vector<int64_t>& parts) {
  const std::vector<double> part = dense(parts, -1);
  m.compare(part);
  std::vector<double> sizes(part.size(), 0);
  for (const double p : part) ++sizes[static_cast<size_t>(p)];
  m.report["result"]["parts"] =
      sizes.size() - static_cast<size_t>(std::count(sizes.begin(), sizes.end(), 0.0));
  m.report["top"] = m.largest(sizes);
  auto& top = m.report["top"];
  while (!top.empty() && top.back()["value"] == 0.0) top.erase(top.size() - 1);
}

void measure_components(Measurement& m) {
  ConnectedComponents result{Vector<int64_t>(1)};
  m.time([&] { result = connected_components(m.loaded.graph); });
  m.report["result"] = {{"iterations", result.iterations}};
  report_parts(m, result.components);
}

void print_components(const json& report) {
  fmt::print("{} components after {} iterations\n", report["result"]["parts"].get<uint64_t>(),
             report["result"]["iterations"].get<int>());
  print_numbers("vertices", report["top"]);
}

void measure_strong_components(Measurement& m) {
  StronglyConnectedComponents result{Vector<int64_t>(1)};
  m.time([&] { result = strongly_connected_components(m.loaded.graph); });
  m.report["result"] = {{"rounds", result.rounds}};
  report_parts(m, result.components);
}

void print_strong_components(const json& report) {
  fmt::print("{} strongly connected components after {} rounds\n", report["result"]["parts"].get<uint64_t>(),
             report["result"]["rounds"].get<int>());
  print_numbers("vertices", report["top"]);
}

void add_communities(CLI::App& sub, Workload& w) {
  w.iterations = LabelPropagationOptions{}.iteration_limit;
  sub.add_option("--iterations", w.iterations, "stop after so many")
      ->transform(whole(1, INT32_MAX))
      ->capture_default_str();
}

void measure_communities(Measurement& m) {
  LabelPropagation result{Vector<int64_t>(1)};
  m.time([&] { result = label_propagation(m.loaded.graph, {m.workload.iterations}); });
  m.report["result"] = {{"iterations", result.iterations}, {"converged", result.converged}};
  report_parts(m, result.labels);
}

void print_communities(const json& report) {
  const json& result = report["result"];
  fmt::print("{} communities after {} iterations, {}\n", result["parts"].get<uint64_t>(),
             result["iterations"].get<int>(),
             result["converged"].get<bool>() ? "which stand still" : "which still change");
  print_numbers("vertices", report["top"]);
}

void add_independent_set(CLI::App& sub, Workload& w) {
  sub.add_option("--seed", w.seed, "of the random numbers")->transform(whole(0))->capture_default_str();
}

void measure_independent_set(Measurement& m) {
  MaximalIndependentSet result{Vector<bool>(1)};
  m.time([&] { result = maximal_independent_set(m.loaded.graph, m.workload.seed); });
  std::vector<double> members = dense(result.members, 0);
  m.compare(members);
  m.report["result"] = {{"members", result.members.nvals()}, {"rounds", result.rounds}};
  m.report["top"] = json::array();
  for (size_t i = 0; i < members.size() && m.report["top"].size() < m.workload.top; ++i) {
    if (members[i] > 0) m.report["top"].push_back(m.named(i));
  }
}

void print_independent_set(const json& report) {
  fmt::print("A maximal independent set of {} vertices, {} rounds\n",
             report["result"]["members"].get<uint64_t>(), report["result"]["rounds"].get<int>());
  if (!report["top"].empty()) fmt::print("\n  its first members\n");
  for (const json& entry : report["top"]) fmt::print("  {}\n", name_of(entry));
}

/// Compared and shown are the weights of the forest's edges at each vertex.
template <class T>
void measure_forest_of(Measurement& m, Graph<T>& graph) {
  decltype(minimum_spanning_forest(graph)) result{{1, 1}};
  m.time([&] { result = minimum_spanning_forest(graph); });
  const Vector<double> sums = reduce_rows(result.edges, monoid::plus<double>);
  m.compare(dense(sums, 0));
  const Vector<bool> every(graph.size(), true);
  const Vector<int64_t> degree = mxv(result.edges, every, plus_pair<int64_t>);
  m.report["result"] = {{"weight", result.weight},
                        {"edges", result.edge_count},
                        {"trees", graph.size() - result.edge_count},
                        {"weighted", !std::is_same_v<T, bool>},
                        {"rounds", result.rounds}};
  m.report["top"] = m.largest(dense(degree, 0));
}

void measure_forest(Measurement& m) {
  m.loaded.weighted ? measure_forest_of(m, *m.loaded.weighted) : measure_forest_of(m, m.loaded.graph);
}

void print_forest(const json& report) {
  const json& result = report["result"];
  fmt::print("Minimum spanning forest of weight {}: {} edges, {} trees, {} rounds\n",
             result["weight"].get<double>(), result["edges"].get<uint64_t>(), result["trees"].get<uint64_t>(),
             result["rounds"].get<int>());
  if (!result["weighted"].get<bool>()) fmt::print("The graph has no weights: every edge counts 1.\n");
  print_numbers("edges", report["top"]);
}

}  // namespace

std::vector<Algorithm> part_algorithms() {
  return {{"components", "Connected components: the largest ones, each with its first vertex", no_options,
           measure_components, print_components},
          {"scc", "Strongly connected components: the largest ones, each with a vertex of it", no_options,
           measure_strong_components, print_strong_components},
          {"communities", "Communities by label propagation: the largest ones", add_communities,
           measure_communities, print_communities},
          {"mis", "A maximal independent set of an undirected graph", add_independent_set,
           measure_independent_set, print_independent_set},
          {"forest", "A minimum spanning forest of an undirected graph, by the weights of its edges",
           add_weights, measure_forest, print_forest, 1e-12, true}};
}

}  // namespace cugrb::command
