// PageRank of a graph in parts.
//
// It is the iteration of algorithms/pagerank.hpp. Each rank has the chances of its own vertices. An iteration
// gathers what they send (n values of Real to every rank), multiplies this rank's rows, and adds up two
// numbers over the ranks. Sums over vertices are first made on each rank and then by rank, so ranks of two
// partitions agree within rounding. Memory of a rank: its rows, 6 vectors of its vertices, and one of n.
//
// Sources: as algorithms/pagerank.hpp; rows in parts: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast sparse
// matrix-vector multiplication on GPUs: implications for graph mining", PVLDB 4 (2011), section 3.2.
#pragma once
#include "../pagerank.hpp"
#include "links.hpp"

namespace cugrb {

/// `ranks` has this rank's vertices, by their numbers in graph.exchange().deal(); the rest is of the whole
/// graph. Collective. Errors: as pagerank of one process; RankFailure.
///
///     auto result = cugrb::pagerank<float>(parts);
template <class Real = float, class T>
PageRank<Real> pagerank(const DistributedGraph<T>& graph, const PageRankOptions& options = {}) {
  detail::check_pagerank(options);
  const Index n = graph.size();
  PageRank<Real> result{detail::uniform_ranks<Real>(n, graph.exchange().size())};
  detail::iterate_ranks(result, n, detail::DistributedLinks<T>{graph.arriving()}, graph.out_degree(),
                        options);
  return result;
}

}  // namespace cugrb
