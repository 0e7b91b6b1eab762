// Local clustering coefficients.
//
// Of all pairs of a vertex's neighbours, how many are linked:
//
//     c(v) = |{(u,w): u, w in N(v), an edge from u to w}| / (d (d - 1)),   d = |N(v)|,   0 when d < 2
//
// where N(v) are the vertices with an edge to v or from v, without v. In an undirected graph each link counts
// in both directions. With N the matrix of these neighbours, and A without loops, the counts are the row sums
// of
//
//     (N A) .* N over (plus, pair)
//
// computed only where N has an entry. In an undirected graph N is A, and the sums are twice the triangles.
// Eight calls. Memory: A without loops (directed graphs: and its transpose and N), a matrix of counts with
// N's pattern, and 5 vectors.
//
// Sources: D. J. Watts, S. H. Strogatz, "Collective dynamics of 'small-world' networks", Nature 393 (1998);
// for directed graphs: A. Iosup and others, "The LDBC Graphalytics benchmark" (2020), section 2.3.5. The
// result is that of LAGraph's LAGraph_lcc, which has no entry where there is a 0 here.
#pragma once
#include <utility>

#include "graph.hpp"

namespace cugrb {

template <class Real>
struct LocalClustering {
  Vector<Real> coefficients;  ///< one for every vertex, from 0 to 1
  double average = 0;         ///< their mean; 0 without vertices
};

/// The clustering coefficient of every vertex in precision Real (float or double).
///
///     auto result = cugrb::local_clustering<float>(undirected);
template <class Real = double, class T>
LocalClustering<Real> local_clustering(Graph<T>& graph) {
  const Index n = graph.size();
  LocalClustering<Real> result{Vector<Real>(n, Real(0))};
  if (n == 0) return result;
  const Matrix<T> a = select(graph.adjacency(), op::offdiag, 0);
  Matrix<T> either(n, n);
  const bool directed = graph.direction() == Direction::directed;
  if (directed) either = ewise_add(a, transpose(a), op::any<T>);
  const Matrix<T>& around = directed ? either : a;
  Matrix<int64_t> links(n, n);
  links(structure(around)) = mxm(around, a, plus_pair<int64_t>);
  const Vector<int64_t> linked = reduce_rows(links, monoid::plus<int64_t>);
  const Vector<bool> every(n, true);
  const Vector<int64_t> degree = mxv(around, every, plus_pair<int64_t>);
  Vector<int64_t> pairs = apply(degree, op::minus<int64_t>, 1);
  pairs *= degree;
  result.coefficients(structure(linked)) = ewise_mult(linked, pairs, op::div<Real>);
  result.average =
      static_cast<double>(reduce(result.coefficients, monoid::plus<Real>)) / static_cast<double>(n);
  return result;
}

}  // namespace cugrb
