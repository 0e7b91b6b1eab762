// Strongly connected components by colouring.
//
// Two vertices are strongly connected when each can be reached from the other. Every vertex has a random
// number, all different. In a round the vertices that are left begin with these as colours c, and then
//
//     forwards    c = min(c, cᵀ A) over (min, first), until nothing is lowered
//                 c(v) is now the least number of all vertices from which v can be reached
//     prune       only edges between vertices of the same colour stay in A
//     backwards   from the vertices that have kept their own colour: what reaches them in A is their
//     component
//
// since a component has one colour. What is found leaves. A chain of components takes rounds in the order of
// the logarithm of its length, because the numbers are random and the pruned parts are coloured side by side.
// A round takes as many steps as its searches have levels, at four calls forwards and three backwards.
// Memory: A, and for the edges that are left A twice more, once with 64-bit values, and 6 vectors.
//
// Sources: S. Orzan, "On distributed verification and verified distribution", thesis, VU Amsterdam (2004);
// G. M. Slota, S. Rajamanickam, K. Madduri, "BFS and coloring-based parallel algorithms for strongly
// connected components and related problems", IPDPS 2014. The parts are those of LAGraph's LAGraph_scc.
#pragma once
#include <utility>

#include "function_matrix.hpp"
#include "lowering.hpp"

namespace cugrb {

struct StronglyConnectedComponents {
  Vector<int64_t> components;  ///< of every vertex: one vertex of its component, the same for all of these
  Index count = 0;             ///< how many components there are
  int rounds = 0;
};

namespace detail {

/// Colours as they are when nothing is lowered by an edge.
inline Vector<uint64_t> spread(Vector<uint64_t> colours, const Matrix<bool>& edges) {
  Vector<uint64_t> frontier = colours;
  Lowering<uint64_t> lower(std::move(colours));
  while (frontier.nvals() > 0) {
    lower(frontier, edges, min_first<uint64_t>);
    frontier = lower.lowered();
  }
  return lower.values();
}

/// The edges between vertices of the same colour.
inline Matrix<bool> of_same_colour(const Matrix<bool>& edges, const Vector<uint64_t>& colours) {
  const Matrix<uint64_t> d = diagonal(colours);
  const Matrix<uint64_t> first = mxm(d, edges, any_first<uint64_t>);
  const Matrix<bool> same = mxm(first, d, any_eq<uint64_t>);
  return select(same, op::value_eq<bool>, true);
}

/// `found` gets an entry for everything that reaches one of `roots`.
inline void search_backwards(Vector<bool>& found, const Vector<uint64_t>& roots, const Matrix<bool>& edges) {
  const Matrix<bool> backwards = transposed(edges);
  Vector<bool> frontier = apply(roots, op::one<bool>);
  while (frontier.nvals() > 0) {
    found(structure(frontier)) = true;
    frontier(!structure(found), replace) = vxm(frontier, backwards, any_pair<bool>);
  }
}

}  // namespace detail

/// The strongly connected components. Errors: GrB_INVALID_VALUE when the graph has more than 2^32 vertices.
///
///     auto result = cugrb::strongly_connected_components(graph);
template <class T>
StronglyConnectedComponents strongly_connected_components(Graph<T>& graph) {
  const Index n = graph.size();
  detail::check_32_bits(n, "strongly_connected_components");
  StronglyConnectedComponents result{Vector<int64_t>(n)};
  if (n == 0) return result;
  Matrix<bool> edges = apply(graph.adjacency(), op::one<bool>);
  Vector<bool> found(n);
  const Vector<uint64_t> keys = detail::random_keys(n, 0);
  Vector<uint64_t> colours = keys;
  while (colours.nvals() > 0) {
    ++result.rounds;
    colours = detail::spread(std::move(colours), edges);
    edges = detail::of_same_colour(edges, colours);
    const Vector<uint64_t> roots = select(colours, cugrb_names_its_place, false);
    result.count += roots.nvals();
    detail::search_backwards(found, roots, edges);
    Vector<uint64_t> names(n);
    names(structure(found), replace) = apply(colours, op::band<uint64_t>, UINT32_MAX);
    result.components(structure(names)) = names;
    colours(!structure(found), replace) = keys;
  }
  return result;
}

}  // namespace cugrb
