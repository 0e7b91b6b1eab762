// Reductions: all entries to one value, rows (or columns) of a matrix to a vector.
#pragma once
#include "cugrb/matrix.hpp"
#include "cugrb/monoids.hpp"

namespace cugrb {

/// ⊕ over all entries of a vector or matrix; the monoid's identity when there are none.
/// Waits for the result. Errors: GrB_OUT_OF_MEMORY. Source: GraphBLAS C API 2.0, section 4.3.11.
///
///     float total = cugrb::reduce(u, cugrb::monoid::plus<float>);
template <class Object, class Monoid,
          std::enable_if_t<std::is_same_v<Object, Vector<typename Object::value_type>> ||
                               std::is_same_v<Object, Matrix<typename Object::value_type>>,
                           int> = 0>
typename Monoid::z_type reduce(const Object& object, const Monoid& monoid) {
  static_assert(detail::is_monoid<Monoid>, "reduce takes a monoid, such as monoid::plus<float>");
  static_assert(is_castable<typename Object::value_type, typename Monoid::z_type>,
                "the operand's type does not convert to the monoid's");
  typename Monoid::z_type result;
  detail::check(detail::reduce(&result, monoid.handle(), object.handle()), "GrB_reduce", object.handle());
  return result;
}

/// T(i) = ⊕_j A(i,j); no entry for an empty row. reduce_rows(transpose(A), …) reduces columns.
/// Shapes: A is m × n, the output has m positions. Errors: GrB_DIMENSION_MISMATCH.
template <class A, class Monoid>
auto reduce_rows(const A& operand, const Monoid& monoid) {
  static_assert(detail::is_monoid<Monoid>, "reduce_rows takes a monoid, such as monoid::plus<float>");
  const GrB_Matrix a = detail::handle_of(operand);
  constexpr bool transposed = detail::matrix_operand<A>::is_transposed;
  return detail::expression<GrB_Vector, typename Monoid::z_type>(
      "GrB_reduce", detail::first_if_transposed<A>(), {"A", a}, {},
      [a, o = monoid.handle()](GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Descriptor d) {
        return GrB_Matrix_reduce_Monoid(w, m, accum, o, a, d);
      },
      [a] {
        return detail::Shape{detail::shape_of(a, transposed).rows, 1};
      });
}

}  // namespace cugrb
