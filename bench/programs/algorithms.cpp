// The six GAP algorithms of algorithms/, timed as bench/lagraph/gap.cpp times LAGraph's: the same graphs,
// sources, lengths and checksums. The same program runs on plain SuiteSparse and, with libcugrb.so preloaded,
// on the GPU.
//
//   algorithms_bench GRAPH [--algorithms pr,bfs,bc,cc,sssp,tc] [--repeat N] [--sources N] [--seconds S]
//                    [--json FILE] [--export FOLDER]
//
// --export writes the graph for programs that read no graph files (bench/programs/cugraph_bench.py) and
// measures nothing: offsets.bin (int64), columns.bin and lengths.bin (int32), sources.bin (int64).
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "algorithms/betweenness.hpp"
#include "algorithms/bfs.hpp"
#include "algorithms/connected_components.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/shortest_paths.hpp"
#include "algorithms/triangle_count.hpp"
#include "bench/lagraph/trials.h"

namespace {

using cugrb::Direction;
using cugrb::Graph;
using cugrb::Matrix;
using cugrb_bench::batch_of;
using cugrb_bench::measure;
using cugrb_bench::norm_of;
using cugrb_bench::Options;
using cugrb_bench::source_of;
using cugrb_bench::Timing;
using cugrb_bench::Trials;
using Sources = std::vector<GrB_Index>;

Timing page_rank(Graph<bool>& graph, const Trials& trials) {
  std::optional<cugrb::PageRank<float>> result;
  return measure(
      trials, [&](int) { result = cugrb::pagerank<float>(graph); },
      [&](int) { return norm_of(result->ranks.handle()); });
}

Timing breadth_first_search(Graph<bool>& graph, const Trials& trials, const Sources& sources) {
  std::optional<cugrb::Bfs<int32_t>> result;
  return measure(
      trials, [&](int trial) { result = cugrb::bfs<int32_t>(graph, source_of(trial, sources)); },
      [&](int) { return cugrb_bench::reached_by(result->parents.handle(), false); });
}

Timing betweenness(Graph<bool>& graph, const Trials& trials, const Sources& sources) {
  std::optional<cugrb::Betweenness<double>> result;
  return measure(
      trials, [&](int trial) { result = cugrb::betweenness<double>(graph, batch_of(trial, sources)); },
      [&](int) { return norm_of(result->centralities.handle()); });
}

Timing connected_components(Graph<bool>& graph, const Trials& trials) {
  std::optional<cugrb::ConnectedComponents> result;
  return measure(
      trials, [&](int) { result = cugrb::connected_components(graph); },
      [&](int) { return norm_of(result->components.handle()); });
}

Timing shortest_paths(Graph<int32_t>& graph, const Trials& trials, const Sources& sources) {
  std::optional<cugrb::ShortestPaths<double>> result;
  return measure(
      trials, [&](int trial) { result = cugrb::shortest_paths<double>(graph, source_of(trial, sources)); },
      [&](int) {  // where LAGraph has the largest integer, there is no entry
        return norm_of(result->distances.handle());
      });
}

Timing triangle_count(Graph<bool>& graph, const Trials& trials) {
  uint64_t triangles = 0;
  return measure(
      trials, [&](int) { triangles = cugrb::triangle_count(graph).triangles; },
      [&](int) { return double(triangles); });
}

template <class T>
Graph<T> undirected(GrB_Matrix a) {
  return {Matrix<T>::adopt(a), Direction::undirected};
}

nlohmann::json measure_algorithms(Graph<bool>& graph, const Options& options, const Sources& sources) {
  nlohmann::json result = nlohmann::json::object();
  const Trials& trials = options.trials;
  if (options.has("pr")) result["pr"] = to_json(page_rank(graph, trials));
  if (options.has("bfs")) result["bfs"] = to_json(breadth_first_search(graph, trials, sources));
  if (options.has("bc")) result["bc"] = to_json(betweenness(graph, trials, sources));
  if (options.has("cc")) result["cc"] = to_json(connected_components(graph, trials));
  if (options.has("sssp")) {
    auto lengths = undirected<int32_t>(cugrb_bench::load_lengths(options.graph));
    result["sssp"] = to_json(shortest_paths(lengths, trials, sources));
  }
  if (options.has("tc")) {
    Graph<bool> simple{Matrix<bool>(cugrb::select(graph.adjacency(), cugrb::op::offdiag, 0)),
                       Direction::undirected};
    result["tc"] = to_json(triangle_count(simple, trials));
  }
  return result;
}

template <class Written, class T>
void write_array(const std::string& path, const T* values, uint64_t count) {
  const std::vector<Written> written(values, values + count);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(written.data()), std::streamsize(count * sizeof(Written)));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void export_graph(const Options& options, const Sources& sources) {
  GrB_Matrix lengths = cugrb_bench::load_lengths(options.graph);
  GrB_Index *offsets = nullptr, *columns = nullptr, bytes[3] = {0, 0, 0}, n = 0;
  void* values = nullptr;
  bool iso = false;
  GrB_Matrix_nrows(&n, lengths);
  if (GxB_Matrix_unpack_CSR(lengths, &offsets, &columns, &values, &bytes[0], &bytes[1], &bytes[2], &iso,
                            nullptr, nullptr) != GrB_SUCCESS) {
    throw std::runtime_error("the graph cannot be read");
  }
  const std::string& folder = options.export_folder;
  write_array<int64_t>(folder + "/offsets.bin", offsets, n + 1);
  write_array<int32_t>(folder + "/columns.bin", columns, offsets[n]);
  write_array<int32_t>(folder + "/lengths.bin", static_cast<const int32_t*>(values), offsets[n]);
  write_array<int64_t>(folder + "/sources.bin", sources.data(), sources.size());
  std::free(offsets);
  std::free(columns);
  std::free(values);
  GrB_Matrix_free(&lengths);
}

void run(int argc, char** argv) {
  const Options options(argc, argv, "pr,bfs,bc,cc,sssp,tc");
  const cugrb::Context context;
  auto graph = undirected<bool>(cugrb_bench::load_pattern(options.graph));
  const Sources sources = cugrb_bench::pick_sources(graph.adjacency().handle(), options.sources);
  if (!options.export_folder.empty()) return export_graph(options, sources);
  const nlohmann::json algorithms = measure_algorithms(graph, options, sources);
  write({{"graph", options.graph},
         {"repeat", options.trials.most},
         {"n", graph.size()},
         {"entries", graph.adjacency().nvals()},
         {"algorithms", algorithms}},
        options);
}

}  // namespace

int main(int argc, char** argv) {
  return cugrb_bench::run_program("algorithms_bench", [&] { run(argc, argv); });
}
