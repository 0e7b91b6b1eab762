// LAGraph's own GAP algorithms, unmodified, timed on a generated graph. The same program runs on plain
// SuiteSparse and, with libcugrb.so preloaded, on the GPU; bench/lagraph/compare runs both and sets them side
// by side.
//
//   gap_bench GRAPH [--algorithms pr,bfs,bfs-levels,bc,cc,sssp,tc,tc-ll] [--repeat N] [--sources N]
//   [--seconds S] [--json FILE]
//
// GRAPH is a name of tools/graph_files ("rmat:22:16") or a file. Three things are timed apart:
//   start    the degrees of a small graph: the device's context, the first kernels
//   upload   the degrees of GRAPH, the first call that reads it; and again, when it is there: the difference
//   is the upload cold, warm   of every algorithm the first call (kernel compilation included) and the
//   following ones: N, or as many as
//            end within S seconds
// A checksum of every trial lets two runs be compared.
#include "bench/lagraph/trials.h"

extern "C" {
#include <LAGraph.h>
}

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using cugrb_bench::batch_of;
using cugrb_bench::measure;
using cugrb_bench::norm_of;
using cugrb_bench::Options;
using cugrb_bench::source_of;
using cugrb_bench::Timing;
using cugrb_bench::Trials;
using Clock = std::chrono::steady_clock;
char message[LAGRAPH_MSG_LEN];

void check(int info, const char* what) {
  if (info < 0) throw std::runtime_error(std::string(what) + ": " + std::to_string(info) + " " + message);
}

/// The vector's norm; frees it.
double taken_norm(GrB_Vector& vector) {
  const double norm = norm_of(vector);
  GrB_Vector_free(&vector);
  return norm;
}

Timing page_rank(LAGraph_Graph graph, const Trials& trials, int& iterations) {
  GrB_Vector rank = nullptr;
  return measure(
      trials,
      [&](int) {
        check(LAGr_PageRankGAP(&rank, &iterations, graph, 0.85f, 1e-4f, 100, message), "PageRank");
      },
      [&](int) { return taken_norm(rank); });
}

Timing breadth_first_search(LAGraph_Graph graph, const Trials& trials, const std::vector<GrB_Index>& sources,
                            bool levels) {
  GrB_Vector parent = nullptr, level = nullptr;
  return measure(
      trials,
      [&](int trial) {
        check(LAGr_BreadthFirstSearch(levels ? &level : nullptr, levels ? nullptr : &parent, graph,
                                      source_of(trial, sources), message),
              "BFS");
      },
      [&](int) {
        const double reached = cugrb_bench::reached_by(levels ? level : parent, levels);
        GrB_Vector_free(levels ? &level : &parent);
        return reached;
      });
}

/// The paths through every vertex from the batches of four sources that the GAP benchmark asks for.
Timing betweenness(LAGraph_Graph graph, const Trials& trials, const std::vector<GrB_Index>& sources) {
  GrB_Vector centrality = nullptr;
  return measure(
      trials,
      [&](int trial) {
        const std::vector<GrB_Index> chosen = batch_of(trial, sources);
        check(LAGr_Betweenness(&centrality, graph, chosen.data(), int32_t(chosen.size()), message),
              "Betweenness");
      },
      [&](int) { return taken_norm(centrality); });
}

Timing connected_components(LAGraph_Graph graph, const Trials& trials) {
  GrB_Vector component = nullptr;
  return measure(
      trials,
      [&](int) { check(LAGr_ConnectedComponents(&component, graph, message), "ConnectedComponents"); },
      [&](int) { return taken_norm(component); });
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
        check(LAGr_SingleSourceShortestPath(&lengths, graph, source_of(trial, sources), delta, message),
              "SingleSourceShortestPath");
      },
      [&](int) { return taken_norm(lengths); });
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

/// Seconds that the out-degrees take; afterwards the graph has them.
double count_degrees(LAGraph_Graph graph) {
  GrB_Vector_free(&graph->out_degree);
  const auto start = Clock::now();
  check(LAGraph_Cached_OutDegree(graph, message), "OutDegree");
  GrB_Vector_wait(graph->out_degree, GrB_MATERIALIZE);
  return std::chrono::duration<double>(Clock::now() - start).count();
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

nlohmann::json measure_algorithms(LAGraph_Graph graph, const Options& options,
                                  const std::vector<GrB_Index>& sources) {
  nlohmann::json result;
  const Trials& trials = options.trials;
  if (options.has("pr")) {
    int iterations = 0;
    result["pr"] = to_json(page_rank(graph, trials, iterations));
    result["pr"]["iterations"] = iterations;
  }
  if (options.has("bfs")) result["bfs"] = to_json(breadth_first_search(graph, trials, sources, false));
  if (options.has("bfs-levels"))
    result["bfs-levels"] = to_json(breadth_first_search(graph, trials, sources, true));
  if (options.has("bc")) result["bc"] = to_json(betweenness(graph, trials, sources));
  if (options.has("cc")) result["cc"] = to_json(connected_components(graph, trials));
  if (options.has("sssp")) {
    LAGraph_Graph lengths = new_graph(cugrb_bench::load_lengths(options.graph));
    check(LAGraph_Cached_EMin(lengths, message), "EMin");
    result["sssp"] = to_json(shortest_paths(lengths, trials, sources));
    LAGraph_Delete(&lengths, message);
  }
  if (options.has("tc") || options.has("tc-ll")) without_self_edges(graph);
  if (options.has("tc")) result["tc"] = to_json(triangle_count(graph, trials, LAGr_TriangleCount_AutoMethod));
  if (options.has("tc-ll"))
    result["tc-ll"] = to_json(triangle_count(graph, trials, LAGr_TriangleCount_Sandia_LL));
  return result;
}

void run(int argc, char** argv) {
  const Options options(argc, argv, "pr,bfs,bfs-levels");
  check(LAGraph_Init(message), "LAGraph_Init");
  nlohmann::json result = {
      {"graph", options.graph}, {"repeat", options.trials.most}, {"start_seconds", start_seconds()}};
  LAGraph_Graph graph = new_graph(cugrb_bench::load_pattern(options.graph));
  const std::vector<GrB_Index> sources = cugrb_bench::pick_sources(graph->A, options.sources);
  result["first_degrees_seconds"] = count_degrees(graph);
  result["degrees_seconds"] = count_degrees(graph);
  GrB_Index n = 0, entries = 0;
  GrB_Matrix_nrows(&n, graph->A);
  GrB_Matrix_nvals(&entries, graph->A);
  result["n"] = n;
  result["entries"] = entries;
  result["algorithms"] = measure_algorithms(graph, options, sources);
  LAGraph_Delete(&graph, message);
  LAGraph_Finalize(message);
  write(result, options);
}

}  // namespace

int main(int argc, char** argv) {
  return cugrb_bench::run_program("gap_bench", [&] { run(argc, argv); });
}
