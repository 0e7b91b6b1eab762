// PageRank, HITS, random walks, SimRank: scores that are iterated to a fixed point.
#include <fmt/core.h>

#include "algorithms/hits.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/random_walk_with_restart.hpp"
#include "algorithms/simrank.hpp"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
#include "tools/cugrb/algorithms/print.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

/// The largest difference between two results, relative to the largest score: both stop within the tolerance
/// of the same ones.
constexpr double within_tolerance = 1e-2;

template <class Result>
json convergence(const Result& result) {
  return {{"iterations", result.iterations}, {"converged", result.converged}, {"residual", result.residual}};
}

void add_damping(CLI::App& sub, Workload& w) {
  sub.add_option("--damping", w.damping, "chance to follow a link")
      ->check(real(chance))
      ->capture_default_str();
}

void add_pagerank(CLI::App& sub, Workload& w) {
  add_damping(sub, w);
  add_iteration(sub, w);
}

template <class Real>
void measure_pagerank(Measurement& m) {
  PageRankOptions options;
  options.damping = m.workload.damping;
  options.tolerance = m.workload.tolerance;
  options.iteration_limit = m.workload.iterations;
  PageRank<Real> result{Vector<Real>(1)};
  m.time([&] { result = pagerank<Real>(m.loaded.graph, options); });
  const std::vector<double> ranks = dense(result.ranks, 0);
  m.compare(ranks);
  m.report["result"] = convergence(result);
  m.report["top"] = m.largest(ranks);
}

void print_pagerank(const json& report) {
  print_convergence("PageRank", report["result"]);
  print_scores("rank", report["top"]);
}

template <class Real>
void measure_hits(Measurement& m) {
  const HitsOptions options{m.workload.tolerance, m.workload.iterations};
  Hits<Real> result{Vector<Real>(1), Vector<Real>(1)};
  m.time([&] { result = hits<Real>(m.loaded.graph, options); });
  const std::vector<double> authorities = dense(result.authorities, 0), hubs = dense(result.hubs, 0);
  std::vector<double> both = authorities;
  both.insert(both.end(), hubs.begin(), hubs.end());
  m.compare(both);
  m.report["result"] = convergence(result);
  m.report["top"] = m.largest(authorities);
  m.report["top_hubs"] = m.largest(hubs);
}

void print_hits(const json& report) {
  print_convergence("HITS", report["result"]);
  print_scores("authority", report["top"]);
  print_scores("hub", report["top_hubs"]);
}

void add_walks(CLI::App& sub, Workload& w) {
  w.damping = 0.9;
  add_source(sub, w);
  add_random_vertices(sub, w, "--queries", "so many random vertices instead of one source", 1);
  add_damping(sub, w);
  add_iteration(sub, w);
}

/// Several queries: the seconds are those of all; result and vertices are the first query's.
template <class Real>
void measure_walks(Measurement& m) {
  const Workload& w = m.workload;
  const std::vector<Index> queries = find_queries(w, m.loaded);
  const RandomWalkOptions options{w.damping, w.tolerance, w.iterations};
  std::vector<RandomWalk<Real>> results;
  m.time([&] { results = random_walks_with_restart<Real>(m.loaded.graph, queries, options); });
  std::vector<double> values;
  int iterations = 0;
  bool converged = true;
  for (const RandomWalk<Real>& walk : results) {
    const std::vector<double> relevances = dense(walk.relevances, 0);
    values.insert(values.end(), relevances.begin(), relevances.end());
    iterations += walk.iterations;
    converged = converged && walk.converged;
  }
  m.compare(values);
  m.report["result"] = {{"queries", json::array()},
                        {"iterations", iterations},
                        {"converged", converged},
                        {"residual", results[0].residual}};
  for (const Index query : queries) m.report["result"]["queries"].push_back(m.named(query));
  m.report["top"] = m.largest(dense(results[0].relevances, 0));
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

void add_simrank(CLI::App& sub, Workload& w) {
  w.damping = 0.8;
  w.tolerance = 1e-3;
  w.iterations = 20;
  sub.add_option("--source", w.source,
                 "whose similar vertices to show: a number or name (default: the vertex with most edges)");
  sub.add_option("--decay", w.damping, "what a step back is worth")
      ->check(real(chance))
      ->capture_default_str();
  sub.add_option("--threshold", w.threshold, "drop similarities below it")
      ->check(real({0, 1, true, false}))
      ->capture_default_str();
  add_iteration(sub, w);
}

/// All pairs are computed; shown and compared are those with `source`.
template <class Real>
void measure_simrank(Measurement& m) {
  const Workload& w = m.workload;
  const Index source = find_source(w, m.loaded);
  const SimRankOptions options{w.damping, w.threshold, w.tolerance, w.iterations};
  SimRank<Real> result{Matrix<Real>(1, 1)};
  m.time([&] { result = simrank<Real>(m.loaded.graph, options); });
  const Vector<Real> column = extract_column(result.similarities, all, source);
  std::vector<double> similarities = dense(column, 0);
  m.compare(similarities);
  m.report["result"] = convergence(result);
  m.report["result"]["source"] = m.named(source);
  m.report["result"]["entries"] = result.similarities.nvals();
  similarities[source] = 0;  // every vertex is most similar to itself
  m.report["top"] = m.largest(similarities);
}

void print_simrank(const json& report) {
  const json& result = report["result"];
  print_convergence("SimRank", result);
  fmt::print("{} similarities kept. Most similar to {}:\n", result["entries"].get<uint64_t>(),
             name_of(result["source"]));
  print_scores("similarity", report["top"]);
}

/// In the precision that the user asks for.
template <void (*in_single)(Measurement&), void (*in_double)(Measurement&)>
void measure_either(Measurement& m) {
  m.workload.double_precision ? in_double(m) : in_single(m);
}

}  // namespace

std::vector<Algorithm> score_algorithms() {
  return {
      {"pagerank", "PageRank: the vertices by rank", add_pagerank,
       measure_either<measure_pagerank<float>, measure_pagerank<double>>, print_pagerank, within_tolerance},
      {"hits", "HITS: the vertices by authority and by hub score", add_iteration,
       measure_either<measure_hits<float>, measure_hits<double>>, print_hits, within_tolerance},
      {"rwr", "Random walk with restart: the vertices by relevance to a query", add_walks,
       measure_either<measure_walks<float>, measure_walks<double>>, print_walks, within_tolerance},
      {"simrank", "SimRank: the vertices most similar to one", add_simrank,
       measure_either<measure_simrank<float>, measure_simrank<double>>, print_simrank, within_tolerance}};
}

}  // namespace cugrb::command
