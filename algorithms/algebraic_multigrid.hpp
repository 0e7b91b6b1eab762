// Algebraic multigrid by smoothed aggregation, as a preconditioner.
//
// A V-cycle smooths the error of A x = b, solves for what is left on a coarser level, and smooths again. The
// levels come out of the matrix alone. From A₀ = A and B₀ = 1, with D the diagonal of A_k:
//
//     C(i,j) where |A_k(i,j)| > θ sqrt(m(i) m(j))        strength, m(i) = max |A_k(i,j)| over j ≠ i
//     aggregates of C, around roots                      aggregation.hpp
//     T(i,a) = B_k(i) / B_{k+1}(a) for i in aggregate a  tentative prolongator, B_{k+1}(a)² = Σ B_k(i)²
//     P_k = T - W A_k T,  W = ω / ρ D⁻¹                  one step of weighted Jacobi
//     R_k = P_kᵀ,  A_{k+1} = R_k (A_k P_k)               Galerkin product
//
// ρ is the spectral radius of D⁻¹ A_k, found by 15 steps of the power method in the inner product of D, which
// come from below; ω = 4/3. D⁻¹ A_k is made once, for these steps and for the prolongator. Bell and others
// compare an entry with the diagonal. Compared with the largest others, one θ serves every level: what is far
// away on a coarse grid is weak, and no row loses all connections for the size of its diagonal. B are vectors
// that relaxation hardly reduces, here the constant one.
//
// The same W smooths: x ← x + W (b - A_k x). A level of at most `coarse_rows` rows is the coarsest. Its
// inverse is computed on the host, so that a cycle is products on the device alone. Coarsening may end
// earlier, by the limit of levels or because no two vertices are connected; 30 steps of Jacobi stand for the
// inverse then.
//
// Setup: per level two products of matrices for the Galerkin product, one for D⁻¹ A T, two of patterns for
// the aggregates, and 5 numbers to the host besides the aggregates' roots and a number for each step that
// chooses them. A cycle with one sweep: three products a level with A_k or the like, and one each with R_k
// and P_k. Memory: for each level A_k, P_k, R_k and a vector, and coarse_rows² values; the setup holds D⁻¹
// A_k, A_k P_k, C, T and the aggregates' candidates besides. On grids the levels have 1.1 to 1.5 times the
// entries of A together.
//
// Sources: N. Bell, S. Dalton, L. N. Olson, "Exposing fine-grained parallelism in algebraic multigrid
// methods", SISC 34 (2012); P. Vaněk, J. Mandel, M. Brezina, "Algebraic multigrid by smoothed aggregation for
// second and fourth order elliptic problems", Computing 56 (1996). The setup is Algorithm 1 of "Efficient
// SpMM using dynamic-CSR on GPUs" (docs/papers.md: DCSR).
#pragma once
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "aggregation.hpp"
#include "conjugate_gradients.hpp"
#include "dense_inverse.hpp"

/// Whether an entry is above the thunk, or a loop.
CUGRB_INDEX_UNARY_OP(cugrb_strong_or_loop_fp32, bool, float, float, z = i == j || x > thunk)
CUGRB_INDEX_UNARY_OP(cugrb_strong_or_loop_fp64, bool, double, double, z = i == j || x > thunk)

/// The size of an entry off the diagonal; 0 on it.
CUGRB_INDEX_UNARY_OP(cugrb_other_size_fp32, float, float, bool, z = i == j ? 0 : x < 0 ? -x : x)
CUGRB_INDEX_UNARY_OP(cugrb_other_size_fp64, double, double, bool, z = i == j ? 0 : x < 0 ? -x : x)

