// Expressions: what T(i) is, evaluated where it is needed and never stored. Operations differ in nothing
// else.
//
// Every type here has
//     using type = ...;                 // the type of T's values
//     static CUGRB_DEVICE bool reaches(const ExpressionView&, Place);
//         whether, by the operands' patterns alone, T may have an entry
//     static CUGRB_DEVICE bool evaluate(const ExpressionView&, Place, type& t);
//         whether it has one, and t; asked only where `reaches` is true
// They are two, so that a kernel can ask the patterns of several places before it waits for values. Op is a
// functor of semirings/device, U and V are inputs of cuda/kernels/inputs.h. Values are typecast to the types
// that the operator takes (C API 2.0, section 2.4). A vector is an n-by-1 matrix: its column index is 0.
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

/// The entry's value, typecast, if it is wanted (FIRST never reads y); anything if not.
template <bool wanted, class Input, class To>
CUGRB_DEVICE To load_as(const VectorView& vector, Place at) {
  if constexpr (wanted) {
    return cast<To>(Input::load(vector, at));
  } else {
    return To();
  }
}

/// op(x, y) at position i of a vector; a positional op's answers are those for entry (i, 0) of an n-by-1
/// matrix.
template <class Op>
CUGRB_DEVICE typename Op::z_type combine_at(const typename Op::x_type& x, const typename Op::y_type& y,
                                            Place at) {
  return multiply<Op>(x, y, at.i, at.i, uint64_t(0));
}

/// T = u.
template <class U>
struct expression_copy {
  using type = typename U::type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) { return U::has(e.u, at); }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = U::load(e.u, at);
    return true;
  }
};

/// T(i) = x everywhere.
template <class T>
struct expression_scalar {
  using type = T;
  static CUGRB_DEVICE bool reaches(const ExpressionView&, Place) { return true; }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place, T& t) {
    t = scalar_value<T>(e.x);
    return true;
  }
};

/// T(i) = u(list(i)).
template <class U>
struct expression_gather {
  using type = typename U::type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) {
    return U::has(e.u, Place{e.list[at.i], e.list[at.i]});
  }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    const uint64_t from = e.list[at.i];
    t = U::load(e.u, Place{from, from});
    return true;
  }
};

/// T = u, read by the ordinal of the list that drives the launch: T(list(p)) = u(p).
template <class U>
struct expression_spread {
  using type = typename U::type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) {
    return U::has(e.u, Place{at.p, at.p});
  }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = U::load(e.u, Place{at.p, at.p});
    return true;
  }
};

/// T = u (x) v: the intersection of the patterns.
template <class Op, class U, class V>
struct expression_ewise_mult {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) {
    return U::has(e.u, at) & V::has(e.v, at);
  }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = combine_at<Op>(load_as<Op::reads_x, U, typename Op::x_type>(e.u, at),
                       load_as<Op::reads_y, V, typename Op::y_type>(e.v, at), at);
    return true;
  }
};

/// T = u (+) v: the union of the patterns; a value without partner passes, typecast to T's type.
template <class Op, class U, class V>
struct expression_ewise_add {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) {
    return U::has(e.u, at) | V::has(e.v, at);
  }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    const bool has_u = U::has(e.u, at), has_v = V::has(e.v, at);
    if (has_u && has_v) {
      t = combine_at<Op>(load_as<Op::reads_x, U, typename Op::x_type>(e.u, at),
                         load_as<Op::reads_y, V, typename Op::y_type>(e.v, at), at);
    } else if (has_u) {
      t = cast<type>(U::load(e.u, at));
    } else {
      t = cast<type>(V::load(e.v, at));
    }
    return true;
  }
};

/// The union of the patterns; x stands in for a missing u, y for a missing v.
template <class Op, class U, class V>
struct expression_ewise_union {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) {
    return U::has(e.u, at) | V::has(e.v, at);
  }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    const bool has_u = U::has(e.u, at), has_v = V::has(e.v, at);
    const auto x = has_u ? load_as<Op::reads_x, U, typename Op::x_type>(e.u, at)
                         : scalar_value<typename Op::x_type>(e.x);
    const auto y = has_v ? load_as<Op::reads_y, V, typename Op::y_type>(e.v, at)
                         : scalar_value<typename Op::y_type>(e.y);
    t = combine_at<Op>(x, y, at);
    return true;
  }
};

/// T = op(u).
template <class Op, class U>
struct expression_apply {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) { return U::has(e.u, at); }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = Op::apply(load_as<Op::reads_x, U, typename Op::x_type>(e.u, at));
    return true;
  }
};

/// T = op(x, u).
template <class Op, class U>
struct expression_bind_first {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) { return U::has(e.u, at); }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = Op::apply(scalar_value<typename Op::x_type>(e.x),
                  load_as<Op::reads_y, U, typename Op::y_type>(e.u, at));
    return true;
  }
};

/// T = op(u, y), the bound y being carried as e.x.
template <class Op, class U>
struct expression_bind_second {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) { return U::has(e.u, at); }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = Op::apply(load_as<Op::reads_x, U, typename Op::x_type>(e.u, at),
                  scalar_value<typename Op::y_type>(e.x));
    return true;
  }
};

/// T = op(u, i, 0, thunk).
template <class Op, class U>
struct expression_apply_index {
  using type = typename Op::z_type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) { return U::has(e.u, at); }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = Op::apply(load_as<Op::reads_x, U, typename Op::x_type>(e.u, at), at.i, uint64_t(0),
                  scalar_value<typename Op::thunk_type>(e.x));
    return true;
  }
};

/// T = u where op(u, i, 0, thunk) is true.
template <class Op, class U>
struct expression_select {
  using type = typename U::type;
  static CUGRB_DEVICE bool reaches(const ExpressionView& e, Place at) { return U::has(e.u, at); }
  static CUGRB_DEVICE bool evaluate(const ExpressionView& e, Place at, type& t) {
    t = U::load(e.u, at);
    typename Op::x_type x{};
    if constexpr (Op::reads_x) x = cast<typename Op::x_type>(t);
    return cast<bool>(Op::apply(x, at.i, uint64_t(0), scalar_value<typename Op::thunk_type>(e.x)));
  }
};

}  // namespace cugrb
