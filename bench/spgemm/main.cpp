// bench_spgemm GRAPH [--undirected] [--semiring NAME]... [--masked NAME]... [--scaled NAME]... [--triangles]
// [--cusparse]
// [--repeat N]
// [--json FILE]
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/spgemm/bench.h"

using namespace cugrb;

namespace {

struct Options {
  std::string graph = "rmat:16:8", json;
  std::vector<std::string> squares, masked, scaled;
  bool undirected = false, triangles = false, cusparse = false;
  int repeat = 10;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int n = 1; n < count; ++n) {
    const std::string word = arguments[n];
    const bool has_value = n + 1 < count;
    if (word == "--undirected") {
      options.undirected = true;
    } else if (word == "--triangles") {
      options.triangles = true;
    } else if (word == "--cusparse") {
      options.cusparse = true;
    } else if (word == "--semiring" && has_value) {
      options.squares.push_back(arguments[++n]);
    } else if (word == "--masked" && has_value) {
      options.masked.push_back(arguments[++n]);
    } else if (word == "--scaled" && has_value) {
      options.scaled.push_back(arguments[++n]);
    } else if (word == "--repeat" && has_value) {
      options.repeat = std::max(1, std::atoi(arguments[++n]));
    } else if (word == "--json" && has_value) {
      options.json = arguments[++n];
    } else if (word[0] != '-') {
      options.graph = word;
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  if (options.squares.empty() && options.masked.empty() && options.scaled.empty() && !options.triangles)
    options.squares = {"PLUS_TIMES_FP32"};
  return options;
}

void run(const Options& options) {
  const runtime::Properties& properties = runtime::device().properties();
  const auto direction = options.undirected || options.triangles ? graph_files::EdgeDirection::undirected
                                                                 : graph_files::EdgeDirection::directed;
  const graph_files::Csr graph = graph_files::load_graph(options.graph, direction);
  std::printf("%s, %s: %lu rows, %lu entries\n", properties.name.c_str(), options.graph.c_str(),
              (unsigned long)graph.nrows, (unsigned long)graph.entries());
  nlohmann::json result{{"device", properties.name}, {"driver", properties.driver_version},
                        {"graph", options.graph},    {"undirected", options.undirected || options.triangles},
                        {"rows", graph.nrows},       {"entries", graph.entries()},
                        {"repeat", options.repeat},  {"results", nlohmann::json::array()}};
  const auto add = [&](const nlohmann::json& rows) {
    for (const auto& row : rows) result["results"].push_back(row);
  };
  if (options.triangles) add(bench::bench_triangles(bench::sorted_triangles(graph), options.repeat));
  if (!options.squares.empty() || !options.masked.empty() || !options.scaled.empty() || options.cusparse) {
    const formats::DeviceMatrix a = bench::with_values(graph);
    for (const std::string& semiring : options.squares) add(bench::bench_square(a, semiring, options.repeat));
    for (const std::string& semiring : options.masked) add(bench::bench_masked(a, semiring, options.repeat));
    for (const std::string& semiring : options.scaled) add(bench::bench_scaling(a, semiring, options.repeat));
    if (options.cusparse) add(bench::bench_cusparse(a, options.repeat));
  }
  if (!options.json.empty()) std::ofstream(options.json) << result.dump(1) << "\n";
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(parse(count, arguments));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_spgemm: %s\n", failure.what());
    return 1;
  }
  return 0;
}