namespace cugrb {

struct MultigridOptions {
  double strength = 0.25;       ///< θ in [0, 1); 0: every entry but zeros connects
  double relaxation = 4.0 / 3;  ///< ω in (0, 2)
  int sweeps = 1;               ///< steps of Jacobi ahead of the coarser level, and as many behind it
  Index coarse_rows = 100;      ///< a level of at most so many rows is solved directly
  int level_limit = 20;
  uint64_t seed = 0;  ///< of the random keys that choose the roots
};

template <class Real>
struct MultigridLevel {
  Matrix<Real> a;
  Vector<Real> weights;                                 ///< the diagonal of W; none where the inverse serves
  std::optional<Matrix<Real>> prolongator, restrictor;  ///< P and R; none at the coarsest level
};

namespace detail {

/// The diagonal of A. Errors: GrB_INVALID_VALUE when an entry of it is missing or not positive.
template <class Real>
Vector<Real> positive_diagonal(const Matrix<Real>& a) {
  const Vector<Real> d = diagonal_of(a);
  if (d.nvals() < a.nrows() || (a.nrows() > 0 && !(reduce(d, monoid::min<Real>) > Real(0)))) {
    throw Error(GrB_INVALID_VALUE, "Multigrid", "a diagonal entry is missing or not positive");
  }
  return d;
}

/// The spectral radius of S = D⁻¹ A, from below; `d` is the diagonal of the symmetric matrix A. A vector
/// grows by at most the length of the longest row in a step. So doubles hold 15 steps, and floats are scaled
/// every few steps, for which a number goes to the host.
template <class Real>
double spectral_radius(const Matrix<Real>& s, const Vector<Real>& d, uint64_t seed) {
  constexpr int steps = 15, rounds = sizeof(Real) < sizeof(double) ? 3 : 1, steps_of_round = steps / rounds;
  const auto length = [&](const Vector<Real>& v) {
    const Vector<Real> dv = ewise_mult(v, d, op::times<Real>);
    return std::sqrt(dot(v, dv));
  };
  Vector<Real> x =
      apply(random_keys(s.nrows(), seed), op::times<Real>, static_cast<Real>(std::ldexp(1, -64)));
  x = apply(x, op::minus<Real>, Real(0.5));
  double radius = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) x = apply(x, op::div<Real>, static_cast<Real>(length(x)));
    for (int step = 1; step < steps_of_round; ++step) x = mxv(s, x, plus_times<Real>);
    const double before = round + 1 < rounds ? 1 : length(x);
    x = mxv(s, x, plus_times<Real>);
    if (round + 1 == rounds) radius = length(x) / before;
  }
  return radius;
}

inline Matrix<float> strong_or_loop(const Matrix<float>& a, double least) {
  return select(a, cugrb_strong_or_loop_fp32, static_cast<float>(least));
}
inline Matrix<double> strong_or_loop(const Matrix<double>& a, double least) {
  return select(a, cugrb_strong_or_loop_fp64, least);
}
inline Matrix<float> other_sizes(const Matrix<float>& a) { return apply(a, cugrb_other_size_fp32, false); }
inline Matrix<double> other_sizes(const Matrix<double>& a) { return apply(a, cugrb_other_size_fp64, false); }

/// C: the strong connections, and a loop at every vertex. What is not larger than 0 connects nothing: of a
/// vertex without connections m is 0, and its loop is all that is kept. Every matrix but C has the pattern of
/// A, of which the first product has learnt.
template <class Real>
Matrix<bool> strong_connections(const Matrix<Real>& a, double strength) {
  const Matrix<Real> sizes = apply(a, op::abs<Real>);
  const Matrix<Real> others = other_sizes(a);
  Vector<Real> scale = reduce_rows(others, monoid::max<Real>);
  scale = apply(scale, op::sqrt<Real>);
  scale = apply(scale, op::minv<Real>);
  const Matrix<Real> s = diagonal(scale);
  Matrix<Real> scaled = mxm(s, sizes, any_times<Real>);
  scaled = mxm(scaled, s, any_times<Real>);
  return apply(strong_or_loop(scaled, strength), op::one<bool>);
}

