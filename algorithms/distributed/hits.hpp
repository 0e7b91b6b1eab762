// HITS of a graph in parts.
//
// It is the iteration of algorithms/hits.hpp. Each rank has the scores of its own vertices. An iteration
// gathers hubs and authorities (2n values of Real to every rank) and adds up two numbers over the ranks,
// twice. Sums are first made on each rank and then by rank. Memory of a rank: its rows of A and Aᵀ (one of
// them for undirected graphs), 4 vectors of its vertices, and one of n.
//
// Sources: as algorithms/hits.hpp.
#pragma once
#include "../hits.hpp"
#include "links.hpp"

namespace cugrb {

/// The scores are those of this rank's vertices, by their numbers in graph.exchange().deal(). Collective.
/// Errors: as hits of one process; GrB_INVALID_VALUE where the edges that leave were not kept; RankFailure.
///
///     auto result = cugrb::hits<float>(parts);
template <class Real = float, class T>
Hits<Real> hits(const DistributedGraph<T>& graph, const HitsOptions& options = {}) {
  detail::check_hits(options);
  const detail::DistributedHits<T> edges{graph.arriving(), graph.leaving()};
  return detail::iterate_hits<Real>(graph.size(), graph.exchange().size(), edges, options);
}

}  // namespace cugrb
