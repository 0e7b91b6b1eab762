// Random walk with restart on a graph in parts.
//
// It is PageRank's iteration with all jumps to the query: r' = c W r + (1 - c + c lost) e_q, as in
// algorithms/random_walk_with_restart.hpp. An iteration gathers n values of Real to every rank and adds up
// two numbers over the ranks. Memory of a rank: its rows, 4 vectors of its vertices, and one of n.
//
// Sources: as algorithms/random_walk_with_restart.hpp.
#pragma once
#include "../pagerank.hpp"
#include "../random_walk_with_restart.hpp"
#include "links.hpp"

namespace cugrb {

/// The relevances of this rank's vertices to `query`, a vertex of the whole graph. Collective. Errors:
/// GrB_INVALID_INDEX when query is no vertex; GrB_INVALID_VALUE as for one process; RankFailure.
///
///     auto walk = cugrb::random_walk_with_restart<float>(parts, 0);
template <class Real = float, class T>
RandomWalk<Real> random_walk_with_restart(const DistributedGraph<T>& graph, Index query,
                                          const RandomWalkOptions& options = {}) {
  detail::check_random_walk(options);
  if (query >= graph.size()) {
    throw Error(GrB_INVALID_INDEX, "random_walk_with_restart", "a query is not a vertex of the graph");
  }
  Exchange& exchange = graph.exchange();
  const bool own = exchange.deal().owner(query) == graph.ranks().rank();
  const Index place = exchange.deal().number(query);
  RandomWalk<Real> result{Vector<Real>(exchange.size(), Real(0))};
  if (own) result.relevances.set(place, Real(1));
  const Real restart = static_cast<Real>(1 - options.follow), follow = static_cast<Real>(options.follow);
  const auto begin = [&](Vector<Real>& next, Real lost) {
    next = Real(0);
    if (own) next(at({place})) = restart + follow * lost;
  };
  detail::iterate_surfer(result.relevances, result, detail::DistributedLinks<T>{graph.arriving()},
                         graph.out_degree(), begin,
                         {options.follow, options.tolerance, options.iteration_limit});
  return result;
}

}  // namespace cugrb