/// T, whose columns have the length 1; b becomes B_{k+1}. Each row of `aggregate` has one entry, so that the
/// values of T are a vector, and T comes of one scaling: b itself may be in host memory, of which no matrix
/// is made.
template <class Real>
Matrix<Real> tentative_prolongator(const Matrix<uint64_t>& aggregate, Vector<Real>& b) {
  const Vector<Real> squares = ewise_mult(b, b, op::times<Real>);
  Vector<Real> lengths = mxv(transpose(aggregate), squares, plus_second<Real>);
  lengths = apply(lengths, op::sqrt<Real>);
  const Vector<Real> own_length = mxv(aggregate, lengths, any_second<Real>);
  const Vector<Real> values = ewise_mult(b, own_length, op::div<Real>);
  b = std::move(lengths);
  return mxm(diagonal(values), aggregate, any_first<Real>);
}

/// S = D⁻¹ A, and the weight ω / ρ of a step of Jacobi.
template <class Real>
struct JacobiStep {
  Matrix<Real> s;
  Real weight;
};

/// T - ω / ρ S T.
template <class Real>
Matrix<Real> smoothed_prolongator(const JacobiStep<Real>& jacobi, const Matrix<Real>& t) {
  const Matrix<Real> weighted = apply(t, op::times<Real>, -jacobi.weight);
  const Matrix<Real> step = mxm(jacobi.s, weighted, plus_times<Real>);
  return ewise_add(t, step, op::plus<Real>);
}

}  // namespace detail

/// The levels of a symmetric positive definite (or semidefinite) matrix, and the V-cycle on them. Precision
/// Real is float or double.
template <class Real = double>
class Multigrid {
 public:
  /// Sets up the levels of A, n × n. Errors: GrB_DIMENSION_MISMATCH when A is not square; GrB_INVALID_VALUE
  /// when its pattern is not symmetric (that of its values is trusted), a diagonal entry is missing or not
  /// positive, n is 0 or above 2^32, or an option is out of its range.
  template <class T>
  explicit Multigrid(const Matrix<T>& a, const MultigridOptions& options = {}) : options_(options) {
    check(a);
    Vector<Real> near_null(a.nrows(), Real(1));
    add_level(apply(a, op::identity<Real>));
    while (rows() > options_.coarse_rows && static_cast<int>(levels_.size()) < options_.level_limit) {
      if (!coarsen(near_null)) break;
    }
    jacobi_.reset();
    if (rows() <= options_.coarse_rows) inverse_.emplace(detail::dense_inverse(levels_.back().a, largest_));
  }

  /// A V-cycle for A x = b from x = 0, which is a symmetric positive definite operator on b. Every position
  /// of b has an entry.
  Vector<Real> operator()(const Vector<Real>& b) const { return cycle(0, b); }

  /// The finest one first.
  const std::vector<MultigridLevel<Real>>& levels() const { return levels_; }
  /// Whether the coarsest level is solved and not only smoothed.
  bool coarsest_is_solved() const { return inverse_.has_value(); }

 private:
  static constexpr int coarsest_sweeps = 30;

  Index rows() const { return levels_.back().a.nrows(); }

  template <class T>
  void check(const Matrix<T>& a) const {
    if (a.nrows() != a.ncols()) throw Error(GrB_DIMENSION_MISMATCH, "Multigrid", "the matrix is not square");
    if (!(options_.strength >= 0 && options_.strength < 1) ||
        !(options_.relaxation > 0 && options_.relaxation < 2) || options_.sweeps < 1 ||
        options_.level_limit < 1) {
      throw Error(GrB_INVALID_VALUE, "Multigrid",
                  "strength is in [0,1), relaxation in (0,2), sweeps >= 1, level_limit >= 1");
    }
    if (a.nrows() == 0) throw Error(GrB_INVALID_VALUE, "Multigrid", "the matrix has no rows");
    detail::check_32_bits(a.nrows(), "Multigrid");
    const Matrix<bool> both = ewise_mult(a, transpose(a), op::eq<T>);
    if (both.nvals() != a.nvals()) {
      throw Error(GrB_INVALID_VALUE, "Multigrid", "the pattern of the matrix is not symmetric");
    }
  }

