#include "tools/cugrb/worker.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "algorithms/bfs.hpp"
#include "algorithms/hits.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/random_walk_with_restart.hpp"
#include "algorithms/simrank.hpp"
#include "tools/cugrb/command.h"
#include "tools/cugrb/memory_errors.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/trace_report.h"
#include "tools/cugrb/triangle_names.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

template <class Function>
double seconds_of(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A vector as one double a vertex; `missing` where there is no entry.
template <class T>
std::vector<double> dense(const Vector<T>& vector, double missing) {
  std::vector<double> values(vector.size(), missing);
  const auto entries = vector.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k)
    values[entries.indices[k]] = static_cast<double>(entries.values[k]);
  return values;
}

void write_values(const std::string& path, const std::vector<double>& values) {
  if (path.empty()) return;
  write_file(path, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

json named(const LoadedGraph& loaded, Index vertex) {
  json entry = {{"vertex", vertex}};
  if (!loaded.names.empty()) entry["name"] = loaded.names[vertex];
  return entry;
}

/// The vertices with the largest values, largest first; equal ones by number.
json largest(const LoadedGraph& loaded, const std::vector<double>& values, unsigned count) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  const size_t kept = std::min<size_t>(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](Index a, Index b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  json list = json::array();
  for (size_t k = 0; k < kept; ++k) {
    list.push_back(named(loaded, order[k]));
    list.back()["value"] = values[order[k]];
  }
  return list;
}

template <class Real>
void measure_pagerank(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                      json& report) {
  PageRankOptions options;
  options.damping = w.damping;
  options.tolerance = w.tolerance;
  options.iteration_limit = w.iterations;
  PageRank<Real> result{Vector<Real>(1)};
  for (unsigned k = 0; k < w.repeat; ++k) {
    report["seconds"].push_back(seconds_of([&] { result = pagerank<Real>(loaded.graph, options); }));
    trace.stop();
  }
  const std::vector<double> ranks = dense(result.ranks, 0);
  write_values(values_file, ranks);
  report["result"] = {
      {"iterations", result.iterations}, {"converged", result.converged}, {"residual", result.residual}};
  report["top"] = largest(loaded, ranks, w.top);
}

template <class Real>
void measure_hits(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                  json& report) {
  const HitsOptions options{w.tolerance, w.iterations};
  Hits<Real> result{Vector<Real>(1), Vector<Real>(1)};
  for (unsigned k = 0; k < w.repeat; ++k) {
    report["seconds"].push_back(seconds_of([&] { result = hits<Real>(loaded.graph, options); }));
    trace.stop();
  }
  const std::vector<double> authorities = dense(result.authorities, 0), hubs = dense(result.hubs, 0);
  std::vector<double> both = authorities;
  both.insert(both.end(), hubs.begin(), hubs.end());
  write_values(values_file, both);
  report["result"] = {
      {"iterations", result.iterations}, {"converged", result.converged}, {"residual", result.residual}};
  report["top"] = largest(loaded, authorities, w.top);
  report["top_hubs"] = largest(loaded, hubs, w.top);
}

/// Several queries: the seconds are those of all; result and vertices are the first query's.
template <class Real>
void measure_walks(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                   json& report) {
  const std::vector<Index> queries = find_queries(w, loaded);
  const RandomWalkOptions options{w.damping, w.tolerance, w.iterations};
  std::vector<RandomWalk<Real>> results;
  for (unsigned k = 0; k < w.repeat; ++k) {
    report["seconds"].push_back(
        seconds_of([&] { results = random_walks_with_restart<Real>(loaded.graph, queries, options); }));
    trace.stop();
  }
  std::vector<double> values;
  int iterations = 0;
  bool converged = true;
  for (const RandomWalk<Real>& walk : results) {
    const std::vector<double> relevances = dense(walk.relevances, 0);
    values.insert(values.end(), relevances.begin(), relevances.end());
    iterations += walk.iterations;
    converged = converged && walk.converged;
  }
  write_values(values_file, values);
  report["result"] = {{"queries", json::array()},
                      {"iterations", iterations},
                      {"converged", converged},
                      {"residual", results[0].residual}};
  for (const Index query : queries) report["result"]["queries"].push_back(named(loaded, query));
  report["top"] = largest(loaded, dense(results[0].relevances, 0), w.top);
}

/// All pairs are computed; shown and compared are those with `source`.
template <class Real>
void measure_simrank(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                     json& report) {
  const Index source = find_source(w, loaded);
  const SimRankOptions options{w.damping, w.threshold, w.tolerance, w.iterations};
  SimRank<Real> result{Matrix<Real>(1, 1)};
  for (unsigned k = 0; k < w.repeat; ++k) {
    report["seconds"].push_back(seconds_of([&] { result = simrank<Real>(loaded.graph, options); }));
    trace.stop();
  }
  const Vector<Real> column = extract_column(result.similarities, all, source);
  std::vector<double> similarities = dense(column, 0);
  write_values(values_file, similarities);
  report["result"] = {{"source", named(loaded, source)},
                      {"entries", result.similarities.nvals()},
                      {"iterations", result.iterations},
                      {"converged", result.converged},
                      {"residual", result.residual}};
  similarities[source] = 0;  // every vertex is most similar to itself
  report["top"] = largest(loaded, similarities, w.top);
}

void measure_triangles(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                       json& report) {
  const TriangleOptions options{triangle_methods().at(w.method), presorts().at(w.presort)};
  TriangleCount result;
  for (unsigned k = 0; k < w.repeat; ++k) {
    report["seconds"].push_back(seconds_of([&] { result = triangle_count(loaded.graph, options); }));
    trace.stop();
  }
  write_values(values_file, {static_cast<double>(result.triangles)});
  report["result"] = {
      {"triangles", result.triangles}, {"method", w.method}, {"presort", name_of(result.presort)}};
}

template <class Integer>
void measure_bfs(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                 json& report) {
  const Index source = find_source(w, loaded);
  Bfs<Integer> result{Vector<Integer>(1), Vector<Integer>(1)};
  for (unsigned k = 0; k < w.repeat; ++k) {
    report["seconds"].push_back(
        seconds_of([&] { result = bfs<Integer>(loaded.graph, source, BfsOutput::parents); }));
    trace.stop();
  }
  // Parents may differ from run to run; levels may not, so they are what is shown and compared.
  result = bfs<Integer>(loaded.graph, source, BfsOutput::both);
  const std::vector<double> levels = dense(result.levels, -1);
  const std::vector<double> parents = dense(result.parents, -1);
  write_values(values_file, levels);
  std::vector<uint64_t> count(static_cast<size_t>(result.depth) + 1, 0);
  for (const double level : levels) {
    if (level >= 0) ++count[static_cast<size_t>(level)];
  }
  report["result"] = {{"source", named(loaded, source)},
                      {"visited", result.visited},
                      {"depth", result.depth},
                      {"levels", count}};
  report["top"] = largest(loaded, levels, w.top);
  for (json& entry : report["top"]) {
    const double parent = parents[entry["vertex"].get<Index>()];
    if (parent >= 0) entry["parent"] = named(loaded, static_cast<Index>(parent));
  }
}

template <class Real>
void measure_scores(const Workload& w, LoadedGraph& loaded, const std::string& values_file, Trace& trace,
                    json& report) {
  if (w.algorithm == "hits") {
    measure_hits<Real>(w, loaded, values_file, trace, report);
  } else if (w.algorithm == "rwr") {
    measure_walks<Real>(w, loaded, values_file, trace, report);
  } else if (w.algorithm == "simrank") {
    measure_simrank<Real>(w, loaded, values_file, trace, report);
  } else {
    measure_pagerank<Real>(w, loaded, values_file, trace, report);
  }
}

json measure_loaded(const Workload& w, const ResultFiles& files, LoadedGraph& loaded, Trace& trace) {
  json report = {{"algorithm", w.algorithm}, {"seconds", json::array()}};
  report["graph"] = {{"name", w.graph},
                     {"vertices", loaded.graph.size()},
                     {"entries", loaded.graph.adjacency().nvals()},
                     {"directed", loaded.graph.direction() == Direction::directed},
                     {"load_seconds", loaded.load_seconds}};
  // The transpose and the degrees belong to the graph, not to the algorithm's time.
  report["graph"]["prepare_seconds"] = seconds_of([&] {
    loaded.graph.transposed();
    loaded.graph.out_degree();
  });
  int version[3] = {0, 0, 0};
  GxB_Global_Option_get(detail::library_version_field(), version);
  report["library"] = fmt::format("SuiteSparse:GraphBLAS {}.{}.{}", version[0], version[1], version[2]);
  if (w.algorithm == "bfs") {
    if (loaded.graph.size() > INT32_MAX) {
      measure_bfs<int64_t>(w, loaded, files.values, trace, report);
    } else {
      measure_bfs<int32_t>(w, loaded, files.values, trace, report);
    }
  } else if (w.algorithm == "triangles") {
    measure_triangles(w, loaded, files.values, trace, report);
  } else if (w.double_precision) {
    measure_scores<double>(w, loaded, files.values, trace, report);
  } else {
    measure_scores<float>(w, loaded, files.values, trace, report);
  }
  return report;
}

}  // namespace

json measure(const Workload& w, const ResultFiles& files) {
  Context context;
  Trace trace(files.trace);
  LoadedGraph loaded = load(w);
  const uint64_t n = loaded.graph.size();
  return with_memory_for({w.graph, n, n, loaded.graph.adjacency().nvals()},
                         [&] { return measure_loaded(w, files, loaded, trace); });
}

}  // namespace cugrb::command
