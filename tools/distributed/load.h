// Graphs in parts for a program of several processes: none of them ever has the whole graph.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "cugrb/distributed.hpp"
#include "tools/graph_files/partial.h"

namespace cugrb::tools {

struct LoadOptions {
  bool directed = false;        ///< edge lists: a line is one edge, not two
  bool leaving = false;         ///< of a directed graph the edges that leave are wanted, too
  bool weights = false;         ///< the graph is wanted with weights: those of the file, or
  unsigned random_weights = 0;  ///< random ones, which depend on an edge's ends alone
  Dealing dealing = Dealing::bitonic;
  Overlap overlap = Overlap::off;
};

struct LoadedParts {
  std::optional<DistributedGraph<bool>> graph;
  std::optional<DistributedGraph<double>> weighted;  ///< where weights are wanted and there are any
  uint64_t entries = 0;                              ///< of the whole graph
  uint64_t own_entries = 0;                          ///< of this rank's rows
  double deal_seconds = 0, exchange_seconds = 0, build_seconds = 0;
};

/// A file or a generated graph, as open_partial takes it. Parts are read in turns. Each turn, every rank
/// reads one part and sends each entry to the owner of its row.
///
///   1. Edge lists only: how many vertices there are.
///   2. Entries are counted by blocks of rows, and the blocks are dealt (Deal). Of a drawn graph a sample of
///      some 2^26 edges is counted.
///   3. Entries go to their owners, who sort them and make equal ones one. Edges of a drawn graph do not
///      travel: each rank draws all of them, in O(edges · scale / threads), and keeps those of its rows.
///
/// Memory of a rank: 8 bytes for each entry that it gets, and its rows once more (12 bytes an entry). Entries
/// with weights: 16 bytes, and as many while they are sorted. Weights of equal entries are added up in
/// ascending order.
///
/// Collective. Throws FileError on the rank that finds a fault, RankFailure on the others, std::bad_alloc.
LoadedParts load_parts(Distributed& ranks, const std::string& name, const LoadOptions& options);

}  // namespace cugrb::tools
