// The inverse of a small symmetric matrix, as a full matrix.
//
// A = L D Lᵀ with L lower triangular, ones on its diagonal, and D diagonal; then A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹. Where a
// pivot of D vanishes but for rounding, its inverse counts 0. The result is then a symmetric X with A X A = A
// for a positive semidefinite A, such as a graph's Laplacian.
//
// It is computed in host memory: 2/3 n³ multiplications, 16 n² bytes. As a matrix, the inverse is applied
// where the vectors are.
//
// Source: G. H. Golub, C. F. Van Loan, "Matrix computations", 2013, section 4.1.2.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "cugrb/graphblas.hpp"

namespace cugrb::detail {

/// A square matrix in host memory, by rows.
class DenseSquare {
 public:
  explicit DenseSquare(Index n) : n_(n), values_(n * n) {}
  Index size() const { return n_; }
  double& operator()(Index i, Index j) { return values_[i * n_ + j]; }
  double operator()(Index i, Index j) const { return values_[i * n_ + j]; }

 private:
  Index n_;
  std::vector<double> values_;
};

/// A's lower triangle becomes L; D⁻¹ is returned. Pivots of at most `rounding` vanish.
inline std::vector<double> factorise(DenseSquare& a, double rounding) {
  const Index n = a.size();
  std::vector<double> inverse_pivots(n);
  for (Index k = 0; k < n; ++k) {
    double pivot = a(k, k);
    for (Index j = 0; j < k; ++j) pivot -= inverse_pivots[j] * a(k, j) * a(k, j);
    inverse_pivots[k] = pivot <= rounding ? 0 : 1 / pivot;
    // Columns hold L D until their pivot is needed no more.
    for (Index i = k + 1; i < n; ++i) {
      for (Index j = 0; j < k; ++j) a(i, k) -= inverse_pivots[j] * a(i, j) * a(k, j);
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) a(i, j) *= inverse_pivots[j];
  }
  return inverse_pivots;
}

/// The lower triangle L becomes that of L⁻¹.
inline void invert_lower(DenseSquare& l) {
  const Index n = l.size();
  for (Index j = 0; j < n; ++j) {
    l(j, j) = 1;
    for (Index i = j + 1; i < n; ++i) {
      double sum = l(i, j);
      for (Index k = j + 1; k < i; ++k) sum += l(i, k) * l(k, j);
      l(i, j) = -sum;
    }
  }
}

/// The inverse of a symmetric positive semidefinite matrix. `scale` is the size of the numbers whose sums its
/// entries are: what is as small as their rounding errors counts 0.
template <class Real>
Matrix<Real> dense_inverse(const Matrix<Real>& a, double scale) {
  const Index n = a.nrows();
  DenseSquare l(n);
  const auto entries = a.entries();
  for (size_t e = 0; e < entries.values.size(); ++e)
    l(entries.rows[e], entries.columns[e]) = static_cast<double>(entries.values[e]);
  const std::vector<double> inverse_pivots = factorise(l, 16 * scale * std::numeric_limits<Real>::epsilon());
  invert_lower(l);
  Array<Index> rows(n * n), columns(n * n);
  Array<Real> values(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double sum = 0;
      for (Index k = std::max(i, j); k < n; ++k) sum += l(k, i) * inverse_pivots[k] * l(k, j);
      rows[i * n + j] = i;
      columns[i * n + j] = j;
      values[i * n + j] = static_cast<Real>(sum);
    }
  }
  Matrix<Real> inverse(n, n);
  inverse.build(rows.data(), columns.data(), values.data(), n * n, op::first<Real>);
  return inverse;
}

}  // namespace cugrb::detail
