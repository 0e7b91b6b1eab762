// Parts of vectors and matrices (extract), and the transpose.
#pragma once
#include "cugrb/matrix.hpp"

namespace cugrb {

/// A transposed: as an operand of another operation it moves nothing, assigned by itself it is T = Aᵀ
/// (GrB_transpose). Source: GraphBLAS C API 2.0, section 4.3.10.
///
///     w = cugrb::mxv(cugrb::transpose(A), u, cugrb::plus_times<float>);
///     C = cugrb::transposed(A);
template <class T>
Transposed<T> transpose(const Matrix<T>& a) {
  return {a.handle()};
}

/// The operation T = Aᵀ. Shapes: A is m × n, the output n × m. Errors: GrB_DIMENSION_MISMATCH.
template <class T>
auto transposed(const Matrix<T>& matrix) {
  const GrB_Matrix a = matrix.handle();
  return detail::expression<GrB_Matrix, T>(
      "GrB_transpose", 0, {"A", a}, {},
      [a](GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return GrB_transpose(c, m, accum, a, d);
      },
      [a] { return detail::shape_of(a, true); });
}

/// T(k) = u(I[k]). I may be in any order and repeat; `all` and range() too. I must live until the assignment
/// is done. Shapes: the output has as many positions as I. Errors: GrB_INDEX_OUT_OF_BOUNDS,
/// GrB_DIMENSION_MISMATCH. Source: GraphBLAS C API 2.0, section 4.3.6.
template <class U>
auto extract(const Vector<U>& vector, const Indices& rows) {
  const GrB_Vector u = vector.handle();
  return detail::expression<GrB_Vector, U>(
      "GrB_extract", 0, {"u", u}, {},
      [u, rows](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return GrB_Vector_extract(w, m, accum, u, rows.data(), rows.count(), d);
      },
      [u, rows] {
        return detail::Shape{rows.length(detail::shape_of(u).rows), 1};
      });
}

/// T(k,l) = A(I[k], J[l]). Shapes: the output is |I| × |J|. Errors: GrB_INDEX_OUT_OF_BOUNDS,
/// GrB_DIMENSION_MISMATCH.
template <class A, std::enable_if_t<detail::is_matrix<A>::value, int> = 0>
auto extract(const A& matrix, const Indices& rows, const Indices& columns) {
  const GrB_Matrix a = detail::handle_of(matrix);
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Matrix, typename A::value_type>(
      "GrB_extract", detail::first_if_transposed<A>(), {"A", a}, {},
      [a, rows, columns](GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return GrB_Matrix_extract(c, m, accum, a, rows.data(), rows.count(), columns.data(), columns.count(),
                                  d);
      },
      [a, rows, columns] {
        const detail::Shape shape = detail::shape_of(a, transposed);
        return detail::Shape{rows.length(shape.rows), columns.length(shape.columns)};
      });
}

/// T(k) = A(I[k], j): a column of a matrix; of transpose(A): a row. Errors: GrB_INVALID_INDEX,
/// GrB_INDEX_OUT_OF_BOUNDS.
template <class A, std::enable_if_t<detail::is_matrix<A>::value, int> = 0>
auto extract_column(const A& matrix, const Indices& rows, Index column) {
  const GrB_Matrix a = detail::handle_of(matrix);
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Vector, typename A::value_type>(
      "GrB_extract", detail::first_if_transposed<A>(), {"A", a}, {},
      [a, rows, column](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return GrB_Col_extract(w, m, accum, a, rows.data(), rows.count(), column, d);
      },
      [a, rows] {
        return detail::Shape{rows.length(detail::shape_of(a, transposed).rows), 1};
      });
}

}  // namespace cugrb
