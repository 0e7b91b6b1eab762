// Shortest paths from one vertex, by delta-stepping.
//
// The tentative distances t begin at 0 for the source and at infinity elsewhere. They are settled in buckets
// of width Δ, nearest first. The bucket [l, l + Δ) is done so:
//
//     q = the vertices with t in the bucket
//     until q is empty:   r = qᵀ A over (min, plus);   t = min(t, r);   q = those lowered, in the bucket
//
// The next bucket begins at the least distance that is left, so none is empty. With a small Δ few vertices
// are looked at twice (Dijkstra's algorithm), with a large Δ there are few steps (Bellman's and Ford's).
// Meyer and Sanders advise the largest weight over the mean degree. Here Δ is by default 16 times that: a
// step is a fixed number of calls, each at its price, and so a wide frontier in few steps costs less than its
// edges that are followed twice. It is the rule of Davidson and others for GPUs, 32 times the mean weight
// over the mean degree, for weights that are spread evenly. Where rounding makes l + Δ no more than l,
// everything that is left is one bucket.
//
// Meyer and Sanders follow edges longer than Δ only once, when a bucket is done. For that A must be split
// into short and long edges, each with a transpose for wide frontiers, which takes longer than all steps. So
// all edges are followed in every step, as in the GAP benchmark's reference.
//
// A step is five calls and one number to the host; a bucket is three more. Memory: A, its transpose where the
// backend makes one, and 6 vectors. Parents are found afterwards: an edge (i, j) is tight when
// d(i) + A(i,j) = d(j), and a breadth-first search over the tight edges gives each vertex a parent. So
// weights of 0 make no circles, and of all shortest paths one with the fewest edges is found. It takes two
// passes over A and a copy of it with its transpose.
//
// Sources: U. Sridhar, M. Blanco, R. Mayuranath, D. G. Spampinato, T. M. Low, S. McMillan, "Delta-stepping
// SSSP: from vertices and edges to GraphBLAS implementations", GrAPL 2019; U. Meyer, P. Sanders, "Δ-stepping:
// a parallelizable shortest path algorithm", Journal of Algorithms 49 (2003); A. Davidson, S. Baxter, M.
// Garland, J. D. Owens, "Work-efficient parallel GPU methods for single-source shortest paths", IPDPS 2014;
// S. Beamer, K. Asanović, D. Patterson, "The GAP benchmark suite", arXiv:1508.03619 (2015). The distances are
// those of LAGraph's LAGr_SingleSourceShortestPath, which has entries of infinity where there are none here.
#pragma once
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "bfs.hpp"
#include "lowering.hpp"

namespace cugrb {

struct ShortestPathsOptions {
  double delta = 0;      ///< Δ, the width of a bucket; 0: chosen
  bool parents = false;  ///< whether parents are wanted
};

template <class Real>
struct ShortestPaths {
  Vector<Real> distances;   ///< the length of a shortest path from the source; no entry: not reached
  Vector<int64_t> parents;  ///< the vertex before it on such a path, the source's own is itself; if wanted
  double delta = 0;         ///< Δ as it was used
  int buckets = 0;
  int steps = 0;  ///< products with the edges
};

namespace detail {

template <class Real>
Vector<Real> at_least(const Vector<Real>& distances, Real bound) {
  return select(distances, op::value_ge<Real>, bound);
}
template <class Real>
Vector<Real> below(const Vector<Real>& distances, Real bound) {
  return select(distances, op::value_lt<Real>, bound);
}

/// Δ, if it is given as 0. The graph has n vertices and `entries` edges, whose weights lie between `least`
/// and `most`. Errors: see shortest_paths.
template <class T>
double bucket_width(Index n, Index entries, T least, T most, double delta) {
  if (!(delta >= 0)) throw Error(GrB_INVALID_VALUE, "shortest_paths", "delta >= 0");
  if (entries == 0) return 1;
  if (least < T(0)) {
    throw Error(GrB_INVALID_VALUE, "shortest_paths", "an edge has a negative weight");
  }
  if (delta > 0) return delta;
  if (most == T(0)) return 1;
  constexpr double buckets_in_one = 16;
  return buckets_in_one * static_cast<double>(most) * static_cast<double>(n) / static_cast<double>(entries);
}

/// The edges of a graph in one process. (algorithms/distributed/shortest_paths.hpp has those of several.)
template <class T>
class LocalWeights {
 public:
  LocalWeights(const Matrix<T>& a, double delta)
      : width(
            bucket_width(a.nrows(), a.nvals(), reduce(a, monoid::min<T>), reduce(a, monoid::max<T>), delta)),
        all_(a) {}

