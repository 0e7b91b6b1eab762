// Products over a semiring: mxv, vxm, mxm.
#pragma once
#include "cugrb/matrix.hpp"
#include "cugrb/semirings.hpp"

namespace cugrb {

namespace detail {
template <class A, class B, class Semiring>
constexpr void check_product() {
  static_assert(is_semiring<Semiring>, "the last argument is a semiring, such as plus_times<float>");
  if constexpr (!std::is_same_v<x_of<Semiring>, Unread>) {
    static_assert(is_castable<A, x_of<Semiring>>,
                  "the first operand's type does not convert to the multiply's x");
    static_assert(is_castable<B, y_of<Semiring>>,
                  "the second operand's type does not convert to the multiply's y");
  }
}
}  // namespace detail

/// Matrix times vector: T(i) = ⊕_k A(i,k) ⊗ u(k), over the k where both have an entry; no entry where there
/// is none. Shapes: A is m × n (or transpose(B) with B n × m), u has n positions, the output m. Errors:
/// GrB_DIMENSION_MISMATCH, GrB_OUT_OF_MEMORY. Source: GraphBLAS C API 2.0, section 4.3.3.
///
///     w(structure(m), replace) = cugrb::mxv(A, u, cugrb::plus_times<float>);
template <class A, class U, class Semiring>
auto mxv(const A& a, const Vector<U>& u, const Semiring& semiring) {
  detail::check_product<typename A::value_type, U, Semiring>();
  const GrB_Matrix matrix = detail::handle_of(a);
  const GrB_Vector vector = u.handle();
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Vector, typename Semiring::z_type>(
      "GrB_mxv", detail::first_if_transposed<A>(), {"A", matrix}, {"u", vector},
      [matrix, vector, s = semiring.handle()](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum,
                                              GrB_Descriptor d) {
        return GrB_mxv(w, m, accum, s, matrix, vector, d);
      },
      [matrix] {
        return detail::Shape{detail::shape_of(matrix, transposed).rows, 1};
      });
}

/// Vector times matrix: T(j) = ⊕_k u(k) ⊗ A(k,j). Shapes: u has m positions, A is m × n, the output n.
/// Errors: GrB_DIMENSION_MISMATCH, GrB_OUT_OF_MEMORY. Source: GraphBLAS C API 2.0, section 4.3.2.
template <class U, class A, class Semiring>
auto vxm(const Vector<U>& u, const A& a, const Semiring& semiring) {
  detail::check_product<U, typename A::value_type, Semiring>();
  const GrB_Matrix matrix = detail::handle_of(a);
  const GrB_Vector vector = u.handle();
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Vector, typename Semiring::z_type>(
      "GrB_vxm", detail::second_if_transposed<A>(), {"u", vector}, {"A", matrix},
      [matrix, vector, s = semiring.handle()](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum,
                                              GrB_Descriptor d) {
        return GrB_vxm(w, m, accum, s, vector, matrix, d);
      },
      [matrix] {
        return detail::Shape{detail::shape_of(matrix, transposed).columns, 1};
      });
}

/// Matrix times matrix: T(i,j) = ⊕_k A(i,k) ⊗ B(k,j). Shapes: A is m × n, B is n × p, the output m × p.
/// Errors: GrB_DIMENSION_MISMATCH, GrB_OUT_OF_MEMORY. Source: GraphBLAS C API 2.0, section 4.3.1.
template <class A, class B, class Semiring>
auto mxm(const A& a, const B& b, const Semiring& semiring) {
  detail::check_product<typename A::value_type, typename B::value_type, Semiring>();
  const GrB_Matrix left = detail::handle_of(a), right = detail::handle_of(b);
  constexpr bool left_transposed = detail::matrix_operand<A>::is_transposed;
  constexpr bool right_transposed = detail::matrix_operand<B>::is_transposed;
  return detail::expression<GrB_Matrix, typename Semiring::z_type>(
      "GrB_mxm", detail::first_if_transposed<A>() | detail::second_if_transposed<B>(), {"A", left},
      {"B", right},
      [left, right, s = semiring.handle()](GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return GrB_mxm(c, m, accum, s, left, right, d);
      },
      [left, right] {
        return detail::Shape{detail::shape_of(left, left_transposed).rows,
                             detail::shape_of(right, right_transposed).columns};
      });
}

}  // namespace cugrb
