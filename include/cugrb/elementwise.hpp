// Element-wise combination of two vectors or two matrices: ewise_add (union of the patterns), ewise_mult
// (intersection).
#pragma once
#include "cugrb/matrix.hpp"

namespace cugrb {

namespace detail {

template <class A, class B, class Op>
constexpr void check_elementwise() {
  static_assert(is_binary_op<Op> || is_monoid<Op>,
                "the operator is binary, such as op::plus<float>, or a monoid");
  static_assert(is_castable<A, x_of<Op>>, "the first operand's type does not convert to the operator's x");
  static_assert(is_castable<B, y_of<Op>>, "the second operand's type does not convert to the operator's y");
}

inline GrB_Info ewise_add(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                          GrB_Vector v, GrB_Descriptor d) {
  return GrB_Vector_eWiseAdd_BinaryOp(w, m, accum, op, u, v, d);
}
inline GrB_Info ewise_add(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Monoid op, GrB_Vector u,
                          GrB_Vector v, GrB_Descriptor d) {
  return GrB_Vector_eWiseAdd_Monoid(w, m, accum, op, u, v, d);
}
inline GrB_Info ewise_add(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix a,
                          GrB_Matrix b, GrB_Descriptor d) {
  return GrB_Matrix_eWiseAdd_BinaryOp(c, m, accum, op, a, b, d);
}
inline GrB_Info ewise_add(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Monoid op, GrB_Matrix a,
                          GrB_Matrix b, GrB_Descriptor d) {
  return GrB_Matrix_eWiseAdd_Monoid(c, m, accum, op, a, b, d);
}
inline GrB_Info ewise_mult(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                           GrB_Vector v, GrB_Descriptor d) {
  return GrB_Vector_eWiseMult_BinaryOp(w, m, accum, op, u, v, d);
}
inline GrB_Info ewise_mult(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Monoid op, GrB_Vector u,
                           GrB_Vector v, GrB_Descriptor d) {
  return GrB_Vector_eWiseMult_Monoid(w, m, accum, op, u, v, d);
}
inline GrB_Info ewise_mult(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix a,
                           GrB_Matrix b, GrB_Descriptor d) {
  return GrB_Matrix_eWiseMult_BinaryOp(c, m, accum, op, a, b, d);
}
inline GrB_Info ewise_mult(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Monoid op, GrB_Matrix a,
                           GrB_Matrix b, GrB_Descriptor d) {
  return GrB_Matrix_eWiseMult_Monoid(c, m, accum, op, a, b, d);
}

}  // namespace detail

/// Union: T(i) = op(u(i), v(i)) where both have an entry, u(i) or v(i) where only one has. op is a binary
/// operator or a monoid; as x and y may be returned unchanged, their types must convert to the output's.
/// Shapes: u, v and the output have the same size. Errors: GrB_DIMENSION_MISMATCH.
/// Source: GraphBLAS C API 2.0, section 4.3.5.
template <class U, class V, class Op>
auto ewise_add(const Vector<U>& u, const Vector<V>& v, const Op& op) {
  detail::check_elementwise<U, V, Op>();
  const GrB_Vector a = u.handle(), b = v.handle();
  return detail::expression<GrB_Vector, typename Op::z_type>(
      "GrB_eWiseAdd", 0, {"u", a}, {"v", b},
      [a, b, o = op.handle()](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return detail::ewise_add(w, m, accum, o, a, b, d);
      },
      [a] { return detail::shape_of(a); });
}

/// Intersection: T(i) = op(u(i), v(i)) where both have an entry; no entry elsewhere. op is a binary operator
/// or a monoid. Shapes: u, v and the output have the same size. Errors: GrB_DIMENSION_MISMATCH. Source:
/// GraphBLAS C API 2.0, section 4.3.4.
template <class U, class V, class Op>
auto ewise_mult(const Vector<U>& u, const Vector<V>& v, const Op& op) {
  detail::check_elementwise<U, V, Op>();
  const GrB_Vector a = u.handle(), b = v.handle();
  return detail::expression<GrB_Vector, typename Op::z_type>(
      "GrB_eWiseMult", 0, {"u", a}, {"v", b},
      [a, b, o = op.handle()](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return detail::ewise_mult(w, m, accum, o, a, b, d);
      },
      [a] { return detail::shape_of(a); });
}

/// ewise_add of matrices, each possibly transposed: T(i,j) = op(A(i,j), B(i,j)), or the one that has an
/// entry.
template <class A, class B, class Op,
          std::enable_if_t<detail::is_matrix<A>::value && detail::is_matrix<B>::value, int> = 0>
auto ewise_add(const A& left, const B& right, const Op& op) {
  detail::check_elementwise<typename A::value_type, typename B::value_type, Op>();
  const GrB_Matrix a = detail::handle_of(left), b = detail::handle_of(right);
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Matrix, typename Op::z_type>(
      "GrB_eWiseAdd", detail::first_if_transposed<A>() | detail::second_if_transposed<B>(), {"A", a},
      {"B", b},
      [a, b, o = op.handle()](GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return detail::ewise_add(c, m, accum, o, a, b, d);
      },
      [a] { return detail::shape_of(a, transposed); });
}

/// ewise_mult of matrices, each possibly transposed: T(i,j) = op(A(i,j), B(i,j)) where both have an entry.
template <class A, class B, class Op,
          std::enable_if_t<detail::is_matrix<A>::value && detail::is_matrix<B>::value, int> = 0>
auto ewise_mult(const A& left, const B& right, const Op& op) {
  detail::check_elementwise<typename A::value_type, typename B::value_type, Op>();
  const GrB_Matrix a = detail::handle_of(left), b = detail::handle_of(right);
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Matrix, typename Op::z_type>(
      "GrB_eWiseMult", detail::first_if_transposed<A>() | detail::second_if_transposed<B>(), {"A", a},
      {"B", b},
      [a, b, o = op.handle()](GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return detail::ewise_mult(c, m, accum, o, a, b, d);
      },
      [a] { return detail::shape_of(a, transposed); });
}

}  // namespace cugrb
