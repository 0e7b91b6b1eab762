// Vertices in aggregates, around the vertices of a maximal independent set of distance 2.
//
// No two roots are within two edges of each other, and every vertex has a root within two edges. Each vertex
// has a random key k(i) > 0, which no other one has. With C the graph, its loops included, and k(i) = 0 at
// the vertices that are decided:
//
//     m = C (C k) over (max, second)     the highest key within two edges
//     r(i) = k(i) where that is m(i)     the roots of this step; 0 elsewhere
//     k(i) = 0 where (C (C r))(i) > 0    over (max, second)
//
// until all keys are 0: Luby's algorithm on C², which is never made. Zeros stand for missing entries, so that
// every vector is full: no product has to know how many entries its vector has. A step is four products and
// passes over vectors, and one number goes to the host; there are in the order of log(n) steps. An aggregate
// is a root with the vertices next to it. A vertex that is next to none joins an aggregate of a neighbour,
// the one with the lowest number.
//
// Memory: C, 6 vectors, and a matrix with an entry for each vertex and each aggregate within two edges of it.
//
// Sources: N. Bell, S. Dalton, L. N. Olson, "Exposing fine-grained parallelism in algebraic multigrid
// methods", SISC 34 (2012), sections 4.1 and 4.2; M. Luby, "A simple parallel algorithm for the maximal
// independent set problem", SIAM Journal on Computing 15 (1986).
#pragma once
#include "function_matrix.hpp"

namespace cugrb {

namespace detail {

/// The highest value of v within two edges of C.
inline Vector<uint64_t> highest_within_two(const Matrix<bool>& c, const Vector<uint64_t>& v) {
  const Vector<uint64_t> within_one = mxv(c, v, max_second<uint64_t>);
  return mxv(c, within_one, max_second<uint64_t>);
}

}  // namespace detail

/// A maximal set of vertices no two of which are within two edges of each other: an entry for each. The graph
/// `c` has a symmetric pattern and a loop at every vertex (both trusted). Errors: GrB_INVALID_VALUE when it
/// has more than 2^32 vertices.
inline Vector<bool> independent_set_of_distance_2(const Matrix<bool>& c, uint64_t seed = 0) {
  const Index n = c.nrows();
  detail::check_32_bits(n, "independent_set_of_distance_2");
  Vector<uint64_t> roots(n, 0), left = detail::random_keys(n, seed);
  left = apply(left, op::max<uint64_t>, uint64_t{1});  // one key may be 0; no other one is 1 then
  for (bool undecided = n > 0; undecided; undecided = reduce(left, monoid::max<uint64_t>) > 0) {
    const Vector<uint64_t> highest = detail::highest_within_two(c, left);
    const Vector<uint64_t> is_highest = ewise_mult(left, highest, op::iseq<uint64_t>);
    const Vector<uint64_t> chosen = ewise_mult(left, is_highest, op::times<uint64_t>);
    roots = ewise_mult(roots, chosen, op::max<uint64_t>);
    const Vector<uint64_t> nearest = detail::highest_within_two(c, chosen);
    const Vector<uint64_t> is_open = apply(nearest, op::iseq<uint64_t>, uint64_t{0});
    left = ewise_mult(left, is_open, op::times<uint64_t>);
  }
  const Vector<uint64_t> members = select(roots, op::value_ne<uint64_t>, uint64_t{0});
  return apply(members, op::one<bool>);
}

/// The aggregates of these roots: an n × m matrix with one entry a row, in the column of the vertex's
/// aggregate; values are the columns. The aggregates have the order of their roots. `c` is that of
/// independent_set_of_distance_2. The m roots pass through host memory.
inline Matrix<uint64_t> aggregates(const Matrix<bool>& c, const Vector<bool>& roots) {
  const auto list = roots.entries();
  const Index n = c.nrows(), m = list.indices.size();
  Array<Index> numbers(m);
  for (Index k = 0; k < m; ++k) numbers[k] = k;
  Vector<uint64_t> own(n);
  own.build(list.indices.data(), numbers.data(), m, op::first<uint64_t>);
  Matrix<bool> of_roots(n, m);
  of_roots.build(list.indices.data(), numbers.data(), list.values.data(), m, op::first<bool>);

  const Vector<uint64_t> next_to_roots = mxv(c, own, min_second<uint64_t>);
  const Vector<uint64_t> others = mxv(c, next_to_roots, min_second<uint64_t>);
  const Vector<uint64_t> number = ewise_add(next_to_roots, others, op::first<uint64_t>);
  const Matrix<bool> within_one = mxm(c, of_roots, any_pair<bool>);
  const Matrix<bool> within_two = mxm(c, within_one, any_pair<bool>);
  return detail::choose(number, within_two);
}

}  // namespace cugrb
