// Breadth-first search, shortest paths, betweenness, closure: what is learnt from paths between vertices.
#include <fmt/core.h>

#include <numeric>

#include "algorithms/betweenness.hpp"
#include "algorithms/bfs.hpp"
#include "algorithms/shortest_paths.hpp"
#include "algorithms/transitive_closure.hpp"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
#include "tools/cugrb/algorithms/print.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

/// Each vertex of `top` gets the vertex before it on a path, where it has one other than itself.
void add_parents(Measurement& m, const std::vector<double>& parents) {
  for (json& entry : m.report["top"]) {
    const double parent = parents[entry["vertex"].get<Index>()];
    if (parent >= 0) entry["parent"] = m.named(static_cast<Index>(parent));
  }
}

template <class Integer>
void measure_bfs(Measurement& m) {
  const Index source = find_source(m.workload, m.loaded);
  Bfs<Integer> result{Vector<Integer>(1), Vector<Integer>(1)};
  m.time([&] { result = bfs<Integer>(m.loaded.graph, source, BfsOutput::parents); });
  // Parents may differ from run to run; levels may not, so they are what is shown and compared.
  result = bfs<Integer>(m.loaded.graph, source, BfsOutput::both);
  const std::vector<double> levels = dense(result.levels, -1);
  m.compare(levels);
  std::vector<uint64_t> count(static_cast<size_t>(result.depth) + 1, 0);
  for (const double level : levels) {
    if (level >= 0) ++count[static_cast<size_t>(level)];
  }
  m.report["result"] = {
      {"source", m.named(source)}, {"visited", result.visited}, {"depth", result.depth}, {"levels", count}};
  m.report["top"] = m.largest(levels);
  add_parents(m, dense(result.parents, -1));
}

void measure_bfs_by_size(Measurement& m) {
  m.loaded.graph.size() > INT32_MAX ? measure_bfs<int64_t>(m) : measure_bfs<int32_t>(m);
}

/// The vertices of `top` with their distances, and the vertex before each.
void print_farthest(const json& report) {
  if (report["top"].empty()) return;
  fmt::print("\n  farthest vertices, and the vertex before each\n");
  for (const json& entry : report["top"]) {
    if (entry["value"].get<double>() < 0) continue;
    fmt::print("  {:5}   {}{}\n", entry["value"].get<double>(), name_of(entry),
               entry.contains("parent") ? "  from " + name_of(entry["parent"]) : "");
  }
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
  print_farthest(report);
}

void add_paths(CLI::App& sub, Workload& w) {
  add_source(sub, w);
  add_weights(sub, w);
  sub.add_option("--delta", w.delta,
                 "width of a bucket (default: 16 times the largest weight over the mean degree)")
      ->check(real({0, std::numeric_limits<double>::infinity(), false}));
}

template <class T>
void measure_paths_in(Measurement& m, Graph<T>& graph) {
  const Index source = find_source(m.workload, m.loaded);
  ShortestPathsOptions options{m.workload.delta, false};
  ShortestPaths<double> result{Vector<double>(1), Vector<int64_t>(1)};
  m.time([&] { result = shortest_paths<double>(graph, source, options); });
  const std::vector<double> distances = dense(result.distances, -1);
  m.compare(distances);
  m.report["result"] = {{"source", m.named(source)},
                        {"reached", result.distances.nvals()},
                        {"weighted", !std::is_same_v<T, bool>},
                        {"delta", result.delta},
                        {"buckets", result.buckets},
                        {"steps", result.steps}};
  m.report["top"] = m.largest(distances);
  options.parents = true;
  add_parents(m, dense(shortest_paths<double>(graph, source, options).parents, -1));
}

void measure_paths(Measurement& m) {
  m.loaded.weighted ? measure_paths_in(m, *m.loaded.weighted) : measure_paths_in(m, m.loaded.graph);
}

void print_paths(const json& report) {
  const json& result = report["result"];
  fmt::print("Shortest paths from {}: {} vertices reached, {} buckets of width {:g}, {} steps\n",
             name_of(result["source"]), result["reached"].get<uint64_t>(), result["buckets"].get<int>(),
             result["delta"].get<double>(), result["steps"].get<int>());
  if (!result["weighted"].get<bool>()) fmt::print("The graph has no weights: every edge counts 1.\n");
  print_farthest(report);
}

void add_betweenness(CLI::App& sub, Workload& w) {
  w.queries = 4;
  add_source(sub, w);
  add_random_vertices(sub, w, "--sources", "so many random vertices instead of one source; 0: all vertices",
                      0);
}

std::vector<Index> betweenness_sources(Measurement& m) {
  const Workload& w = m.workload;
  if (!w.source.empty()) return {find_source(w, m.loaded)};
  if (w.queries > 0) return find_queries(w, m.loaded);
  std::vector<Index> every(m.loaded.graph.size());
  std::iota(every.begin(), every.end(), Index{0});
  return every;
}

void measure_betweenness(Measurement& m) {
  const std::vector<Index> sources = betweenness_sources(m);
  Betweenness<double> result{Vector<double>(1)};
  m.time([&] { result = betweenness<double>(m.loaded.graph, sources); });
  const std::vector<double> centralities = dense(result.centralities, 0);
  m.compare(centralities);
  m.report["result"] = {{"sources", sources.size()}, {"depth", result.depth}};
  m.report["top"] = m.largest(centralities);
}

void print_betweenness(const json& report) {
  fmt::print("Betweenness from {} sources, {} levels\n", report["result"]["sources"].get<uint64_t>(),
             report["result"]["depth"].get<int>());
  print_numbers("between", report["top"]);
}

/// Compared is how many vertices each one reaches.
void measure_closure(Measurement& m) {
  TransitiveClosure result{Matrix<bool>(1, 1)};
  m.time([&] { result = transitive_closure(m.loaded.graph); });
  const Vector<bool> every(m.loaded.graph.size(), true);
  const Vector<int64_t> count = mxv(result.reaches, every, plus_pair<int64_t>);
  const std::vector<double> counts = dense(count, 0);
  m.compare(counts);
  m.report["result"] = {{"pairs", result.reaches.nvals()}, {"rounds", result.rounds}};
  m.report["top"] = m.largest(counts);
}

void print_closure(const json& report) {
  fmt::print("{} pairs after {} rounds\n", report["result"]["pairs"].get<uint64_t>(),
             report["result"]["rounds"].get<int>());
  print_numbers("reaches", report["top"]);
}

}  // namespace

std::vector<Algorithm> path_algorithms() {
  return {{"bfs", "Breadth-first search: levels and parents", add_source, measure_bfs_by_size, print_bfs},
          {"sssp", "Shortest paths from one vertex, by the weights of the edges", add_paths, measure_paths,
           print_paths, 0, true},
          {"betweenness", "Betweenness centrality: the vertices that most shortest paths lead through",
           add_betweenness, measure_betweenness, print_betweenness, 1e-9},
          {"closure", "Transitive closure: which vertex reaches which", no_options, measure_closure,
           print_closure}};
}

}  // namespace cugrb::command
