// bench_spmv GRAPH [--semiring NAME]... [--bfs] [--copy] [--repeat N] [--json FILE]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "bench/spmv/bench.h"

using namespace cugrb;

namespace {

struct Options {
  std::string graph = "rmat:20:16", json;
  std::vector<std::string> semirings;
  bool bfs = false, copy = false;
  int repeat = 20;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int n = 1; n < count; ++n) {
    const std::string word = arguments[n];
    const bool has_value = n + 1 < count;
    if (word == "--bfs") {
      options.bfs = true;
    } else if (word == "--copy") {
      options.copy = true;
    } else if (word == "--semiring" && has_value) {
      options.semirings.push_back(arguments[++n]);
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
  if (options.semirings.empty()) options.semirings = {"PLUS_SECOND_FP32"};
  return options;
}

/// Read + write of 1 GiB each.
double copy_bandwidth(int repeat) {
  const size_t bytes = size_t(1) << 30;
  const runtime::Buffer from(bytes), to(bytes);
  const auto seconds =
      bench::measure(repeat, [&] { runtime::device().copy_on_device(to.data(), from.data(), bytes); });
  return 2 * double(bytes) / bench::median(seconds);
}

uint64_t vertex_of_most_edges(const graph_files::Csr& graph) {
  uint64_t best = 0;
  const auto length = [&](uint64_t i) { return graph.offsets.data()[i + 1] - graph.offsets.data()[i]; };
  for (uint64_t i = 1; i < graph.nrows; ++i) {
    if (length(i) > length(best)) best = i;
  }
  return best;
}

void run(const Options& options) {
  const runtime::Properties& properties = runtime::device().properties();
  const graph_files::Csr graph =
      graph_files::load_graph(options.graph, graph_files::EdgeDirection::undirected);
  const formats::DeviceMatrix matrix = bench::to_device(graph);
  const formats::RowLengths lengths = matrix.row_lengths(false);
  std::printf("%s, %s: %lu rows, %lu entries, longest row %lu, %lu empty\n", properties.name.c_str(),
              options.graph.c_str(), (unsigned long)matrix.rows, (unsigned long)matrix.nvals(),
              (unsigned long)lengths.longest, (unsigned long)lengths.empty);
  nlohmann::json result{{"device", properties.name}, {"driver", properties.driver_version},
                        {"graph", options.graph},    {"rows", matrix.rows},
                        {"entries", matrix.nvals()}, {"longest_row", lengths.longest},
                        {"repeat", options.repeat}};
  if (options.copy) {
    result["copy_bytes_per_second"] = copy_bandwidth(options.repeat);
    std::printf("copy bandwidth %.3f TB/s\n", result["copy_bytes_per_second"].get<double>() / 1e12);
  }
  for (const std::string& semiring : options.semirings) {
    for (auto& row : bench::bench_product(matrix, semiring, options.repeat))
      result["products"].push_back(row);
  }
  if (options.bfs)
    result["bfs"] = bench::bench_breadth_first(matrix, vertex_of_most_edges(graph), options.repeat);
  if (!options.json.empty()) std::ofstream(options.json) << result.dump(1) << "\n";
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(parse(count, arguments));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_spmv: %s\n", failure.what());
    return 1;
  }
  return 0;
}
