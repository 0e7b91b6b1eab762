// Expressions: what T(i) is, evaluated where it is needed and never stored. Operations differ in nothing
// else.
//
// Every type here has
//     using type = ...;                 // the type of T's values
//     static constexpr bool always;     // T has an entry at every place asked for
//     static CUGRB_DEVICE bool evaluate(const ExpressionView&, Place, type& t);  // t is set when the answer
//     is true
// Op is a functor of semirings/device, U and V are inputs of cuda/kernels/inputs.h. Values are typecast to
// the types that the operator takes (C API 2.0, section 2.4). A vector is an n-by-1 matrix: its column index
// is 0.
#pragma once
#include "cuda/kernels/inputs.h"
#include "cuda/views/write_back.h"
#include "semirings/device/index_unary.h"
#include "semirings/device/operators.h"
#include "semirings/device/types.h"
#include "semirings/device/unary.h"

namespace cugrb {

/// The value of type T that a ScalarView carries.
template <class T>
CUGRB_DEVICE T scalar_value(const ScalarView& scalar) {
  static_assert(sizeof(T) <= ScalarView::capacity, "the host declines larger types");
  T value;
  __builtin_memcpy(&value, scalar.bytes, sizeof(T));
  return value;
}

/// Whether there is an entry; its value, typecast, only when it is wanted (FIRST never reads y).
template <bool wanted, class Input, class To>
CUGRB_DEVICE bool read_as(const VectorView& vector, Place at, To& value) {
  if constexpr (wanted) {
    typename Input::type stored;
    if (!Input::get(vector, at, stored)) return false;
    value = cast<To>(stored);
    return true;
  } else {
    return Input::has(vector, at);
  }
}

/// op(x, y) at position i of a vector; a positional op's answers are those for entry (i, 0) of an n-by-1
/// matrix.
template <class Op>
CUGRB_DEVICE typename Op::z_type combine_at(const typename Op::x_type& x, const typename Op::y_type& y,
                                            Place at) {
  if constexpr (Op::positional) {
    return Op::apply(at.i, at.i, uint64_t(0));
  } else {
    return Op::apply(x, y);
  }
}

/// T = u.
template <class U>
struct expression_copy {
  using type = typename U::type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) { return U::get(e.u, at, t); }
};

/// T(i) = x everywhere.
template <class T>
struct expression_scalar {
  using type = T;
  static constexpr bool always = true;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place, T& t) {
    t = scalar_value<T>(e.x);
    return true;
  }
};

/// T(i) = u(list(i)).
template <class U>
struct expression_gather {
  using type = typename U::type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    const uint64_t from = e.list[at.i];
    return U::get(e.u, Place{from, from}, t);
  }
};

/// T = u, read by the ordinal of the list that drives the launch: T(list(p)) = u(p).
template <class U>
struct expression_spread {
  using type = typename U::type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    return U::get(e.u, Place{at.p, at.p}, t);
  }
};

/// T = u (x) v: the intersection of the patterns.
template <class Op, class U, class V>
struct expression_ewise_mult {
  using type = typename Op::z_type;
  static constexpr bool always = U::always && V::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename Op::x_type x{};
    typename Op::y_type y{};
    if (!read_as<Op::reads_x, U>(e.u, at, x)) return false;
    if (!read_as<Op::reads_y, V>(e.v, at, y)) return false;
    t = combine_at<Op>(x, y, at);
    return true;
  }
};

/// T = u (+) v: the union of the patterns; a value without partner passes, typecast to T's type.
template <class Op, class U, class V>
struct expression_ewise_add {
  using type = typename Op::z_type;
  static constexpr bool always = U::always || V::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename U::type u;
    typename V::type v;
    const bool has_u = U::get(e.u, at, u);
    const bool has_v = V::get(e.v, at, v);
    if (has_u && has_v) {
      t = combine_at<Op>(cast<typename Op::x_type>(u), cast<typename Op::y_type>(v), at);
    } else if (has_u) {
      t = cast<type>(u);
    } else if (has_v) {
      t = cast<type>(v);
    }
    return has_u || has_v;
  }
};

/// The union of the patterns; x stands in for a missing u, y for a missing v.
template <class Op, class U, class V>
struct expression_ewise_union {
  using type = typename Op::z_type;
  static constexpr bool always = U::always || V::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename Op::x_type x{};
    typename Op::y_type y{};
    const bool has_u = read_as<Op::reads_x, U>(e.u, at, x);
    const bool has_v = read_as<Op::reads_y, V>(e.v, at, y);
    if (!has_u && !has_v) return false;
    if (!has_u) x = scalar_value<typename Op::x_type>(e.x);
    if (!has_v) y = scalar_value<typename Op::y_type>(e.y);
    t = combine_at<Op>(x, y, at);
    return true;
  }
};

/// T = op(u).
template <class Op, class U>
struct expression_apply {
  using type = typename Op::z_type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename Op::x_type x{};
    if (!read_as<Op::reads_x, U>(e.u, at, x)) return false;
    t = Op::apply(x);
    return true;
  }
};

/// T = op(x, u).
template <class Op, class U>
struct expression_bind_first {
  using type = typename Op::z_type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename Op::y_type y{};
    if (!read_as<Op::reads_y, U>(e.u, at, y)) return false;
    t = Op::apply(scalar_value<typename Op::x_type>(e.x), y);
    return true;
  }
};

/// T = op(u, y), the bound y being carried as e.x.
template <class Op, class U>
struct expression_bind_second {
  using type = typename Op::z_type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename Op::x_type x{};
    if (!read_as<Op::reads_x, U>(e.u, at, x)) return false;
    t = Op::apply(x, scalar_value<typename Op::y_type>(e.x));
    return true;
  }
};

/// T = op(u, i, 0, thunk).
template <class Op, class U>
struct expression_apply_index {
  using type = typename Op::z_type;
  static constexpr bool always = U::always;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    typename Op::x_type x{};
    if (!read_as<Op::reads_x, U>(e.u, at, x)) return false;
    t = Op::apply(x, at.i, uint64_t(0), scalar_value<typename Op::thunk_type>(e.x));
    return true;
  }
};

/// T = u where op(u, i, 0, thunk) is true.
template <class Op, class U>
struct expression_select {
  using type = typename U::type;
  static constexpr bool always = false;
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    if (!U::get(e.u, at, t)) return false;
    typename Op::x_type x{};
    if constexpr (Op::reads_x) x = cast<typename Op::x_type>(t);
    return cast<bool>(Op::apply(x, at.i, uint64_t(0), scalar_value<typename Op::thunk_type>(e.x)));
  }
};

}  // namespace cugrb
