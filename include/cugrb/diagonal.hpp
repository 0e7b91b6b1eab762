// A vector as the diagonal of a matrix.
#pragma once
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

}  // namespace cugrb
