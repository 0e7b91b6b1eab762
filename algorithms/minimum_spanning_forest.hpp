// A minimum spanning forest by Borůvka's algorithm.
//
// Every component, at first every vertex, takes the lightest edge that leaves it; these edges belong to the
// forest and join components. Of several edges of the same weight the one with the lowest ends is taken,
// lower end first. So edges have a strict order, no circle can arise, and the forest is the only one. The
// number of components at least halves in a round.
//
// The component c(v) of each vertex is a matrix P with P(v, c(v)) = c(v) (function_matrix.hpp), and B has the
// edges between components. The lightest edge of a component is found in two steps, by weight and by ends:
//
//     w(v) = min of row v of B,   m = Pᵀ w over (min, second),   z = P m        z(v): the least weight of
//     c(v) T = the entries B(v,j) = z(v);   the same again with the ends of T's edges gives F, an entry a
//     component
//
// The hooks Pᵀ F P lead from each component to another. Two that have taken the same edge lead to each other;
// the lower one becomes a root. Then the hooks are composed with themselves until all lead to roots, P
// follows them, and B loses what has become the inside of a component.
//
// A round takes some forty calls and three more for each doubling; one number a doubling and one a round go
// to the host. Memory: A, B, and up to four matrices of 64-bit values with B's pattern.
//
// Sources: O. Borůvka, "O jistém problému minimálním", Práce Moravské přírodovědecké společnosti 3 (1926); in
// linear algebra: LAGraph's LAGraph_msf, which gives a forest of the same weight.
#pragma once
#include <type_traits>
#include <utility>

#include "function_matrix.hpp"

namespace cugrb {

template <class T>
struct SpanningForest {
  Matrix<T> edges;    ///< the forest's edges with their weights, in both directions
  double weight = 0;  ///< the sum of the weights, each edge once
  Index edge_count = 0;
  int rounds = 0;
};

namespace detail {

/// The entries of B that are the least of their component, and true.
template <class T>
Matrix<bool> least_of_component(const Matrix<T>& b, const Matrix<uint64_t>& component) {
  const Vector<T> of_vertex = reduce_rows(b, monoid::min<T>);
  const Vector<T> of_component = mxv(transpose(component), of_vertex, min_second<T>);
  const Vector<T> least = mxv(component, of_component, any_second<T>);
  const Matrix<bool> is_least = mxm(diagonal(least), b, any_eq<T>);
  return select(is_least, op::value_eq<bool>, true);
}

/// 2^32 times the lower end of each entry, and the higher end.
inline Matrix<uint64_t> ends(const Matrix<bool>& edges, const Matrix<uint64_t>& numbers) {
  const Matrix<uint64_t> row = mxm(numbers, edges, any_first<uint64_t>);
  const Matrix<uint64_t> column = mxm(edges, numbers, any_second<uint64_t>);
  const Matrix<uint64_t> low = ewise_mult(row, column, op::min<uint64_t>);
  const Matrix<uint64_t> high = ewise_mult(row, column, op::max<uint64_t>);
  const Matrix<uint64_t> shifted = apply(low, op::times<uint64_t>, uint64_t{1} << 32);
  return ewise_mult(shifted, high, op::plus<uint64_t>);
}

/// From each component to the root that its hooks lead to; from each other number to itself.
inline Matrix<uint64_t> roots_of(const Matrix<uint64_t>& hooks, const Vector<uint64_t>& own) {
  const Vector<uint64_t> next = reduce_rows(hooks, monoid::any<uint64_t>);
  const Vector<uint64_t> second = mxv(hooks, next, any_second<uint64_t>);
  const Vector<bool> mutual = ewise_mult(second, own, op::eq<uint64_t>);
  const Vector<bool> lower = ewise_mult(own, next, op::lt<uint64_t>);
  const Vector<bool> root = ewise_mult(mutual, lower, op::land<bool>);
  Vector<uint64_t> to = own;
  to(structure(next)) = next;
  to(mask(root)) = own;
  const Matrix<uint64_t> candidates = ewise_add(hooks, diagonal(own), op::second<uint64_t>);
  Matrix<uint64_t> f = choose(to, candidates);
  for (bool changed = true; changed;) {
    Vector<uint64_t> farther = mxv(f, to, any_second<uint64_t>);
    const Vector<bool> moved = ewise_mult(farther, to, op::ne<uint64_t>);
    changed = reduce(moved, monoid::lor<bool>);
    if (changed) f = mxm(f, f, any_second<uint64_t>);
    to = std::move(farther);
  }
  return f;
}

/// The edges of B whose ends are in different components.
template <class T>
Matrix<T> between_components(const Matrix<T>& b, const Matrix<uint64_t>& component) {
  const Vector<uint64_t> c = reduce_rows(component, monoid::any<uint64_t>);
  const Matrix<uint64_t> d = diagonal(c);
  const Matrix<uint64_t> of_row = mxm(d, b, any_first<uint64_t>);
  const Matrix<bool> differ = mxm(of_row, d, any_ne<uint64_t>);
  const Matrix<bool> kept = select(differ, op::value_eq<bool>, true);
  Matrix<T> result(b.nrows(), b.ncols());
  result(structure(kept)) = b;
  return result;
}

/// The forest's edges, in both directions. B has no loops.
template <class T>
Matrix<bool> boruvka(Matrix<T> b, int& rounds) {
  const Index n = b.nrows();
  const auto& follow = any_second<uint64_t>;
  const Vector<uint64_t> own = numbers(n);
  const Matrix<uint64_t> on_diagonal = diagonal(own);
  Matrix<uint64_t> component = on_diagonal;
  Matrix<bool> forest(n, n);
  while (b.nvals() > 0) {
    ++rounds;
    const Matrix<bool> lightest = least_of_component(b, component);
    const Matrix<bool> taken = least_of_component(ends(lightest, on_diagonal), component);
    const Matrix<bool> both = ewise_add(taken, transpose(taken), op::lor<bool>);
    forest = ewise_add(forest, both, op::lor<bool>);
    const Matrix<uint64_t> targets = mxm(taken, component, follow);
    const Matrix<uint64_t> hooks = mxm(transpose(component), targets, follow);
    component = mxm(component, roots_of(hooks, own), follow);
    b = between_components(b, component);
  }
  return forest;
}

}  // namespace detail

/// The minimum spanning forest of an undirected graph with weights A(i,j) = A(j,i), which may be negative.
/// Every edge of a graph of bool weighs 1. A vertex's edge to itself is in no forest. Errors:
/// GrB_INVALID_VALUE when the graph is directed or has more than 2^32 vertices.
///
///     auto result = cugrb::minimum_spanning_forest(undirected);
template <class T>
auto minimum_spanning_forest(Graph<T>& graph) {
  using Weight = std::conditional_t<std::is_same_v<T, bool>, int32_t, T>;
  if (graph.direction() != Direction::undirected) {
    throw Error(GrB_INVALID_VALUE, "minimum_spanning_forest", "spanning forests are of undirected graphs");
  }
  const Index n = graph.size();
  detail::check_32_bits(n, "minimum_spanning_forest");
  SpanningForest<Weight> result{Matrix<Weight>(n, n)};
  if (n == 0) return result;
  const Matrix<Weight> b = select(graph.adjacency(), op::offdiag, 0);
  const Matrix<bool> forest = detail::boruvka(b, result.rounds);
  result.edges(structure(forest)) = b;
  result.weight = reduce(result.edges, monoid::plus<double>) / 2;
  result.edge_count = result.edges.nvals() / 2;
  return result;
}

}  // namespace cugrb
