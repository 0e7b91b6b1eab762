// LAGraph's own GAP algorithms, unmodified, timed on a generated graph. The same program runs on plain
// SuiteSparse and, with libcugrb.so preloaded, on the GPU; bench/lagraph/compare runs both and sets them side
// by side.
//
//   gap_bench GRAPH [--algorithms pr,bfs,bfs-levels,bc,cc,sssp,tc,tc-ll] [--repeat N] [--sources N]
//   [--seconds S]
//   [--json FILE]
//
// GRAPH is a name of tools/graph_files ("rmat:22:16") or a file. Three things are timed apart:
//   start    the degrees of a small graph: the device's context, the first kernels
//   upload   the degrees of GRAPH, the first call that reads it; and again, when it is there: the difference
//   is the upload cold, warm   of every algorithm the first call (kernel compilation included) and the
//   following ones: N, or as many as
//            end within S seconds
// A checksum of every trial lets two runs be compared.
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
  std::vector<double> checksums;  ///< of every trial, the cold one first
};
/// How often an algorithm is called after its first time.
struct Trials {
  int most = 9;
  double seconds = 20;
};
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Calls `algorithm` for every trial, and `checksum` outside the timed part.
Timing measure(const Trials& trials, const std::function<void(int)>& algorithm,
               const std::function<double(int)>& checksum) {
  Timing timing;
  const auto begin = Clock::now();
  for (int trial = 0; trial <= trials.most && (trial < 2 || seconds_since(begin) < trials.seconds); ++trial) {
    const auto start = Clock::now();
    algorithm(trial);
    const double seconds = seconds_since(start);
    if (trial == 0)
      timing.cold_seconds = seconds;
    else
      timing.warm_seconds.push_back(seconds);
    timing.checksums.push_back(checksum(trial));
  }
  return timing;
}

/// The 2-norm; frees the vector.
double norm_of(GrB_Vector& vector) {
  double sum = 0;
  GrB_Vector squares = nullptr;
  GrB_Index n = 0;
  GrB_Vector_size(&n, vector);
  GrB_Vector_new(&squares, GrB_FP64, n);
  GrB_Vector_eWiseMult_BinaryOp(squares, nullptr, nullptr, GrB_TIMES_FP64, vector, vector, nullptr);
  GrB_Vector_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, squares, nullptr);
  GrB_Vector_free(&squares);
  GrB_Vector_free(&vector);
  return std::sqrt(sum);
}

Timing page_rank(LAGraph_Graph graph, const Trials& trials, int& iterations) {
  GrB_Vector rank = nullptr;
  return measure(
      trials,
      [&](int) {
        check(LAGr_PageRankGAP(&rank, &iterations, graph, 0.85f, 1e-4f, 100, message), "PageRank");
      },
      [&](int) { return norm_of(rank); });
}

