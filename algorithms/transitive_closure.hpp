// Transitive closure: which vertex reaches which.
//
// R(i,j) has an entry when a path of one edge or more leads from i to j; so R(i,i) has one when i is on a
// circle. By repeated squaring, over (any, pair):
//
//     R = A;   R = R ∪ R R   until R has no more entries than a round ago
//
// After k rounds R holds the paths of up to 2^k edges, so there are log2 of the longest shortest path and one
// more. An edge u → v that joins a closed graph adds all pairs of what reaches u, itself among them, and what
// v reaches, itself among them: an outer product. A batch of k edges adds k of them, and the paths that take
// several of these edges. With the edges' ends u(e), v(e) and I the identity:
//
//     X = columns u of R ∪ I     n × k      Y = rows v of R ∪ I     k × n
//     W = columns u of Y         k × k      W(e,f): the end of e reaches the beginning of f
//     R = R ∪ X (I ∪ closure of W) Y
//
// Memory: up to n² entries for R, which has no values, and as many for R R; a batch takes up to 2 k n. A
// round is a product and a union, and one number goes to the host; a batch is four parts, three products, and
// the closure of W.
//
// Sources: repeated squaring is folklore, as in T. H. Cormen, C. E. Leiserson, R. L. Rivest, C. Stein,
// "Introduction to algorithms", chapter on all-pairs shortest paths; edges one at a time after T. Ibaraki, N.
// Katoh, "On-line computation of transitive closures of graphs", Information Processing Letters 16 (1983).
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace cugrb {

struct TransitiveClosure {
  Matrix<bool> reaches;  ///< an entry (i,j), true, when a path of one edge or more leads from i to j
  int rounds = 0;        ///< squarings; the last one adds nothing
};

struct ClosureUpdateOptions {
  Index together = 64;  ///< so many edges join as one batch
};

struct ClosureUpdate {
  Index edges = 0;  ///< those that joined pairs which were not joined
  Index pairs = 0;  ///< entries that the closure has gained
  int batches = 0;
};

namespace detail {

inline TransitiveClosure closed(Matrix<bool> r) {
  TransitiveClosure result{std::move(r)};
  Matrix<bool>& reaches = result.reaches;
  for (Index count = reaches.nvals(), before = count + 1; count != before;) {
    ++result.rounds;
    const Matrix<bool> longer = mxm(reaches, reaches, any_pair<bool>);
    reaches = ewise_add(reaches, longer, op::lor<bool>);
    before = count;
    count = reaches.nvals();
  }
  return result;
}

/// An entry at (rows[k], columns[k]) for each of `count` places, none twice.
inline Matrix<bool> places(Index m, Index n, const Index* rows, const Index* columns, Index count) {
  Array<bool> values(count);
  std::fill(values.begin(), values.end(), true);
  Matrix<bool> made(m, n);
  made.build(rows, columns, values.data(), count, op::lor<bool>);
  return made;
}

/// R = R ∪ X (I ∪ closure of W) Y for the edges u[e] → v[e], e < k.
inline void add_batch(Matrix<bool>& r, const Index* u, const Index* v, Index k) {
  const Index n = r.nrows();
  std::vector<Index> numbers(k);
  for (Index e = 0; e < k; ++e) numbers[e] = e;
  const Indices from(u, k), to(v, k);
  const auto& either = op::lor<bool>;
  const Matrix<bool> columns = extract(r, all, from), rows = extract(r, to, all);
  const Matrix<bool> x = ewise_add(columns, places(n, k, u, numbers.data(), k), either);
  const Matrix<bool> y = ewise_add(rows, places(k, n, numbers.data(), v, k), either);
  const Matrix<bool> chains = closed(extract(y, all, from)).reaches;
  Matrix<bool> into = mxm(x, chains, any_pair<bool>);
  into = ewise_add(into, x, either);
  r(accumulate(either)) = mxm(into, y, any_pair<bool>);
}

}  // namespace detail

/// The transitive closure of a graph.
///
///     auto result = cugrb::transitive_closure(graph);
template <class T>
TransitiveClosure transitive_closure(const Graph<T>& graph) {
  return detail::closed(apply(graph.adjacency(), op::one<bool>));
}

/// Makes `reaches`, a transitive closure, that of its graph with new edges: an entry (i,j) of `edges` is one
/// from i to j, whatever its value. Edges between vertices that are joined already cost nothing but a look.
/// The others pass through host memory. Errors: GrB_DIMENSION_MISMATCH when the two are not square matrices
/// of one size; GrB_INVALID_VALUE when `together` is 0.
///
///     Matrix<bool> link(4, 4);
///     link.set(1, 2, true);
///     auto closure = cugrb::transitive_closure(graph);
///     cugrb::add_edges(closure.reaches, link);
inline ClosureUpdate add_edges(Matrix<bool>& reaches, const Matrix<bool>& edges,
                               const ClosureUpdateOptions& options = {}) {
  const Index n = reaches.nrows();
  if (reaches.ncols() != n || edges.nrows() != n || edges.ncols() != n) {
    throw Error(GrB_DIMENSION_MISMATCH, "add_edges", "closure and edges are square matrices of one size");
  }
  if (options.together < 1) throw Error(GrB_INVALID_VALUE, "add_edges", "together >= 1");
  Matrix<bool> joining(n, n);
  joining(!structure(reaches), replace) = edges;
  const auto list = joining.entries();
  ClosureUpdate result{list.rows.size(), 0, 0};
  const Index before = reaches.nvals();
  for (Index first = 0; first < result.edges; first += options.together) {
    const Index count = std::min(options.together, result.edges - first);
    detail::add_batch(reaches, list.rows.data() + first, list.columns.data() + first, count);
    ++result.batches;
  }
  result.pairs = reaches.nvals() - before;
  return result;
}

}  // namespace cugrb
