// A vector as the diagonal of a matrix, and the diagonal of a matrix as a vector.
#pragma once
#include <algorithm>

#include "cugrb/matrix.hpp"

namespace cugrb {

/// The square matrix D with D(i,i) = v(i), and no entry where v has none. D A scales the rows of A, A D its
/// columns. Not an expression: it makes a new matrix. Errors: GrB_OUT_OF_MEMORY. Source: GraphBLAS C API 2.0,
/// section 4.2.5 (GrB_Matrix_diag).
///
///     C = cugrb::mxm(cugrb::diagonal(u), A, cugrb::plus_times<float>);
template <class T>
Matrix<T> diagonal(const Vector<T>& v) {
  GrB_Matrix made = nullptr;
  detail::check(GrB_Matrix_diag(&made, v.handle(), 0), "GrB_Matrix_diag", v.handle());
  return Matrix<T>::adopt(made);
}

/// v(i) = A(i,i), of the length min(m, n), with no entry where A has none. Not an expression: it makes a new
/// vector. Errors: GrB_OUT_OF_MEMORY. Source: SuiteSparse:GraphBLAS (GxB_Vector_diag).
///
///     w = cugrb::diagonal_of(A);
template <class T>
Vector<T> diagonal_of(const Matrix<T>& a) {
  Vector<T> made(std::min(a.nrows(), a.ncols()));
  detail::check(GxB_Vector_diag(made.handle(), a.handle(), 0, nullptr), "GxB_Vector_diag", made.handle());
  return made;
}

}  // namespace cugrb
