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
// algorithm), with a large Δ there are few steps (Bellman's and Ford's). Here Δ is by default the largest
// weight over the mean degree, as Meyer and Sanders advise. Where rounding makes l + Δ no more than l,
// everything that is left is one bucket, and all edges are light.
//
// A step is five calls and one number to the host; a bucket is five more. Memory: A, L and H, which hold A's
// entries once more together, and 6 vectors. Parents are found afterwards: an edge (i, j) is tight when
// d(i) + A(i,j) = d(j), and a breadth-first search over the tight edges gives each vertex a parent. So
// weights of 0 make no circles, and of all shortest paths one with the fewest edges is found. It takes two
// passes over A and a copy of it with its transpose.
//
// Sources: U. Sridhar, M. Blanco, R. Mayuranath, D. G. Spampinato, T. M. Low, S. McMillan, "Delta-stepping
// SSSP: from vertices and edges to GraphBLAS implementations", GrAPL 2019; U. Meyer, P. Sanders, "Δ-stepping:
// a parallelizable shortest path algorithm", Journal of Algorithms 49 (2003). The distances are those of
// LAGraph's LAGr_SingleSourceShortestPath, which has entries of infinity where there are none here.
#pragma once
#include <algorithm>
#include <limits>
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

/// Δ as a weight: an edge is light when its weight is at most that. Errors: see shortest_paths.
template <class T>
T light_limit(const Matrix<T>& a, double delta) {
  if (!(delta >= 0)) throw Error(GrB_INVALID_VALUE, "shortest_paths", "delta >= 0");
  if (a.nvals() == 0) return T(1);
  if (reduce(a, monoid::min<T>) < T(0)) {
    throw Error(GrB_INVALID_VALUE, "shortest_paths", "an edge has a negative weight");
  }
  if (delta == 0) {
    delta = static_cast<double>(reduce(a, monoid::max<T>)) * static_cast<double>(a.nrows()) /
            static_cast<double>(a.nvals());
  }
  if (delta >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return std::is_integral_v<T> ? std::max(T(1), static_cast<T>(delta)) : static_cast<T>(delta);
}

template <class Real, class T>
ShortestPaths<Real> delta_stepping(const Matrix<T>& a, Index source, double delta) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  const T limit = light_limit(a, delta);
  const Matrix<T> light = select(a, op::value_le<T>, limit), heavy = select(a, op::value_gt<T>, limit);
  const bool any_heavy = heavy.nvals() > 0;
  const Real width = static_cast<Real>(limit);
  ShortestPaths<Real> result{Vector<Real>(a.nrows()), Vector<int64_t>(a.nrows())};
  result.delta = static_cast<double>(width);
  Vector<Real> start(a.nrows(), infinite);
  start.set(source, Real(0));
  Lowering<Real> relax(std::move(start));
  for (Real least = 0; least < infinite;) {
    ++result.buckets;
    const bool bounded = least + width > least;
    const Real end = bounded ? least + width : infinite;
    Vector<Real> frontier = below(at_least(relax.values(), least), end);
    while (frontier.nvals() > 0) {
      ++result.steps;
      relax(frontier, bounded ? light : a, min_plus<Real>);
      frontier = below(relax.lowered(), end);
    }
    if (!bounded) break;
    if (any_heavy) relax(below(at_least(relax.values(), least), end), heavy, min_plus<Real>);
    least = reduce(at_least(relax.values(), end), monoid::min<Real>);
  }
  result.distances = below(relax.values(), infinite);
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
    auto result = detail::delta_stepping<Real>(graph.adjacency(), source, options.delta);
    if (options.parents) result.parents = detail::parents_of(graph.adjacency(), result.distances, source);
    return result;
  }
}

}  // namespace cugrb
