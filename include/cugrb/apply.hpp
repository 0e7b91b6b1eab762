// One operator on every entry (apply), and keeping only some entries (select), of a vector or a matrix.
#pragma once
#include "cugrb/matrix.hpp"

namespace cugrb {

namespace detail {

/// A vector, a matrix or a transposed matrix as the one operand of apply and select.
template <class Operand>
struct unary_operand {
  using handle_type = GrB_Matrix;
  static constexpr unsigned transposes = first_if_transposed<Operand>();
  static constexpr const char* name = "A";
  static GrB_Matrix handle(const Operand& a) { return handle_of(a); }
  static Shape shape(GrB_Matrix a) { return shape_of(a, transposes != 0); }
};
template <class T>
struct unary_operand<Vector<T>> {
  using handle_type = GrB_Vector;
  static constexpr unsigned transposes = 0;
  static constexpr const char* name = "u";
  static GrB_Vector handle(const Vector<T>& u) { return u.handle(); }
  static Shape shape(GrB_Vector u) { return shape_of(u); }
};
/// apply with the scalar on the right has the matrix as first input, with the scalar on the left as second.
template <class Operand>
inline constexpr unsigned transposed_as_second =
    unary_operand<Operand>::transposes != 0 ? transpose_second : 0u;

template <class T>
struct is_object : is_matrix<T> {};
template <class T>
struct is_object<Vector<T>> : std::true_type {};

inline GrB_Info apply_unary(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_UnaryOp op, GrB_Vector u,
                            GrB_Descriptor d) {
  return GrB_Vector_apply(w, m, accum, op, u, d);
}
inline GrB_Info apply_unary(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_UnaryOp op, GrB_Matrix a,
                            GrB_Descriptor d) {
  return GrB_Matrix_apply(c, m, accum, op, a, d);
}

template <class Operand, class Z, class Call>
auto unary_expression(const char* function, unsigned transposes, const Operand& operand, Call call) {
  using Traits = unary_operand<Operand>;
  using Handle = typename Traits::handle_type;
  const Handle a = Traits::handle(operand);
  return expression<Handle, Z>(
      function, transposes, {Traits::name, a}, {},
      [a, call](Handle out, Handle mask, GrB_BinaryOp accum, GrB_Descriptor d) {
        return call(out, mask, accum, a, d);
      },
      [a] { return Traits::shape(a); });
}

}  // namespace detail

/// T(i) = f(u(i)) for every entry, f unary; the operand is a vector, a matrix or transpose(matrix).
/// Errors: GrB_DIMENSION_MISMATCH. Source: GraphBLAS C API 2.0, section 4.3.8.
///
///     w = cugrb::apply(u, cugrb::op::abs<float>);
template <class Operand, class Op>
auto apply(const Operand& operand, const Op& op) {
  static_assert(detail::is_unary_op<Op>, "apply without a scalar takes a unary operator");
  static_assert(
      is_castable<typename Operand::value_type, typename detail::argument<typename Op::signature>::x_type>,
      "the operand's type does not convert to the operator's x");
  return detail::unary_expression<Operand, typename Op::z_type>(
      "GrB_apply", detail::unary_operand<Operand>::transposes, operand,
      [o = op.handle()](auto out, auto mask, GrB_BinaryOp accum, auto a, GrB_Descriptor d) {
        return detail::apply_unary(out, mask, accum, o, a, d);
      });
}

/// With a scalar on the right. Binary operator: T(i) = f(u(i), y). Index-unary operator: T(i) = f(u(i), i, 0,
/// y), for matrices T(i,j) = f(A(i,j), i, j, y). Errors: GrB_DIMENSION_MISMATCH.
///
///     w = cugrb::apply(u, cugrb::op::div<float>, 0.85f);
///     w = cugrb::apply(u, cugrb::op::row_index<int64_t>, 0);
template <class Operand, class Op, std::enable_if_t<detail::is_object<Operand>::value, int> = 0>
auto apply(const Operand& operand, const Op& op, const detail::y_of<Op>& y) {
  static_assert(detail::is_binary_op<Op> || detail::is_index_unary_op<Op>,
                "apply with a scalar takes a binary or an index-unary operator");
  return detail::unary_expression<Operand, typename Op::z_type>(
      "GrB_apply", detail::unary_operand<Operand>::transposes, operand,
      [o = op.handle(), y](auto out, auto mask, GrB_BinaryOp accum, auto a, GrB_Descriptor d) {
        if constexpr (detail::is_binary_op<Op>) {
          return detail::apply_second(out, mask, accum, o, a, y, d);
        } else {
          return detail::apply_index(out, mask, accum, o, a, y, d);
        }
      });
}

/// With a scalar on the left: T(i) = f(x, u(i)). Errors: GrB_DIMENSION_MISMATCH.
///
///     w = cugrb::apply(1.0f, cugrb::op::minus<float>, u);
template <class Op, class Operand,
          std::enable_if_t<detail::is_binary_op<Op> && detail::is_object<Operand>::value, int> = 0>
auto apply(const detail::x_of<Op>& x, const Op& op, const Operand& operand) {
  return detail::unary_expression<Operand, typename Op::z_type>(
      "GrB_apply", detail::transposed_as_second<Operand>, operand,
      [o = op.handle(), x](auto out, auto mask, GrB_BinaryOp accum, auto a, GrB_Descriptor d) {
        return detail::apply_first(out, mask, accum, o, x, a, d);
      });
}

/// Keeps the entries for which f(u(i), i, 0, thunk) (for matrices f(A(i,j), i, j, thunk)) is true.
/// Errors: GrB_DIMENSION_MISMATCH. Source: GraphBLAS C API 2.0, section 4.3.9.
///
///     L = cugrb::select(A, cugrb::op::tril, -1);
///     w = cugrb::select(u, cugrb::op::value_gt<float>, 0.5f);
template <class Operand, class Op>
auto select(const Operand& operand, const Op& op, const detail::y_of<Op>& thunk) {
  static_assert(detail::is_index_unary_op<Op>,
                "select takes an index-unary operator, such as op::value_gt<float>");
  return detail::unary_expression<Operand, typename Operand::value_type>(
      "GrB_select", detail::unary_operand<Operand>::transposes, operand,
      [o = op.handle(), thunk](auto out, auto mask, GrB_BinaryOp accum, auto a, GrB_Descriptor d) {
        return detail::select(out, mask, accum, o, a, thunk, d);
      });
}

}  // namespace cugrb
