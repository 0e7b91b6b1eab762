// Edges that come in batches: ranks and components that are kept up.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "algorithms/incremental_components.hpp"
#include "algorithms/incremental_pagerank.hpp"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
#include "tools/cugrb/algorithms/print.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

void add_stream(CLI::App& sub, Workload& w) {
  sub.add_option("--batches", w.batches, "half of the edges come in so many batches")
      ->transform(whole(1, 100000))
      ->capture_default_str();
  sub.add_option("--damping", w.damping, "chance to follow a link")
      ->check(real(chance))
      ->capture_default_str();
  add_iteration(sub, w);
}

/// Both ways of an edge have one number.
uint64_t mixed_edge(Index i, Index j) {
  uint64_t h = std::min(i, j) * 0x9E3779B97F4A7C15ull + std::max(i, j);
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
  return h ^ (h >> 31);
}

/// The edges that are there at first, then those of each batch.
std::vector<Matrix<bool>> divided(const Matrix<bool>& edges, unsigned batches) {
  const auto list = edges.entries();
  std::vector<std::vector<Index>> rows(batches + 1), columns(batches + 1);
  for (size_t k = 0; k < list.values.size(); ++k) {
    const uint64_t number = mixed_edge(list.rows[k], list.columns[k]) % (2 * uint64_t(batches));
    const size_t part = number < batches ? number + 1 : 0;
    rows[part].push_back(list.rows[k]);
    columns[part].push_back(list.columns[k]);
  }
  std::vector<Matrix<bool>> parts;
  for (size_t part = 0; part < rows.size(); ++part) {
    Array<bool> values(rows[part].size());
    std::fill(values.begin(), values.end(), true);
    parts.emplace_back(edges.nrows(), edges.ncols());
    parts.back().build(rows[part].data(), columns[part].data(), values.data(), values.size(), op::lor<bool>);
  }
  return parts;
}

/// What a run leaves, and the seconds of its batches.
template <class Real>
struct Streamed {
  PageRank<Real> pages;
  Index components = 0;
  int first_iterations = 0, iterations = 0;
  double longest = 0;
};

template <class Real>
Streamed<Real> run_stream(const std::vector<Matrix<bool>>& parts, const PageRankOptions& options) {
  IncrementalPageRank<Real> pages(parts[0].nrows(), options);
  IncrementalComponents components(parts[0].nrows());
  Streamed<Real> streamed{{Vector<Real>(1)}};
  for (size_t part = 0; part < parts.size(); ++part) {
    const double seconds = seconds_of([&] {
      pages.add_edges(parts[part]);
      components.add_edges(parts[part]);
      streamed.pages = pages.update();
    });
    if (part == 0) streamed.first_iterations = streamed.pages.iterations;
    if (part > 0) streamed.iterations += streamed.pages.iterations;
    if (part > 0) streamed.longest = std::max(streamed.longest, seconds);
  }
  streamed.components = components.count();
  return streamed;
}

/// Compared and shown are the last ranks.
template <class Real>
void measure_stream_in(Measurement& m) {
  PageRankOptions options;
  options.damping = m.workload.damping;
  options.tolerance = m.workload.tolerance;
  options.iteration_limit = m.workload.iterations;
  const std::vector<Matrix<bool>> parts = divided(m.loaded.graph.adjacency(), m.workload.batches);
  Streamed<Real> streamed{{Vector<Real>(1)}};
  m.time([&] { streamed = run_stream<Real>(parts, options); });
  const std::vector<double> ranks = dense(streamed.pages.ranks, 0);
  m.compare(ranks);
  m.report["result"] = {{"batches", m.workload.batches},
                        {"edges_at_first", parts[0].nvals()},
                        {"edges", m.loaded.graph.adjacency().nvals()},
                        {"components", streamed.components},
                        {"iterations_at_first", streamed.first_iterations},
                        {"iterations", streamed.iterations}};
  m.report["longest_batch_seconds"] = streamed.longest;
  m.report["top"] = m.largest(ranks);
}

void measure_stream(Measurement& m) {
  m.workload.double_precision ? measure_stream_in<double>(m) : measure_stream_in<float>(m);
}

void print_stream(const json& report) {
  const json& result = report["result"];
  const auto batches = result["batches"].get<unsigned>();
  const auto at_first = result["edges_at_first"].get<uint64_t>(), edges = result["edges"].get<uint64_t>();
  fmt::print("{} edges, then {} in {} batches: {} components\n", at_first, edges - at_first, batches,
             result["components"].get<uint64_t>());
  fmt::print("PageRank: {} iterations at first, {:.1f} a batch; longest batch {:.3f} ms\n",
             result["iterations_at_first"].get<int>(), result["iterations"].get<int>() / double(batches),
             report["longest_batch_seconds"].get<double>() * 1e3);
  print_scores("rank", report["top"]);
}

}  // namespace

std::vector<Algorithm> stream_algorithms() {
  return {{"stream", "PageRank and components of a graph that takes half of its edges in batches", add_stream,
           measure_stream, print_stream, 1e-2}};
}

}  // namespace cugrb::command
