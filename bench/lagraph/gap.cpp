// LAGraph's own GAP algorithms, unmodified, timed on a generated graph. The same program runs on plain SuiteSparse and,
// with libcugrb.so preloaded, on the GPU; bench/lagraph/compare runs both and sets them side by side.
//
//   gap_bench GRAPH [--algorithms pr,bfs,...] [--repeat N] [--sources N] [--json FILE]
//
// GRAPH is a name of tools/graph_files ("rmat:22:16") or a file. For every algorithm: the first call (cold: kernel
// compilation included; the graph is on the device since its out-degrees were computed) and the median of the following
// ones (warm). Checksums let two runs be compared.
#include "bench/lagraph/load.h"

extern "C" {
#include <LAGraph.h>
}

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
char message[LAGRAPH_MSG_LEN];

void check(int info, const char* what) {
  if (info < 0) throw std::runtime_error(std::string(what) + ": " + std::to_string(info) + " " + message);
}

struct Timing {
  double cold_seconds = 0;
  std::vector<double> warm_seconds;
  double checksum = 0;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Calls `algorithm` for every trial; it returns a checksum taken outside the timed part.
Timing measure(int trials, const std::function<void(int)>& algorithm, const std::function<double(int)>& checksum) {
  Timing timing;
  for (int trial = 0; trial <= trials; ++trial) {
    const auto start = Clock::now();
    algorithm(trial);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (trial == 0) timing.cold_seconds = seconds;
    else timing.warm_seconds.push_back(seconds);
    timing.checksum += checksum(trial);
  }
  return timing;
}

Timing page_rank(LAGraph_Graph graph, int trials, int& iterations) {
  GrB_Vector rank = nullptr;
  return measure(
      trials, [&](int) { check(LAGr_PageRankGAP(&rank, &iterations, graph, 0.85f, 1e-4f, 100, message), "PageRank"); },
      [&](int) {
        double sum = 0;
        GrB_Vector squares = nullptr;
        GrB_Index n = 0;
        GrB_Vector_size(&n, rank);
        GrB_Vector_new(&squares, GrB_FP64, n);
        GrB_Vector_eWiseMult_BinaryOp(squares, nullptr, nullptr, GrB_TIMES_FP64, rank, rank, nullptr);
        GrB_Vector_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, squares, nullptr);
        GrB_Vector_free(&squares);
        GrB_Vector_free(&rank);
        return std::sqrt(sum);
      });
}

Timing breadth_first_search(LAGraph_Graph graph, int trials, const std::vector<GrB_Index>& sources, bool levels) {
  GrB_Vector parent = nullptr, level = nullptr;
  return measure(
      trials,
      [&](int trial) {
        check(LAGr_BreadthFirstSearch(levels ? &level : nullptr, levels ? nullptr : &parent, graph,
                                      sources[size_t(trial) % sources.size()], message), "BFS");
      },
      [&](int) {
        GrB_Index reached = 0;
        int64_t sum = 0;
        GrB_Vector_nvals(&reached, levels ? level : parent);
        if (levels) GrB_Vector_reduce_INT64(&sum, nullptr, GrB_PLUS_MONOID_INT64, level, nullptr);
        GrB_Vector_free(levels ? &level : &parent);
        return double(reached) + double(sum);
      });
}

/// Vertices with at least one edge, evenly spread: the same in every run.
std::vector<GrB_Index> pick_sources(GrB_Matrix a, int count) {
  GrB_Index n = 0;
  GrB_Matrix_nrows(&n, a);
  std::vector<GrB_Index> sources;
  GrB_Vector row = nullptr;
  GrB_Vector_new(&row, GrB_BOOL, n);
  for (GrB_Index k = 0, v = 12345 % n; int(sources.size()) < count && k < 1000; ++k, v = (v * 1103515245u + 12345u) % n) {
    GrB_Index degree = 0;
    GrB_Col_extract(row, nullptr, nullptr, a, GrB_ALL, n, v, GrB_DESC_T0);
    GrB_Vector_nvals(&degree, row);
    if (degree > 0) sources.push_back(v);
  }
  GrB_Vector_free(&row);
  if (sources.empty()) throw std::runtime_error("no vertex has an edge");
  return sources;
}

nlohmann::json to_json(const Timing& timing) {
  return {{"cold_seconds", timing.cold_seconds}, {"median_seconds", median(timing.warm_seconds)},
          {"warm_seconds", timing.warm_seconds}, {"checksum", timing.checksum}};
}

int run(int argc, char** argv) {
  std::string graph_name, algorithms = "pr,bfs,bfs-levels", json_file;
  int repeat = 9, source_count = 8;
  for (int k = 1; k < argc; ++k) {
    const std::string option = argv[k];
    if (option == "--algorithms") algorithms = argv[++k];
    else if (option == "--repeat") repeat = std::atoi(argv[++k]);
    else if (option == "--sources") source_count = std::atoi(argv[++k]);
    else if (option == "--json") json_file = argv[++k];
    else graph_name = option;
  }
  check(LAGraph_Init(message), "LAGraph_Init");
  GrB_Matrix a = cugrb_bench::load_pattern(graph_name);
  const std::vector<GrB_Index> sources = pick_sources(a, source_count);
  LAGraph_Graph graph = nullptr;
  check(LAGraph_New(&graph, &a, LAGraph_ADJACENCY_UNDIRECTED, message), "LAGraph_New");
  check(LAGraph_Cached_OutDegree(graph, message), "OutDegree");
  nlohmann::json result = {{"graph", graph_name}, {"repeat", repeat}};
  GrB_Index n = 0, entries = 0;
  GrB_Matrix_nrows(&n, graph->A);
  GrB_Matrix_nvals(&entries, graph->A);
  result["n"] = n;
  result["entries"] = entries;
  const std::string wanted = "," + algorithms + ",";
  auto has = [&](const char* name) { return wanted.find("," + std::string(name) + ",") != std::string::npos; };
  if (has("pr")) {
    int iterations = 0;
    result["pr"] = to_json(page_rank(graph, repeat, iterations));
    result["pr"]["iterations"] = iterations;
  }
  if (has("bfs")) result["bfs"] = to_json(breadth_first_search(graph, repeat, sources, false));
  if (has("bfs-levels")) result["bfs-levels"] = to_json(breadth_first_search(graph, repeat, sources, true));
  LAGraph_Delete(&graph, message);
  LAGraph_Finalize(message);
  const std::string text = result.dump(1);
  std::puts(text.c_str());
  if (!json_file.empty()) {
    FILE* file = std::fopen(json_file.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + json_file);
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gap_bench: %s\n", error.what());
    return 1;
  }
}
