// Shortest paths from one vertex, by delta-stepping.
//
// The tentative distances t begin at 0 for the source and at infinity elsewhere. They are settled in buckets
// of width Δ, nearest first. With L the edges of weight at most Δ (light) and H the others (heavy), the
// bucket [l, l + Δ) is done so:
//
//     q = the vertices with t in the bucket
//     until q is empty:   r = qᵀ L over (min, plus);   t = min(t, r);   q = those lowered, in the bucket
//     then once:          t = min(t, sᵀ H)             with s all vertices of the bucket, which are final
//
// A light edge may lead back into the bucket, a heavy one cannot. The next bucket begins at the least
// distance that is left, so none is empty. With a small Δ few vertices are looked at twice (Dijkstra's
// algorithm), with a large Δ there are few steps (Bellman's and Ford's). Meyer and Sanders advise the largest
// weight over the mean degree. Here Δ is by default eight times that: a step is a fixed number of calls, each
// at its price, and so a wide frontier in few steps costs less than its edges that are followed twice (as
// Davidson and others find on GPUs, whose factor is 32 for the mean weight). Where rounding makes l + Δ no
// more than l, everything that is left is one bucket, and all edges are light.
//
// A step is five calls and one number to the host; a bucket is five more. Memory: A, L and H, which hold A's
// entries once more together, and 6 vectors. Parents are found afterwards: an edge (i, j) is tight when
// d(i) + A(i,j) = d(j), and a breadth-first search over the tight edges gives each vertex a parent. So
// weights of 0 make no circles, and of all shortest paths one with the fewest edges is found. It takes two
// passes over A and a copy of it with its transpose.
//
// Sources: U. Sridhar, M. Blanco, R. Mayuranath, D. G. Spampinato, T. M. Low, S. McMillan, "Delta-stepping
// SSSP: from vertices and edges to GraphBLAS implementations", GrAPL 2019; U. Meyer, P. Sanders, "Δ-stepping:
// a parallelizable shortest path algorithm", Journal of Algorithms 49 (2003); A. Davidson, S. Baxter, M.
// Garland, J. D. Owens, "Work-efficient parallel GPU methods for single-source shortest paths", IPDPS 2014.
// The distances are those of LAGraph's LAGr_SingleSourceShortestPath, which has entries of infinity where
// there are none here.
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
  int steps = 0;  ///< products with light edges
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

/// Δ as a weight: an edge is light when its weight is at most that. The graph has n vertices and `entries`
/// edges, whose weights lie between `least` and `most`. Errors: see shortest_paths.
template <class T>
T light_limit(Index n, Index entries, T least, T most, double delta) {
  if (!(delta >= 0)) throw Error(GrB_INVALID_VALUE, "shortest_paths", "delta >= 0");
  if (entries == 0) return T(1);
  if (least < T(0)) {
    throw Error(GrB_INVALID_VALUE, "shortest_paths", "an edge has a negative weight");
  }
  if (delta == 0) {
    constexpr double buckets_in_one = 8;
    delta =
        buckets_in_one * static_cast<double>(most) * static_cast<double>(n) / static_cast<double>(entries);
  }
  if (delta >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return std::is_integral_v<T> ? std::max(T(1), static_cast<T>(delta)) : static_cast<T>(delta);
}

enum class EdgeKind { light, heavy, any };

/// The edges of a graph in one process. (algorithms/distributed/shortest_paths.hpp has those of several.)
template <class T>
class LocalWeights {
 public:
  LocalWeights(const Matrix<T>& a, double delta)
      : limit(light_limit(a.nrows(), a.nvals(), reduce(a, monoid::min<T>), reduce(a, monoid::max<T>), delta)),
        all_(a),
        light_(select(a, op::value_le<T>, limit)),
        heavy_(select(a, op::value_gt<T>, limit)) {}

  const T limit;
  bool any_heavy() const { return heavy_.nvals() > 0; }
  template <class Real>
  void relax(Lowering<Real>& distances, const Vector<Real>& from, EdgeKind kind) const {
    distances(from,
              kind == EdgeKind::light   ? light_
              : kind == EdgeKind::heavy ? heavy_
                                        : all_,
              min_plus<Real>);
  }
  /// Whether a vector has entries in any process, and the least of all.
  template <class Real>
  bool any(const Vector<Real>& part) const {
    return part.nvals() > 0;
  }
  template <class Real>
  Real least(const Vector<Real>& part) const {
    return reduce(part, monoid::min<Real>);
  }

 private:
  const Matrix<T>& all_;
  const Matrix<T> light_, heavy_;
};

/// `start` has 0 for the source, if it is here, and infinity elsewhere.
template <class Real, class Edges>
ShortestPaths<Real> delta_stepping(const Edges& edges, Vector<Real> start) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  const bool any_heavy = edges.any_heavy();
  const Real width = static_cast<Real>(edges.limit);
  ShortestPaths<Real> result{Vector<Real>(start.size()), Vector<int64_t>(start.size())};
  result.delta = static_cast<double>(width);
  Lowering<Real> distances(std::move(start));
  for (Real least = 0; least < infinite;) {
    ++result.buckets;
    const bool bounded = least + width > least;
    const Real end = bounded ? least + width : infinite;
    Vector<Real> frontier = below(at_least(distances.values(), least), end);
    while (edges.any(frontier)) {
      ++result.steps;
      edges.relax(distances, frontier, bounded ? EdgeKind::light : EdgeKind::any);
      frontier = below(distances.lowered(), end);
    }
    if (!bounded) break;
    if (any_heavy) edges.relax(distances, below(at_least(distances.values(), least), end), EdgeKind::heavy);
    least = edges.least(at_least(distances.values(), end));
  }
  result.distances = below(distances.values(), infinite);
  return result;
}

/// Infinity everywhere, but 0 for the source, if it is here.
template <class Real>
Vector<Real> start_of_paths(Index own, std::optional<Index> source) {
  Vector<Real> start(own, std::numeric_limits<Real>::infinity());
  if (source) start.set(*source, Real(0));
  return start;
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
    auto result = detail::delta_stepping(edges, detail::start_of_paths<Real>(graph.size(), source));
    if (options.parents) result.parents = detail::parents_of(graph.adjacency(), result.distances, source);
    return result;
  }
}

}  // namespace cugrb
