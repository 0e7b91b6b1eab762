// Triangles, clustering, cores, trusses: how closely the vertices hang together.
#include <fmt/core.h>

#include <algorithm>

#include "algorithms/k_core.hpp"
#include "algorithms/k_truss.hpp"
#include "algorithms/local_clustering.hpp"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
#include "tools/cugrb/algorithms/print.h"
#include "tools/cugrb/algorithms/triangle_names.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

template <class Names>
std::vector<std::string> keys_of(const Names& names) {
  std::vector<std::string> keys;
  for (const auto& [name, value] : names) keys.push_back(name);
  return keys;
}

void add_triangles(CLI::App& sub, Workload& w) {
  sub.add_option("--method", w.method, "which masked product")
      ->check(CLI::IsMember(keys_of(triangle_methods())))
      ->capture_default_str();
  sub.add_option("--presort", w.presort, "renumber the vertices by degree first")
      ->check(CLI::IsMember(keys_of(presorts())))
      ->capture_default_str();
}

void measure_triangles(Measurement& m) {
  const Workload& w = m.workload;
  const TriangleOptions options{triangle_methods().at(w.method), presorts().at(w.presort)};
  TriangleCount result;
  m.time([&] { result = triangle_count(m.loaded.graph, options); });
  m.compare({static_cast<double>(result.triangles)});
  m.report["result"] = {
      {"triangles", result.triangles}, {"method", w.method}, {"presort", name_of(result.presort)}};
}

void print_triangles(const json& report) {
  const json& result = report["result"];
  fmt::print("{} triangles ({}, presort {})\n", result["triangles"].get<uint64_t>(),
             result["method"].get<std::string>(), result["presort"].get<std::string>());
}

void measure_clustering(Measurement& m) {
  LocalClustering<double> result{Vector<double>(1)};
  m.time([&] { result = local_clustering<double>(m.loaded.graph); });
  const std::vector<double> coefficients = dense(result.coefficients, 0);
  m.compare(coefficients);
  m.report["result"] = {{"average", result.average}};
  m.report["top"] = m.largest(coefficients);
}

void print_clustering(const json& report) {
  fmt::print("Average clustering coefficient {:.6f}\n", report["result"]["average"].get<double>());
  print_scores("clustering", report["top"]);
}

void measure_k_core(Measurement& m) {
  KCore result{Vector<int64_t>(1)};
  m.time([&] { result = k_core(m.loaded.graph); });
  const std::vector<double> cores = dense(result.cores, 0);
  m.compare(cores);
  const auto innermost = std::count(cores.begin(), cores.end(), static_cast<double>(result.degeneracy));
  m.report["result"] = {{"degeneracy", result.degeneracy}, {"innermost", innermost}, {"steps", result.steps}};
  m.report["top"] = m.largest(cores);
}

void print_k_core(const json& report) {
  const json& result = report["result"];
  fmt::print("Degeneracy {}: {} vertices in the innermost core, {} steps\n",
             result["degeneracy"].get<int64_t>(), result["innermost"].get<uint64_t>(),
             result["steps"].get<int>());
  print_numbers("core", report["top"]);
}

void add_k_truss(CLI::App& sub, Workload& w) {
  sub.add_option("--k", w.k, "each edge is in k - 2 triangles or more")
      ->transform(whole(3, UINT32_MAX))
      ->capture_default_str();
}

/// Compared are the degrees in the truss.
void measure_k_truss(Measurement& m) {
  KTruss result{Matrix<int64_t>(1, 1)};
  m.time([&] { result = k_truss(m.loaded.graph, m.workload.k); });
  const Vector<bool> every(m.loaded.graph.size(), true);
  const Vector<int64_t> degree = mxv(result.edges, every, plus_pair<int64_t>);
  const std::vector<double> degrees = dense(degree, 0);
  m.compare(degrees);
  m.report["result"] = {{"k", m.workload.k},
                        {"edges", result.edges.nvals() / 2},
                        {"vertices", degree.nvals()},
                        {"rounds", result.rounds}};
  m.report["top"] = m.largest(degrees);
}

void print_k_truss(const json& report) {
  const json& result = report["result"];
  fmt::print("{}-truss: {} edges between {} vertices, {} rounds\n", result["k"].get<unsigned>(),
             result["edges"].get<uint64_t>(), result["vertices"].get<uint64_t>(),
             result["rounds"].get<int>());
  print_numbers("neighbours", report["top"]);
}

}  // namespace

std::vector<Algorithm> cohesion_algorithms() {
  return {{"triangles", "Triangle counting in an undirected graph", add_triangles, measure_triangles,
           print_triangles},
          {"clustering", "Local clustering coefficients: how many of a vertex's neighbours are linked",
           no_options, measure_clustering, print_clustering},
          {"kcore", "Core numbers of an undirected graph", no_options, measure_k_core, print_k_core},
          {"ktruss", "The k-truss of an undirected graph: edges in k - 2 triangles or more", add_k_truss,
           measure_k_truss, print_k_truss}};
}

}  // namespace cugrb::command
