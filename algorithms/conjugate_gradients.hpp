// Preconditioned conjugate gradients for A x = b, A symmetric and positive definite.
//
// With M⁻¹ the preconditioner, from x = 0, r = b, p = z = M⁻¹ r:
//
//     α = rᵀz / pᵀA p;   x += α p;   r -= α A p;   z = M⁻¹ r;   β = new rᵀz / old;   p = z + β p
//
// It ends when ‖r‖ is at most the tolerance times ‖b‖, in the Euclidean norm. An iteration is one product
// with A, one application of M⁻¹ and six passes over vectors; three numbers go to the host. Memory: A and 6
// vectors.
//
// Sources: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", Journal
// of Research of the NBS 49 (1952); Y. Saad, "Iterative methods for sparse linear systems", 2003, algorithm
// 9.1.
#pragma once
#include <cmath>
#include <vector>

#include "cugrb/graphblas.hpp"

namespace cugrb {

struct ConjugateGradientsOptions {
  double tolerance = 1e-8;  ///< ends when ‖r‖ is at most this times ‖b‖; 0: runs all iterations
  int iteration_limit = 100;
};

template <class Real>
struct ConjugateGradients {
  Vector<Real> x;                 ///< an entry at every position
  int iterations = 0;             ///< how many were done
  bool converged = false;         ///< whether the tolerance was reached
  std::vector<double> residuals;  ///< ‖r‖ / ‖b‖ after each iteration
};

/// The preconditioner that leaves a vector as it is.
struct NoPreconditioner {
  template <class Real>
  Vector<Real> operator()(const Vector<Real>& r) const {
    return r;
  }
};

namespace detail {

/// uᵀ v.
template <class Real>
double dot(const Vector<Real>& u, const Vector<Real>& v) {
  const Vector<Real> products = ewise_mult(u, v, op::times<Real>);
  return static_cast<double>(reduce(products, monoid::plus<Real>));
}

template <class Real>
double norm(const Vector<Real>& v) {
  return std::sqrt(dot(v, v));
}

template <class Real, class Preconditioner>
void iterate(const Matrix<Real>& a, Vector<Real>& r, const Preconditioner& preconditioner,
             const ConjugateGradientsOptions& options, ConjugateGradients<Real>& result) {
  const double norm_b = norm(r);
  result.converged = norm_b == 0;
  Vector<Real> z = preconditioner(r), p = z;
  double rz = dot(r, z);
  while (result.iterations < options.iteration_limit && !result.converged) {
    const Vector<Real> ap = mxv(a, p, plus_times<Real>);
    const double curvature = dot(p, ap);
    if (!(curvature > 0 && rz > 0)) return;
    ++result.iterations;
    const Real alpha = static_cast<Real>(rz / curvature);
    result.x += apply(p, op::times<Real>, alpha);
    r -= apply(ap, op::times<Real>, alpha);
    result.residuals.push_back(norm(r) / norm_b);
    result.converged = result.residuals.back() <= options.tolerance && options.tolerance > 0;
    if (result.converged) return;
    z = preconditioner(r);
    const double before = rz;
    rz = dot(r, z);
    p = apply(p, op::times<Real>, static_cast<Real>(rz / before));
    p += z;
  }
}

}  // namespace detail

/// Solves A x = b. A is n × n, symmetric and positive definite (trusted), or semidefinite with b in its
/// range; b has n positions, and none counts 0. `preconditioner(r)` returns M⁻¹ r for a symmetric positive
/// definite M. That it does not converge, or meets a direction along which A is not positive, is a result and
/// no error. Precision Real is float or double. Errors: GrB_DIMENSION_MISMATCH when A is not square or b has
/// another length; GrB_INVALID_VALUE when the tolerance is negative or the limit below 1.
///
///     const auto S = cugrb::diagonal(cugrb::Vector<double>(4, 2.0));
///     const auto solution = cugrb::conjugate_gradients(S, cugrb::Vector<double>(4, 1.0));
template <class Real, class Preconditioner = NoPreconditioner>
ConjugateGradients<Real> conjugate_gradients(const Matrix<Real>& a, const Vector<Real>& b,
                                             const Preconditioner& preconditioner = {},
                                             const ConjugateGradientsOptions& options = {}) {
  if (a.nrows() != a.ncols() || b.size() != a.nrows()) {
    throw Error(GrB_DIMENSION_MISMATCH, "conjugate_gradients", "A is n x n and b has n positions");
  }
  if (!(options.tolerance >= 0) || options.iteration_limit < 1) {
    throw Error(GrB_INVALID_VALUE, "conjugate_gradients", "tolerance >= 0, iteration_limit >= 1");
  }
  ConjugateGradients<Real> result{Vector<Real>(a.nrows(), Real(0)), 0, false, {}};
  Vector<Real> r(a.nrows(), Real(0));
  r += b;
  detail::iterate(a, r, preconditioner, options, result);
  return result;
}

}  // namespace cugrb
