// Connected components by FastSV: the lowest vertex of each, whatever the graph's diameter.
//
// Every vertex i has a parent f(i) ≤ i; at first it is its own. Parents form trees, and an iteration brings
// neighbouring trees together and makes all trees flatter. With g = f∘f, the grandparents, and m(i) the least
// grandparent of a neighbour of i:
//
//     stochastic hooking   f(f(i)) ← m(i)        the parent of i hangs on to the neighbour's tree
//     aggressive hooking   f(i)    ← m(i)        so does i itself
//     shortcutting         f(i)    ← g(i)
//
// each where it lowers f. When nothing is lowered, all trees are stars, and each component is one of them.
// Its root is its lowest vertex. Real graphs take a handful of iterations; a path of n vertices some log2(n).
//
// Here f is a matrix F with F(i, f(i)) = f(i) (function_matrix.hpp), because a list of indices would have to
// pass through host memory. With M the same for m, an iteration is
//
//     G = F F      x(i) = 2^32 g(i) + i      m = A x over (min, second)
//     W = the entries of A that m names      M = W G
//     C = G ∪ M ∪ Fᵀ M                       f' = the least column in each row of C,  F' = those entries
//
// x has the neighbour below its grandparent, so that the least value also names the neighbour that has it.
// One product with A and two passes over it, the rest is over matrices with at most one entry a row, or n in
// all. Memory: A, a matrix of 64-bit values with A's pattern, and some 6 matrices and 4 vectors of n entries.
//
// Source: Y. Zhang, A. Azad, Z. Hu, "FastSV: a distributed-memory connected component algorithm with fast
// convergence", PP 2020.
#pragma once
#include <utility>

#include "function_matrix.hpp"

namespace cugrb::detail {

struct Forest {
  Vector<uint64_t> roots;  ///< of every vertex: the lowest vertex of its component
  int iterations = 0;      ///< how many were done; the last one changes nothing
};

/// The relation of the next parents: F F, M and Fᵀ M.
template <class T>
Matrix<uint64_t> parent_candidates(const Matrix<T>& a, const Matrix<uint64_t>& f,
                                   const Vector<uint64_t>& parents, const Vector<uint64_t>& numbers) {
  const auto& follow = any_second<uint64_t>;
  Vector<uint64_t> key = mxv(f, parents, follow);
  key = apply(key, op::times<uint64_t>, uint64_t{1} << 32);
  key += numbers;
  const Vector<uint64_t> least = mxv(a, key, min_second<uint64_t>);
  const Matrix<uint64_t> grandparents = mxm(f, f, follow);
  const Matrix<uint64_t> hooks = mxm(choose(least, a), grandparents, follow);
  const Matrix<uint64_t> of_parents = mxm(transpose(f), hooks, follow);
  const Matrix<uint64_t> both = ewise_add(grandparents, hooks, op::second<uint64_t>);
  return ewise_add(both, of_parents, op::second<uint64_t>);
}

/// `a` has a symmetric pattern.
template <class T>
Forest fast_sv(const Matrix<T>& a) {
  const Vector<uint64_t> own = numbers(a.nrows());
  Forest result{own};
  Vector<uint64_t>& parents = result.roots;
  Matrix<uint64_t> f = diagonal(own);
  for (bool changed = true; changed;) {
    ++result.iterations;
    const Matrix<uint64_t> candidates = parent_candidates(a, f, parents, own);
    Vector<uint64_t> next = reduce_rows(candidates, monoid::min<uint64_t>);
    const Vector<bool> lowered = ewise_mult(next, parents, op::ne<uint64_t>);
    changed = reduce(lowered, monoid::lor<bool>);
    if (changed) f = choose(next, candidates);
    parents = std::move(next);
  }
  return result;
}

}  // namespace cugrb::detail
