// Core numbers by peeling.
//
// The k-core of an undirected graph is its largest part in which every vertex has k neighbours or more. The
// core number of a vertex is the highest k whose core it belongs to. With d(v) the number of v's neighbours
// that are left, a step takes off all vertices with d(v) ≤ k at once:
//
//     k = max(k, min d);   p = {v: d(v) ≤ k} get the number k;   d = d - A p over (plus, pair), where d is
//     left
//
// Vertices with an entry in d are those that are left. A vertex's edge to itself does not count. A step takes
// five calls, and one number goes to the host. There are as many steps as the peeling has layers: tens in a
// social network, n/2 in a path. Memory: A and 5 vectors.
//
// Sources: S. B. Seidman, "Network structure and minimum degree", Social Networks 5 (1983); V. Batagelj,
// M. Zaveršnik, "An O(m) algorithm for cores decomposition of networks" (2003), here layer by layer as in
// LAGraph's LAGraph_KCore_All, whose result this is.
#pragma once
#include <algorithm>
#include <limits>

#include "graph.hpp"

namespace cugrb {

struct KCore {
  Vector<int64_t> cores;   ///< the core number of every vertex
  int64_t degeneracy = 0;  ///< the highest core number
  int steps = 0;           ///< layers that were peeled off
};

namespace detail {

/// The neighbours of each vertex, itself not counted; no entry where there are none or a loop alone.
template <class T>
Vector<int64_t> neighbour_counts(Graph<T>& graph) {
  const Vector<bool> every(graph.size(), true);
  const Matrix<T> loops = select(graph.adjacency(), op::diag, 0);
  Vector<int64_t> counts = graph.out_degree();
  counts -= mxv(loops, every, plus_pair<int64_t>);
  return select(counts, op::value_gt<int64_t>, 0);
}

}  // namespace detail

/// The core number of every vertex of an undirected graph. Errors: GrB_INVALID_VALUE when the graph is
/// directed.
///
///     auto result = cugrb::k_core(undirected);
template <class T>
KCore k_core(Graph<T>& graph) {
  if (graph.direction() != Direction::undirected) {
    throw Error(GrB_INVALID_VALUE, "k_core", "cores are parts of undirected graphs");
  }
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  const Matrix<T>& a = graph.adjacency();
  KCore result{Vector<int64_t>(graph.size(), int64_t{0})};
  Vector<int64_t> left = detail::neighbour_counts(graph);
  while (true) {
    const int64_t least = reduce(left, monoid::min<int64_t>);
    if (least == none) return result;
    int64_t& k = result.degeneracy;
    k = std::max(k, least);
    ++result.steps;
    const Vector<int64_t> peeled = select(left, op::value_le<int64_t>, k);
    result.cores(structure(peeled)) = k;
    left = select(left, op::value_gt<int64_t>, k);
    left(structure(left), accumulate(op::minus<int64_t>)) = vxm(peeled, a, plus_pair<int64_t>);
  }
}

}  // namespace cugrb
