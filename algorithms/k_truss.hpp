// The k-truss of an undirected graph.
//
// It is the largest set of edges each of which is in k - 2 triangles or more of that set. Edges with fewer
// are dropped until none is left to drop:
//
//     S = (C C) .* C over (plus, pair)        S(i,j): the triangles of the edge (i,j)
//     C = the entries of S that are at least k - 2
//
// The product is computed where C has an entry only. A round takes two calls, and one number goes to the
// host. Memory: A without loops, and two matrices of counts with C's pattern.
//
// Sources: J. Cohen, "Trusses: cohesive subgraphs for social network analysis", NSA technical report (2008);
// T. Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and k-truss", HPEC 2018. The
// result is that of LAGraph's LAGraph_KTruss.
#pragma once
#include "graph.hpp"

namespace cugrb {

struct KTruss {
  Matrix<int64_t> edges;  ///< an entry in both directions for each edge: how many triangles it is in
  int rounds = 0;         ///< how many were done; the last one drops nothing
};

/// The k-truss of an undirected graph, k ≥ 3; a vertex's edge to itself is in no truss. Errors:
/// GrB_INVALID_VALUE when the graph is directed, or k below 3.
///
///     auto result = cugrb::k_truss(undirected, 3);
template <class T>
KTruss k_truss(Graph<T>& graph, int64_t k) {
  if (graph.direction() != Direction::undirected) {
    throw Error(GrB_INVALID_VALUE, "k_truss", "trusses are parts of undirected graphs");
  }
  if (k < 3) throw Error(GrB_INVALID_VALUE, "k_truss", "k >= 3");
  const Index n = graph.size();
  const Matrix<T> start = select(graph.adjacency(), op::offdiag, 0);
  KTruss result{apply(start, op::one<int64_t>)};
  Matrix<int64_t>& edges = result.edges;
  for (Index count = edges.nvals(), before = 0; count != before;) {
    ++result.rounds;
    Matrix<int64_t> support(n, n);
    support(structure(edges)) = mxm(edges, edges, plus_pair<int64_t>);
    edges = select(support, op::value_ge<int64_t>, k - 2);
    before = count;
    count = edges.nvals();
  }
  return result;
}

}  // namespace cugrb
