#include "tools/cugrb/workload.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <random>
#include <utility>

#include "tools/cugrb/command.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/progress.h"
#include "tools/graph_files/generate.h"
#include "tools/graph_files/random_weight.h"

namespace cugrb::command {

nlohmann::json to_json(const Workload& w) {
  return {{"algorithm", w.algorithm},
          {"graph", w.graph},
          {"directed", w.directed},
          {"names", w.names},
          {"source", w.source},
          {"queries", w.queries},
          {"top", w.top},
          {"repeat", w.repeat},
          {"damping", w.damping},
          {"tolerance", w.tolerance},
          {"iterations", w.iterations},
          {"threshold", w.threshold},
          {"strength", w.strength},
          {"delta", w.delta},
          {"k", w.k},
          {"seed", w.seed},
          {"batches", w.batches},
          {"random_weights", w.random_weights},
          {"method", w.method},
          {"presort", w.presort},
          {"double_precision", w.double_precision}};
}

Workload workload_from_json(const nlohmann::json& j) {
  Workload w;
  j.at("algorithm").get_to(w.algorithm);
  j.at("graph").get_to(w.graph);
  j.at("directed").get_to(w.directed);
  j.at("names").get_to(w.names);
  j.at("source").get_to(w.source);
  j.at("queries").get_to(w.queries);
  j.at("top").get_to(w.top);
  j.at("repeat").get_to(w.repeat);
  j.at("damping").get_to(w.damping);
  j.at("tolerance").get_to(w.tolerance);
  j.at("iterations").get_to(w.iterations);
  j.at("threshold").get_to(w.threshold);
  j.at("strength").get_to(w.strength);
  j.at("delta").get_to(w.delta);
  j.at("k").get_to(w.k);
  j.at("seed").get_to(w.seed);
  j.at("batches").get_to(w.batches);
  j.at("random_weights").get_to(w.random_weights);
  j.at("method").get_to(w.method);
  j.at("presort").get_to(w.presort);
  j.at("double_precision").get_to(w.double_precision);
  return w;
}

namespace {

/// The pattern of a matrix as a GraphBLAS matrix of bool, all true. The arrays go over without a copy.
Matrix<bool> adjacency(graph_files::Csr&& csr) {
  graph_files::Buffer<bool> value(1);
  value[0] = true;
  Matrix<bool> matrix = Matrix<bool>::adopt_csr(csr.nrows, csr.ncols, csr.offsets.data(), csr.columns.data(),
                                                value.data(), true);
  csr.offsets.release();
  csr.columns.release();
  value.release();
  return matrix;
}

/// The matrix with weights; nothing when it has none.
std::optional<Matrix<double>> weights(const graph_files::Csr& csr, unsigned random_most) {
  const bool whole = csr.values == graph_files::ValueKind::integer;
  if (random_most == 0 && csr.values == graph_files::ValueKind::pattern) return std::nullopt;
  graph_files::Buffer<Index> offsets(csr.nrows + 1), columns(csr.entries());
  graph_files::Buffer<double> values(csr.entries());
  std::copy_n(csr.offsets.data(), offsets.size(), offsets.data());
  std::copy_n(csr.columns.data(), columns.size(), columns.data());
  for (Index i = 0; i < csr.nrows; ++i) {
    for (Index p = offsets[i]; p < offsets[i + 1]; ++p) {
      values[p] = random_most > 0 ? graph_files::random_weight(i, columns[p], random_most)
                  : whole         ? static_cast<double>(csr.integers[p])
                                  : csr.reals[p];
    }
  }
  auto matrix =
      Matrix<double>::adopt_csr(csr.nrows, csr.ncols, offsets.data(), columns.data(), values.data(), false);
  offsets.release();
  columns.release();
  values.release();
  return matrix;
}

}  // namespace

LoadedGraph load(const Workload& w, bool with_weights) {
  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar("reading " + w.graph);
  graph_files::Csr csr = graph_files::load_graph(
      w.graph, w.directed ? graph_files::EdgeDirection::directed : graph_files::EdgeDirection::undirected,
      [&bar](uint64_t done, uint64_t all) { bar.update(done, all); });
  if (csr.nrows != csr.ncols) {
    throw Failure(printable(w.graph) + ": a graph needs a square matrix, this one is " +
                  std::to_string(csr.nrows) + " x " + std::to_string(csr.ncols));
  }
  if (csr.nrows == 0) throw Failure(printable(w.graph) + ": the graph has no vertices");
  const Direction direction = csr.symmetric ? Direction::undirected : Direction::directed;
  std::optional<Graph<double>> weighted;
  if (with_weights) {
    if (auto matrix = weights(csr, w.random_weights)) weighted.emplace(std::move(*matrix), direction);
  }
  LoadedGraph loaded{Graph<bool>(adjacency(std::move(csr)), direction), std::move(weighted), {}, 0};
  if (!w.names.empty()) loaded.names = graph_files::read_names(w.names, loaded.graph.size());
  loaded.load_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

Index find_source(const Workload& w, LoadedGraph& loaded) {
  const Index n = loaded.graph.size();
  if (w.source.empty()) {
    const auto degrees = loaded.graph.out_degree().entries();
    const auto largest = std::max_element(degrees.values.begin(), degrees.values.end());
    return largest == degrees.values.end()
               ? 0
               : degrees.indices[static_cast<size_t>(largest - degrees.values.begin())];
  }
  const auto name = std::find(loaded.names.begin(), loaded.names.end(), w.source);
  if (name != loaded.names.end()) return static_cast<Index>(name - loaded.names.begin());
  Index number = 0;
  const char* end = w.source.data() + w.source.size();
  const auto [rest, error] = std::from_chars(w.source.data(), end, number);
  if (error != std::errc() || rest != end)
    throw Failure("--source: no vertex has the name '" + printable(w.source) + "'", usage);
  if (number >= n) {
    throw Failure(
        "--source: expected a vertex between 0 and " + std::to_string(n - 1) + ", found " + w.source, usage);
  }
  return number;
}

std::vector<Index> find_queries(const Workload& w, LoadedGraph& loaded) {
  if (w.queries <= 1) return {find_source(w, loaded)};
  const auto degrees = loaded.graph.out_degree().entries();
  const size_t count = degrees.indices.size();
  if (count == 0) return std::vector<Index>(w.queries, 0);
  std::mt19937_64 random(2011);
  std::vector<Index> queries;
  for (unsigned k = 0; k < w.queries; ++k) queries.push_back(degrees.indices[random() % count]);
  return queries;
}

}  // namespace cugrb::command
