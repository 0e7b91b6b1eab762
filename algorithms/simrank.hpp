// SimRank: two vertices are similar when similar vertices point at them.
//
//     s(i,i) = 1,   s(i,j) = c / (|in(i)| |in(j)|) Σ over a → i, b → j of s(a,b),   0 when in(i) or in(j) is
//     empty
//
// with 0 < c < 1, iterated from S = I. As linear algebra, with W(a,i) = 1/|in(i)| for an edge a → i:
//
//     T = S W,   S' = c Wᵀ T off the diagonal, 1 on it
//
// which are two matrix products an iteration. Here √c is folded into W, so that c costs nothing, and the
// second product is computed only off the diagonal. After k iterations no similarity is more than c^(k+1)
// below its limit (Lizorkin and others, Proposition 1). Similarities below `threshold` are dropped after
// every iteration, which keeps S sparse: S without dropping has an entry for every pair that has a common
// ancestor at the same distance, in connected graphs soon all n². No similarity is lower for it by more than
// threshold/(1 - c).
//
// Memory: A, W, two matrices S (and a third while they are compared), T.
//
// Sources: G. Jeh, J. Widom, "SimRank: a measure of structural-context similarity", KDD 2002; as products of
// sparse matrices: Y.-Y. Jo, S.-W. Kim, D.-H. Bae, "Efficient sparse matrix multiplication on GPU for large
// social network analysis", CIKM 2015, equations 5 and 6; dropping and the bound: D. Lizorkin, P. Velikhov,
// M. Grinev, D. Turdakov, "Accuracy estimate and optimization techniques for SimRank computation", VLDB 2008.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace cugrb {

struct SimRankOptions {
  double decay = 0.8;       ///< c, in (0, 1)
  double threshold = 1e-4;  ///< similarities below it are dropped; 0: none
  double tolerance = 1e-3;  ///< ends when no similarity changes by more; 0: runs all iterations
  int iteration_limit = 20;
};

template <class Real>
struct SimRank {
  Matrix<Real> similarities;  ///< symmetric, with 1 on the diagonal; no entry: 0, or below the threshold
  int iterations = 0;         ///< how many were done
  bool converged = false;     ///< whether the tolerance was reached
  double residual = 0;        ///< the largest change in the last iteration
};

namespace detail {

/// The n × n matrix with these values on its diagonal.
template <class Real>
Matrix<Real> diagonal(const Array<Index>& places, const Array<Real>& values, Index n) {
  Matrix<Real> d(n, n);
  d.build(places.data(), places.data(), values.data(), places.size(), op::plus<Real>);
  return d;
}

template <class Real>
Matrix<Real> identity(Index n) {
  Array<Index> places(n);
  Array<Real> ones(n);
  for (Index i = 0; i < n; ++i) {
    places[i] = i;
    ones[i] = Real(1);
  }
  return diagonal(places, ones, n);
}

/// scale · W: every edge a → i has scale / |in(i)|.
template <class Real, class T>
Matrix<Real> in_normalised(Graph<T>& graph, double scale) {
  const Index n = graph.size();
  const Vector<int64_t> every(n, 0);
  const Vector<int64_t> in_degree = mxv(graph.transposed(), every, plus_pair<int64_t>);
  const auto degrees = in_degree.entries();
  Array<Real> weights(degrees.values.size());
  for (Index k = 0; k < weights.size(); ++k) {
    weights[k] = static_cast<Real>(scale / static_cast<double>(degrees.values[k]));
  }
  return mxm(graph.adjacency(), diagonal(degrees.indices, weights, n), plus_second<Real>);
}

/// max |A - B|, a missing entry being 0.
template <class Real>
double largest_difference(const Matrix<Real>& a, const Matrix<Real>& b) {
  Matrix<Real> change = ewise_add(a, b, op::minus<Real>);
  change = apply(change, op::abs<Real>);
  return change.nvals() == 0 ? 0 : static_cast<double>(reduce(change, monoid::max<Real>));
}

inline void check_simrank(const SimRankOptions& options) {
  if (!(options.decay > 0 && options.decay < 1) || !(options.threshold >= 0 && options.threshold < 1) ||
      !(options.tolerance >= 0) || options.iteration_limit < 1) {
    throw Error(GrB_INVALID_VALUE, "simrank",
                "decay is in (0,1), threshold in [0,1), tolerance >= 0, iteration_limit >= 1");
  }
}

}  // namespace detail

/// The similarities of all pairs of a graph's vertices in precision Real (float or double). Errors:
/// GrB_INVALID_VALUE for options out of range.
///
///     auto result = cugrb::simrank<float>(graph);
template <class Real = float, class T>
SimRank<Real> simrank(Graph<T>& graph, const SimRankOptions& options = {}) {
  detail::check_simrank(options);
  const Index n = graph.size();
  const Matrix<Real> ones = detail::identity<Real>(n);
  const Matrix<Real> w = detail::in_normalised<Real>(graph, std::sqrt(options.decay));
  SimRank<Real> result{ones};
  while (result.iterations < options.iteration_limit && !result.converged) {
    ++result.iterations;
    const Matrix<Real> t = mxm(result.similarities, w, plus_times<Real>);
    Matrix<Real> next(n, n);
    next(!structure(ones), replace) = mxm(transpose(w), t, plus_times<Real>);
    if (options.threshold > 0) next = select(next, op::value_ge<Real>, static_cast<Real>(options.threshold));
    next(structure(ones)) = Real(1);
    result.residual = detail::largest_difference(next, result.similarities);
    result.converged = result.residual <= options.tolerance && options.tolerance > 0;
    result.similarities = std::move(next);
  }
  return result;
}

}  // namespace cugrb