Timing breadth_first_search(LAGraph_Graph graph, const Trials& trials, const std::vector<GrB_Index>& sources,
                            bool levels) {
  GrB_Vector parent = nullptr, level = nullptr;
  return measure(
      trials,
      [&](int trial) {
        check(LAGr_BreadthFirstSearch(levels ? &level : nullptr, levels ? nullptr : &parent, graph,
                                      sources[size_t(trial) % sources.size()], message),
              "BFS");
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

/// The paths through every vertex from the batches of four sources that the GAP benchmark asks for.
Timing betweenness(LAGraph_Graph graph, const Trials& trials, const std::vector<GrB_Index>& sources) {
  constexpr int batch = 4;
  GrB_Vector centrality = nullptr;
  return measure(
      trials,
      [&](int trial) {
        GrB_Index chosen[batch];
        for (int k = 0; k < batch; ++k) chosen[k] = sources[size_t(trial * batch + k) % sources.size()];
        check(LAGr_Betweenness(&centrality, graph, chosen, batch, message), "Betweenness");
      },
      [&](int) { return norm_of(centrality); });
}

Timing connected_components(LAGraph_Graph graph, const Trials& trials) {
  GrB_Vector component = nullptr;
  return measure(
      trials,
      [&](int) { check(LAGr_ConnectedComponents(&component, graph, message), "ConnectedComponents"); },
      [&](int) { return norm_of(component); });
}

/// Delta stepping; `graph` has lengths.
Timing shortest_paths(LAGraph_Graph graph, const Trials& trials, const std::vector<GrB_Index>& sources) {
  GrB_Scalar delta = nullptr;
  GrB_Scalar_new(&delta, GrB_INT32);
  GrB_Scalar_setElement_INT32(delta, 2);  // LAGraph's demo has it so
  GrB_Vector lengths = nullptr;
  const Timing timing = measure(
      trials,
      [&](int trial) {
        check(LAGr_SingleSourceShortestPath(&lengths, graph, sources[size_t(trial) % sources.size()], delta,
                                            message),
              "SingleSourceShortestPath");
      },
      [&](int) { return norm_of(lengths); });
  GrB_Scalar_free(&delta);
  return timing;
}

/// The graph must have no self edges.
Timing triangle_count(LAGraph_Graph graph, const Trials& trials, LAGr_TriangleCount_Method wanted) {
  uint64_t triangles = 0;
  return measure(
      trials,
      [&](int) {
        LAGr_TriangleCount_Method method = wanted;
        LAGr_TriangleCount_Presort presort = LAGr_TriangleCount_AutoSort;
        check(LAGr_TriangleCount(&triangles, graph, &method, &presort, message), "TriangleCount");
      },
      [&](int) { return double(triangles); });
}

/// Vertices with at least one edge, evenly spread: the same in every run.
std::vector<GrB_Index> pick_sources(GrB_Matrix a, int count) {
  GrB_Index n = 0;
  GrB_Matrix_nrows(&n, a);
  std::vector<GrB_Index> sources;
  GrB_Vector row = nullptr;
  GrB_Vector_new(&row, GrB_BOOL, n);
  for (GrB_Index k = 0, v = 12345 % n; int(sources.size()) < count && k < 1000;
       ++k, v = (v * 1103515245u + 12345u) % n) {
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
  return {{"cold_seconds", timing.cold_seconds},
          {"median_seconds", median(timing.warm_seconds)},
          {"warm_seconds", timing.warm_seconds},
          {"checksums", timing.checksums}};
}

/// Seconds that the out-degrees take; afterwards the graph has them.
double count_degrees(LAGraph_Graph graph) {
  GrB_Vector_free(&graph->out_degree);
  const auto start = Clock::now();
  check(LAGraph_Cached_OutDegree(graph, message), "OutDegree");
  GrB_Vector_wait(graph->out_degree, GrB_MATERIALIZE);
  return seconds_since(start);
}

LAGraph_Graph new_graph(GrB_Matrix a) {
  LAGraph_Graph graph = nullptr;
  check(LAGraph_New(&graph, &a, LAGraph_ADJACENCY_UNDIRECTED, message), "LAGraph_New");
  return graph;
}

double start_seconds() {
  LAGraph_Graph small = new_graph(cugrb_bench::load_pattern("rmat:18:16"));
  const double seconds = count_degrees(small);
  LAGraph_Delete(&small, message);
  return seconds;
}

/// What triangle counting asks of the graph.
void without_self_edges(LAGraph_Graph graph) {
  check(LAGraph_Cached_NSelfEdges(graph, message), "NSelfEdges");
  if (graph->nself_edges == 0) return;
  check(LAGraph_DeleteSelfEdges(graph, message), "DeleteSelfEdges");
  check(LAGraph_Cached_OutDegree(graph, message), "OutDegree");
}

nlohmann::json measure_algorithms(LAGraph_Graph graph, const std::string& graph_name,
                                  const std::string& names, const Trials& trials,
                                  const std::vector<GrB_Index>& sources) {
  nlohmann::json result;
  const std::string wanted = "," + names + ",";
  const auto has = [&](const char* name) {
    return wanted.find("," + std::string(name) + ",") != std::string::npos;
  };
  if (has("pr")) {
    int iterations = 0;
    result["pr"] = to_json(page_rank(graph, trials, iterations));
    result["pr"]["iterations"] = iterations;
  }
  if (has("bfs")) result["bfs"] = to_json(breadth_first_search(graph, trials, sources, false));
  if (has("bfs-levels")) result["bfs-levels"] = to_json(breadth_first_search(graph, trials, sources, true));
  if (has("bc")) result["bc"] = to_json(betweenness(graph, trials, sources));
  if (has("cc")) result["cc"] = to_json(connected_components(graph, trials));
  if (has("sssp")) {
    LAGraph_Graph lengths = new_graph(cugrb_bench::load_lengths(graph_name));
    check(LAGraph_Cached_EMin(lengths, message), "EMin");
    result["sssp"] = to_json(shortest_paths(lengths, trials, sources));
    LAGraph_Delete(&lengths, message);
  }
  if (has("tc") || has("tc-ll")) without_self_edges(graph);
  if (has("tc")) result["tc"] = to_json(triangle_count(graph, trials, LAGr_TriangleCount_AutoMethod));
  if (has("tc-ll")) result["tc-ll"] = to_json(triangle_count(graph, trials, LAGr_TriangleCount_Sandia_LL));
  return result;
}

int run(int argc, char** argv) {
  std::string graph_name, algorithms = "pr,bfs,bfs-levels", json_file;
  int source_count = 8;
  Trials trials;
  for (int k = 1; k < argc; ++k) {
    const std::string option = argv[k];
    if (option == "--algorithms")
      algorithms = argv[++k];
    else if (option == "--repeat")
      trials.most = std::atoi(argv[++k]);
    else if (option == "--seconds")
      trials.seconds = std::atof(argv[++k]);
    else if (option == "--sources")
      source_count = std::atoi(argv[++k]);
    else if (option == "--json")
      json_file = argv[++k];
    else
      graph_name = option;
  }
  check(LAGraph_Init(message), "LAGraph_Init");
  nlohmann::json result = {
      {"graph", graph_name}, {"repeat", trials.most}, {"start_seconds", start_seconds()}};
  LAGraph_Graph graph = new_graph(cugrb_bench::load_pattern(graph_name));
  const std::vector<GrB_Index> sources = pick_sources(graph->A, source_count);
  result["first_degrees_seconds"] = count_degrees(graph);
  result["degrees_seconds"] = count_degrees(graph);
  GrB_Index n = 0, entries = 0;
  GrB_Matrix_nrows(&n, graph->A);
  GrB_Matrix_nvals(&entries, graph->A);
  result["n"] = n;
  result["entries"] = entries;
  result["algorithms"] = measure_algorithms(graph, graph_name, algorithms, trials, sources);
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
