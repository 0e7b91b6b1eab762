// Shortest paths from one vertex in a graph in parts, by delta-stepping.
//
// It is the algorithm of algorithms/shortest_paths.hpp. Each rank has the distances of its own vertices. A
// step gathers the entries of the frontier (8 bytes and a distance for each, to every rank) and lowers the
// own vertices next to it; whether a frontier is empty and where the next bucket begins are found over all
// ranks. A distance is the least sum along a path, and each sum is made in the order of the path, so
// distances have the same bits as in one process. Memory of a rank: its rows, the same by columns; 6 vectors
// of its vertices, and one of the frontier.
//
// Sources: as algorithms/shortest_paths.hpp.
#pragma once
#include "../shortest_paths.hpp"
#include "bfs.hpp"

namespace cugrb {

namespace detail {

template <class T>
class DistributedWeights {
 public:
  DistributedWeights(const DistributedGraph<T>& graph, double delta)
      : width(width_of(graph, delta)), graph_(graph) {}

  const double width;  ///< Δ
  template <class Real>
  void relax(Lowering<Real>& distances, const Vector<Real>& from) const {
    distances(graph_.exchange().all_gather_entries(from), graph_.arriving().block_by_columns(),
              min_plus<Real>);
  }
  template <class Real>
  bool any(const Vector<Real>& part) const {
    return total(part.nvals()) > 0;
  }
  template <class Real>
  Real least(const Vector<Real>& part) const {
    return least_of(graph_, reduce(part, monoid::min<Real>));
  }

 private:
  Index total(Index part) const { return DistributedLinks<T>{graph_.arriving()}.total(part); }
  template <class Number>
  static Number least_of(const DistributedGraph<T>& graph, Number part) {
    return graph.ranks().all_reduce(
        part, [](Number a, Number b) { return std::min(a, b); }, "a minimum");
  }
  static double width_of(const DistributedGraph<T>& graph, double delta) {
    const Matrix<T>& block = graph.arriving().block();
    const Index entries = DistributedLinks<T>{graph.arriving()}.total(block.nvals());
    const T least = least_of(graph, reduce(block, monoid::min<T>));
    const T most = graph.ranks().all_reduce(
        reduce(block, monoid::max<T>), [](T a, T b) { return std::max(a, b); }, "a maximum");
    return bucket_width(graph.size(), entries, least, most, delta);
  }

  const DistributedGraph<T>& graph_;
};

}  // namespace detail

/// Shortest paths from `source`, a vertex of the whole graph; distances are those of this rank's vertices, by
/// their numbers in graph.exchange().deal(). A graph of bool has no lengths: every edge counts 1. Collective.
/// Errors: as shortest_paths of one process; GrB_INVALID_VALUE when parents are asked for; RankFailure.
///
///     auto result = cugrb::shortest_paths<float>(roads, 0);
template <class Real = double, class T>
ShortestPaths<Real> shortest_paths(const DistributedGraph<T>& graph, Index source,
                                   const ShortestPathsOptions& options = {}) {
  if (options.parents) {
    throw Error(GrB_INVALID_VALUE, "shortest_paths", "parents are not found in a graph in parts");
  }
  const std::optional<Index> own = graph.own_number(source);
  const Index size = graph.exchange().size();
  if constexpr (std::is_same_v<T, bool>) {
    auto search = bfs<int64_t>(graph, source, BfsOutput::levels);
    ShortestPaths<Real> result{Vector<Real>(size), Vector<int64_t>(size)};
    result.distances = apply(search.levels, op::identity<Real>);
    result.delta = 1;
    result.buckets = result.steps = static_cast<int>(search.depth);
    return result;
  } else {
    const detail::DistributedWeights<T> edges(graph, options.delta);
    return detail::delta_stepping<Real>(edges, size, own);
  }
}

}  // namespace cugrb