  const double width;  ///< Δ
  /// How many entries a vector has in all processes, and the least of all.
  template <class Real>
  Index count(const Vector<Real>& part) const {
    return part.nvals();
  }
  template <class Real>
  void relax(Lowering<Real>& distances, const Vector<Real>& from, Index) const {
    distances(from, all_, min_plus<Real>);
  }
  template <class Real>
  Real least(const Vector<Real>& part) const {
    return reduce(part, monoid::min<Real>);
  }

 private:
  const Matrix<T>& all_;
};

/// Distances of this process's `own` vertices from the source, if it is here.
template <class Real, class Edges>
ShortestPaths<Real> delta_stepping(const Edges& edges, Index own, std::optional<Index> source) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  const Real width = static_cast<Real>(edges.width);
  ShortestPaths<Real> result{Vector<Real>(own), Vector<int64_t>(own)};
  result.delta = edges.width;
  Vector<Real> frontier(own), start(own, infinite);
  if (source) frontier.set(*source, Real(0));
  start(structure(frontier)) = frontier;
  Lowering<Real> distances(std::move(start));
  for (Real least = 0; least < infinite;) {
    ++result.buckets;
    const Real end = least + width > least ? least + width : infinite;
    for (auto entries = edges.count(frontier); entries > 0; entries = edges.count(frontier)) {
      ++result.steps;
      edges.relax(distances, frontier, entries);
      frontier = below(distances.lowered(), end);
    }
    const Vector<Real> left = at_least(distances.values(), end);
    least = edges.least(left);
    frontier = below(left, least + width > least ? least + width : infinite);
  }
  result.distances = below(distances.values(), infinite);
  return result;
}

/// A tree of shortest paths to these distances.
template <class Real, class T>
Vector<int64_t> parents_of(const Matrix<T>& a, const Vector<Real>& distances, Index source) {
  const Matrix<Real> d = diagonal(distances);
  const Matrix<Real> lengths = mxm(d, a, any_plus<Real>);
  const Matrix<bool> is_tight = mxm(lengths, d, any_eq<Real>);
  Graph<bool> tight(Matrix<bool>(select(is_tight, op::value_eq<bool>, true)), Direction::directed);
  return bfs<int64_t>(tight, source).parents;
}

}  // namespace detail

/// Shortest paths from `source`: A(i,j) ≥ 0 is the length of the edge from i to j. Distances have precision
/// Real (float or double). A graph of bool has no lengths: every edge counts 1, and the paths are found by
/// breadth-first search. Errors: GrB_INVALID_INDEX when source is no vertex; GrB_INVALID_VALUE when a weight
/// or delta is negative.
///
///     auto result = cugrb::shortest_paths<float>(roads, 0);
template <class Real = double, class T>
ShortestPaths<Real> shortest_paths(Graph<T>& graph, Index source, const ShortestPathsOptions& options = {}) {
  if (source >= graph.size()) {
    throw Error(GrB_INVALID_INDEX, "shortest_paths", "the source is not a vertex of the graph");
  }
  if constexpr (std::is_same_v<T, bool>) {
    auto search = bfs<int64_t>(graph, source, options.parents ? BfsOutput::both : BfsOutput::levels);
    ShortestPaths<Real> result{Vector<Real>(graph.size()), std::move(search.parents)};
    result.distances = apply(search.levels, op::identity<Real>);
    result.delta = 1;
    result.buckets = result.steps = static_cast<int>(search.depth);
    return result;
  } else {
    const detail::LocalWeights<T> edges(graph.adjacency(), options.delta);
    auto result = detail::delta_stepping<Real>(edges, graph.size(), source);
    if (options.parents) result.parents = detail::parents_of(graph.adjacency(), result.distances, source);
    return result;
  }
}

}  // namespace cugrb
