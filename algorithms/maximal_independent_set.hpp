// A maximal independent set by Luby's algorithm.
//
// No two members are neighbours, and every other vertex is a neighbour of a member. Every vertex has a random
// number r, all different. In a round, with r at the vertices that are left:
//
//     h = A r over (max, second)              the highest number among a vertex's neighbours that are left
//     m = {v: no h(v) is above r(v)}          become members
//     r loses m and the neighbours of m
//
// The numbers stay the same in all rounds, so the set is the one that a loop over the vertices by falling
// numbers would give, and rounds are in the order of log n. A round takes eight calls, and one number goes to
// the host. Memory: A and 6 vectors.
//
// Sources: M. Luby, "A simple parallel algorithm for the maximal independent set problem", SIAM Journal on
// Computing 15 (1986); for numbers that stay: G. Blelloch, J. Fineman, J. Shun, "Greedy sequential maximal
// independent set and matching are parallel on average", SPAA 2012. LAGraph's LAGraph_MaximalIndependentSet
// gives a set with the same properties.
#pragma once
#include "function_matrix.hpp"

namespace cugrb {

struct MaximalIndependentSet {
  Vector<bool> members;  ///< an entry for every member
  int rounds = 0;
};

/// A maximal independent set of an undirected graph; a vertex's edge to itself does not count. The same seed
/// gives the same set. Errors: GrB_INVALID_VALUE when the graph is directed, or has more than 2^32 vertices.
///
///     auto result = cugrb::maximal_independent_set(undirected);
template <class T>
MaximalIndependentSet maximal_independent_set(Graph<T>& graph, uint64_t seed = 0) {
  if (graph.direction() != Direction::undirected) {
    throw Error(GrB_INVALID_VALUE, "maximal_independent_set", "independent sets are of undirected graphs");
  }
  const Index n = graph.size();
  detail::check_32_bits(n, "maximal_independent_set");
  const Matrix<T>& a = graph.adjacency();
  MaximalIndependentSet result{Vector<bool>(n)};
  if (n == 0) return result;
  Vector<uint64_t> left = detail::random_keys(n, seed);
  while (left.nvals() > 0) {
    ++result.rounds;
    Vector<uint64_t> highest(n), chosen(n);
    highest(structure(left)) = mxv(a, left, max_second<uint64_t>);
    const Vector<bool> beaten = ewise_mult(left, highest, op::lt<uint64_t>);
    chosen(!mask(beaten)) = left;
    result.members(structure(chosen)) = true;
    const Vector<bool> covered = vxm(chosen, a, any_pair<bool>);
    left(!structure(chosen), replace) = left;
    left(!structure(covered), replace) = left;
  }
  return result;
}

}  // namespace cugrb
