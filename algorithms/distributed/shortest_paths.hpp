// Shortest paths from one vertex in a graph in parts, by delta-stepping.
//
// It is the algorithm of algorithms/shortest_paths.hpp. Each rank has the distances of its own vertices. A
// step gathers the entries of the frontier (8 bytes and a distance for each, to every rank) and lowers the
// own vertices next to it. The ranks tell each other once a step how many entries they have, and once a
// bucket where the next one begins. A distance is the least sum along a path, and each sum is made in the
// order of the path, so distances have the same bits as in one process. Memory of a rank: its rows, the same
// by columns; 6 vectors of its vertices, and one of the frontier.
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
  EntriesOfRanks count(const Vector<Real>& part) const {
    return graph_.exchange().entries_of_ranks(part);
  }
  template <class Real>
  void relax(Lowering<Real>& distances, const Vector<Real>& from, const EntriesOfRanks& entries) const {
    distances(graph_.exchange().all_gather_entries(from, entries), graph_.arriving().block_by_columns(),
              min_plus<Real>);
  }
  template <class Real>
  Real least(const Vector<Real>& part) const {
    return graph_.ranks().all_reduce(
        reduce(part, monoid::min<Real>), [](Real a, Real b) { return std::min(a, b); }, "a minimum");
  }

 private:
  /// Of a rank's edges.
  struct Weights {
    Index entries;
    T least, most;
  };
  static double width_of(const DistributedGraph<T>& graph, double delta) {
    const Matrix<T>& block = graph.arriving().block();
    const Weights own{block.nvals(), reduce(block, monoid::min<T>), reduce(block, monoid::max<T>)};
    const auto both = [](const Weights& a, const Weights& b) {
      return Weights{a.entries + b.entries, std::min(a.least, b.least), std::max(a.most, b.most)};
    };
    const Weights all = graph.ranks().all_reduce(own, both, "the range of the weights");
    return bucket_width(graph.size(), all.entries, all.least, all.most, delta);
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
