// Monoids: commutative, associative operators with an identity. Predefined ones as constants, others by
// make_monoid.
#pragma once
#include "cugrb/detail/builtin_table.hpp"
#include "cugrb/detail/calls.hpp"

namespace cugrb {
namespace monoid {

#define CUGRB_MONOID(SELECT, name, PRE, POST) CUGRB_BUILTIN(GrB_Monoid, SELECT, name, PRE, POST, T, T, T)
CUGRB_MONOID(NUMBER, plus, GrB_PLUS_MONOID, )    // identity 0
CUGRB_MONOID(NUMBER, times, GrB_TIMES_MONOID, )  // identity 1; integers end at 0
CUGRB_MONOID(NUMBER, min, GrB_MIN_MONOID, )      // identity: the highest value
CUGRB_MONOID(NUMBER, max, GrB_MAX_MONOID, )      // identity: the lowest value
CUGRB_MONOID(ALL, any, GxB_ANY, _MONOID)         // any of the values: ends at the first
CUGRB_MONOID(BOOL, lor, GrB_LOR_MONOID, )        // identity false; ends at true
CUGRB_MONOID(BOOL, land, GrB_LAND_MONOID, )      // identity true; ends at false
CUGRB_MONOID(BOOL, lxor, GrB_LXOR_MONOID, )      // identity false
CUGRB_MONOID(BOOL, eq, GrB_LXNOR_MONOID, )       // identity true
CUGRB_MONOID(UNSIGNED, bor, GxB_BOR, _MONOID)
CUGRB_MONOID(UNSIGNED, band, GxB_BAND, _MONOID)
CUGRB_MONOID(UNSIGNED, bxor, GxB_BXOR, _MONOID)
CUGRB_MONOID(UNSIGNED, bxnor, GxB_BXNOR, _MONOID)
#undef CUGRB_MONOID

}  // namespace monoid

namespace detail {

/// A monoid from an operator T × T → T and its identity.
template <class T>
class MadeMonoid : public Made<GrB_Monoid, T, T, T> {
 public:
  template <class Op>
  MadeMonoid(const Op& op, const T& identity) : op_(part(op)), identity_(identity) {}
  ~MadeMonoid() { this->destroy(); }

 private:
  GrB_Monoid make() const override {
    GrB_Monoid made = nullptr;
    check(monoid_new(&made, op_(), identity_), "GrB_Monoid_new");
    return made;
  }
  std::function<GrB_BinaryOp()> op_;
  T identity_;
};

}  // namespace detail

/// A monoid from a binary operator T × T → T, which must be associative and commutative, and its identity.
/// `op` must live as long as the monoid (predefined and CUGRB_BINARY_OP operators do). Errors (at first use):
/// GrB_DOMAIN_MISMATCH. Source: GraphBLAS C API 2.0, section 4.2.2.
///
///     const auto largest = cugrb::make_monoid(my_max, -1.0f);
template <class Op>
detail::MadeMonoid<typename Op::z_type> make_monoid(const Op& op, const typename Op::z_type& identity) {
  static_assert(detail::is_binary_op<Op>, "make_monoid takes a binary operator");
  static_assert(
      std::is_same_v<typename Op::signature, typename Op::z_type(typename Op::z_type, typename Op::z_type)>,
      "a monoid's operator maps T x T to T");
  return {op, identity};
}

}  // namespace cugrb