  void add_level(Matrix<Real> a) {
    Vector<Real> weights(a.nrows()), d(a.nrows());
    jacobi_.reset();
    const bool solved = a.nrows() <= options_.coarse_rows;
    if (!solved || levels_.empty()) d = detail::positive_diagonal(a);
    if (!solved) {
      const Vector<Real> inverse = apply(d, op::minv<Real>);
      Matrix<Real> s = mxm(diagonal(inverse), a, any_times<Real>);
      const double radius = detail::spectral_radius(s, d, options_.seed);
      const Real weight = static_cast<Real>(options_.relaxation / radius);
      weights = apply(weight, op::div<Real>, d);
      jacobi_.emplace(detail::JacobiStep<Real>{std::move(s), weight});
    }
    if (levels_.empty()) largest_ = static_cast<double>(reduce(d, monoid::max<Real>));
    levels_.push_back({std::move(a), std::move(weights), std::nullopt, std::nullopt});
  }

  /// Adds the next level; false when it would not be smaller.
  bool coarsen(Vector<Real>& near_null) {
    MultigridLevel<Real>& level = levels_.back();
    const Matrix<bool> strong = detail::strong_connections(level.a, options_.strength);
    const Matrix<uint64_t> aggregate =
        aggregates(strong, independent_set_of_distance_2(strong, options_.seed + levels_.size()));
    if (aggregate.ncols() == aggregate.nrows()) return false;
    const Matrix<Real> t = detail::tentative_prolongator(aggregate, near_null);
    level.prolongator.emplace(detail::smoothed_prolongator(*jacobi_, t));
    level.restrictor.emplace(transposed(*level.prolongator));
    const Matrix<Real> ap = mxm(level.a, *level.prolongator, plus_times<Real>);
    add_level(mxm(*level.restrictor, ap, plus_times<Real>));
    return true;
  }

  /// x ← x + W (b - A x), so often.
  static void smooth(const MultigridLevel<Real>& level, const Vector<Real>& b, Vector<Real>& x, int sweeps) {
    for (int k = 0; k < sweeps; ++k) {
      const Vector<Real> r = residual(level, b, x);
      x += ewise_mult(level.weights, r, op::times<Real>);
    }
  }
  static Vector<Real> residual(const MultigridLevel<Real>& level, const Vector<Real>& b,
                               const Vector<Real>& x) {
    Vector<Real> r = b;
    r -= mxv(level.a, x, plus_times<Real>);
    return r;
  }

  Vector<Real> cycle(size_t k, const Vector<Real>& b) const {
    const MultigridLevel<Real>& level = levels_[k];
    const bool coarsest = k + 1 == levels_.size();
    if (coarsest && inverse_) return mxv(*inverse_, b, plus_times<Real>);
    Vector<Real> x = ewise_mult(level.weights, b, op::times<Real>);
    smooth(level, b, x, (coarsest ? coarsest_sweeps : options_.sweeps) - 1);
    if (coarsest) return x;
    const Vector<Real> r = residual(level, b, x);
    const Vector<Real> coarse = mxv(*level.restrictor, r, plus_times<Real>);
    x += mxv(*level.prolongator, cycle(k + 1, coarse), plus_times<Real>);
    smooth(level, b, x, options_.sweeps);
    return x;
  }

  MultigridOptions options_;
  std::vector<MultigridLevel<Real>> levels_;
  std::optional<Matrix<Real>> inverse_;
  std::optional<detail::JacobiStep<Real>> jacobi_;  ///< of the last level, during the setup
  double largest_ = 0;                              ///< entry of the first diagonal
};

}  // namespace cugrb
