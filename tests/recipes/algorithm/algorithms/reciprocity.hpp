// Reciprocity: how many edges go both ways.
//
//     r = |{(i,j): i != j, A(i,j) and A(j,i)}| / |{(i,j): i != j, A(i,j)}|,   0 without such edges
//
// The numerator has the entries of the intersection of A and Aᵀ, without loops. Three calls. Memory: A
// without loops, its transpose, and their intersection.
//
// Source: S. Wasserman, K. Faust, "Social Network Analysis", Cambridge University Press (1994), section 13.3.
#pragma once
#include "algorithms/graph.hpp"

namespace cugrb {

struct Reciprocity {
  uint64_t edges = 0;   ///< without loops
  uint64_t mutual = 0;  ///< of these, whose reverse is an edge too
  double share = 0;     ///< mutual / edges
};

/// The reciprocity of a graph; of an undirected one it is 1, or 0 without edges.
///
///     auto result = cugrb::reciprocity(graph);
template <class T>
Reciprocity reciprocity(Graph<T>& graph) {
  const Matrix<T> a = select(graph.adjacency(), op::offdiag, 0);
  Matrix<bool> both(graph.size(), graph.size());
  both = ewise_mult(a, transpose(a), op::oneb<bool>);
  Reciprocity result{a.nvals(), both.nvals()};
  if (result.edges > 0) result.share = static_cast<double>(result.mutual) / static_cast<double>(result.edges);
  return result;
}

}  // namespace cugrb
