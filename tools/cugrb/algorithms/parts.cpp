// Connected components: the vertices in parts.
#include <fmt/core.h>

#include <algorithm>

#include "algorithms/connected_components.hpp"
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

}  // namespace

std::vector<Algorithm> part_algorithms() {
  return {{"components", "Connected components: the largest ones, each with its first vertex", no_options,
           measure_components, print_components}};
}

}  // namespace cugrb::command
