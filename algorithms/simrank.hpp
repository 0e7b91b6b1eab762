// SimRank: two vertices are similar when similar vertices point at them.
//
//     s(i,i) = 1,   s(i,j) = c / (|in(i)| |in(j)|) Σ over a → i, b → j of s(a,b),   0 when in(i) or in(j) is
//     empty
//
// with 0 < c < 1, iterated from S = I. As linear algebra, with W(a,i) = 1/|in(i)| for an edge a → i:
//
//     T = S W,   S' = c Wᵀ T off the diagonal, 1 on it        SimRankDiagonal::one
//     T = S W,   S' = c Wᵀ T + (1 - c) I                      SimRankDiagonal::added
//
// which are two matrix products an iteration. The first is Jeh and Widom's definition; the second, whose
// diagonal lies between 1 - c and 1, is the matrix form of Jo, Kim and Bae, "multiplications of three
// matrices and one addition of two matrices". The text at hand has lost their equation 5; (1 - c) I is the
// matrix that this form usually adds.
//
// Here √c is folded into W, so that c costs nothing. Where the diagonal is 1 the second product is computed
// only off the diagonal. After k iterations no similarity is more than c^(k+1) from its limit (Lizorkin and
// others, Proposition 1; for the second form because each iteration brings two matrices c times as near).
//
// Similarities below `threshold` are dropped after every iteration; of the second form, their parts before
// the addition. That keeps S sparse: without it S has an entry for every pair that has a common ancestor at
// the same distance. In connected graphs these are soon all n². No similarity is lower for it by more than
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

/// What S has on its diagonal: 1, or what is left of c Wᵀ S W there and 1 - c.
enum class SimRankDiagonal { one, added };

struct SimRankOptions {
  double decay = 0.8;       ///< c, in (0, 1)
  double threshold = 1e-4;  ///< similarities below it are dropped; 0: none
  double tolerance = 1e-3;  ///< ends when no similarity changes by more; 0: runs all iterations
  int iteration_limit = 20;
  SimRankDiagonal diagonal = SimRankDiagonal::one;
};

template <class Real>
struct SimRank {
  Matrix<Real> similarities;  ///< symmetric; no entry: 0, or below the threshold
  int iterations = 0;         ///< how many were done
  bool converged = false;     ///< whether the tolerance was reached
  double residual = 0;        ///< the largest change in the last iteration
};

namespace detail {

/// scale · W: every edge a → i has scale / |in(i)|.
template <class Real, class T>
Matrix<Real> in_normalised(Graph<T>& graph, double scale) {
  const Index n = graph.size();
  const Vector<int64_t> every(n, 0);
  const Vector<int64_t> in_degree = mxv(graph.transposed(), every, plus_pair<int64_t>);
  const Vector<Real> weights = apply(static_cast<Real>(scale), op::div<Real>, in_degree);
  return mxm(graph.adjacency(), diagonal(weights), plus_second<Real>);
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

/// S' of w = √c W and the matrix on its diagonal.
template <class Real>
Matrix<Real> next_similarities(const Matrix<Real>& s, const Matrix<Real>& w, const Matrix<Real>& on_diagonal,
                               const SimRankOptions& options) {
  const Matrix<Real> t = mxm(s, w, plus_times<Real>);
  const bool ones = options.diagonal == SimRankDiagonal::one;
  Matrix<Real> next(s.nrows(), s.ncols());
  if (ones) {
    next(!structure(on_diagonal), replace) = mxm(transpose(w), t, plus_times<Real>);
  } else {
    next = mxm(transpose(w), t, plus_times<Real>);
  }
  if (options.threshold > 0) next = select(next, op::value_ge<Real>, static_cast<Real>(options.threshold));
  if (ones) {
    next(structure(on_diagonal)) = Real(1);
    return next;
  }
  return ewise_add(next, on_diagonal, op::plus<Real>);
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
  const bool ones = options.diagonal == SimRankDiagonal::one;
  const Matrix<Real> start = diagonal(Vector<Real>(n, Real(1)));
  const Matrix<Real> on_diagonal = ones ? start : diagonal(Vector<Real>(n, Real(1 - options.decay)));
  const Matrix<Real> w = detail::in_normalised<Real>(graph, std::sqrt(options.decay));
  SimRank<Real> result{start};
  while (result.iterations < options.iteration_limit && !result.converged) {
    ++result.iterations;
    Matrix<Real> next = detail::next_similarities(result.similarities, w, on_diagonal, options);
    result.residual = detail::largest_difference(next, result.similarities);
    result.converged = result.residual <= options.tolerance && options.tolerance > 0;
    result.similarities = std::move(next);
  }
  return result;
}

}  // namespace cugrb
