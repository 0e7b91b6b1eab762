// What `cugrb run` computes, as plain data: shared by the process that measures and the one that reports.
#pragma once
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/graph.hpp"

namespace cugrb::command {

struct Workload {
  std::string algorithm;  ///< a name of tools/cugrb/algorithms
  std::string graph;      ///< a file, or a generator's name
  bool directed = false;  ///< edge lists only: each line is one edge, not two
  std::string names;      ///< file of vertex names
  std::string source;     ///< bfs, rwr, simrank: a number or a name; empty: the vertex with most edges
  unsigned queries = 1;   ///< rwr: more than 1: so many vertices drawn at random instead of `source`
  unsigned top = 10;
  unsigned repeat = 1;
  double damping = 0.85, tolerance = 1e-4;  ///< damping of rwr: the chance to follow an edge; simrank's decay
  double threshold = 1e-4;                  ///< simrank: similarities below it are dropped
  double strength = 0.25;                   ///< amg: weaker connections do not count for aggregates
  std::string method = "sandia_uu";         ///< triangles: a name of tools/cugrb/algorithms/triangle_names.h
  std::string presort = "automatic";        ///< the same
  double delta = 0;                         ///< sssp: the width of a bucket; 0: chosen
  unsigned random_weights = 0;  ///< algorithms with weights: whole numbers up to it instead of the file's
  unsigned k = 3;               ///< ktruss: k - 2 triangles an edge
  uint64_t seed = 0;            ///< mis: of its random numbers
  unsigned batches = 10;        ///< stream: that half of the edges come in
  int iterations = 100;
  bool double_precision = false;
};

nlohmann::json to_json(const Workload& workload);
Workload workload_from_json(const nlohmann::json& json);

/// A graph with the names of its vertices, and how long it took to load.
struct LoadedGraph {
  Graph<bool> graph;
  std::optional<Graph<double>> weighted;  ///< the same with weights, when wanted and there are any
  std::vector<std::string> names;
  double load_seconds = 0;
};

/// Reads or generates the workload's graph, with a progress bar. With weights where `weights` asks for them:
/// random ones, which depend on an edge's ends alone, or else those of the file. Needs a GraphBLAS context.
/// Throws Failure, FileError.
LoadedGraph load(const Workload& workload, bool weights);

/// The vertex that `source` means. Throws Failure when it is neither a number of a vertex nor a name.
Index find_source(const Workload& workload, LoadedGraph& loaded);
/// The vertices that random walks begin at: `source`, or `queries` vertices with edges, always the same ones
/// for one graph.
std::vector<Index> find_queries(const Workload& workload, LoadedGraph& loaded);

}  // namespace cugrb::command
