// Triangles: how closely the vertices hang together.
#include <fmt/core.h>

#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
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

}  // namespace

std::vector<Algorithm> cohesion_algorithms() {
  return {{"triangles", "Triangle counting in an undirected graph", add_triangles, measure_triangles,
           print_triangles}};
}

}  // namespace cugrb::command
