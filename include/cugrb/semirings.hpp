// Semirings as typed constants: plus_times<float>, min_plus<int32_t>, any_secondi<int64_t>; others by
// make_semiring.
//
// Names are <monoid>_<multiply>. In C = A*B the multiply sees x = A(i,k) and y = B(k,j). Semirings whose
// multiply ignores a value (first, second, pair, secondi …) let the backend not read it at all. Source:
// GraphBLAS C API 2.0, section 3.7; SuiteSparse user guide, "Built-in semirings".
#pragma once
#include "cugrb/monoids.hpp"
#include "cugrb/operators.hpp"

namespace cugrb {

#define CUGRB_SEMIRING(SELECT, name, PRE, ...) CUGRB_BUILTIN(GrB_Semiring, SELECT, name, PRE, , __VA_ARGS__)

/// @name T × T → T over numbers, for each of the monoids min, max, plus, times, any.
/// @{
#define CUGRB_SEMIRINGS_OF(add, ADD)                                 \
  CUGRB_SEMIRING(NUMBER, add##_min, GxB_##ADD##_MIN, T, T, T)        \
  CUGRB_SEMIRING(NUMBER, add##_max, GxB_##ADD##_MAX, T, T, T)        \
  CUGRB_SEMIRING(NUMBER, add##_plus, GxB_##ADD##_PLUS, T, T, T)      \
  CUGRB_SEMIRING(NUMBER, add##_minus, GxB_##ADD##_MINUS, T, T, T)    \
  CUGRB_SEMIRING(NUMBER, add##_rminus, GxB_##ADD##_RMINUS, T, T, T)  \
  CUGRB_SEMIRING(NUMBER, add##_times, GxB_##ADD##_TIMES, T, T, T)    \
  CUGRB_SEMIRING(NUMBER, add##_div, GxB_##ADD##_DIV, T, T, T)        \
  CUGRB_SEMIRING(NUMBER, add##_rdiv, GxB_##ADD##_RDIV, T, T, T)      \
  CUGRB_SEMIRING(NUMBER, add##_iseq, GxB_##ADD##_ISEQ, T, T, T)      \
  CUGRB_SEMIRING(NUMBER, add##_isne, GxB_##ADD##_ISNE, T, T, T)      \
  CUGRB_SEMIRING(INDEX, add##_firsti, GxB_##ADD##_FIRSTI, T, T, T)   \
  CUGRB_SEMIRING(INDEX, add##_firstj, GxB_##ADD##_FIRSTJ, T, T, T)   \
  CUGRB_SEMIRING(INDEX, add##_secondi, GxB_##ADD##_SECONDI, T, T, T) \
  CUGRB_SEMIRING(INDEX, add##_secondj, GxB_##ADD##_SECONDJ, T, T, T)
CUGRB_SEMIRINGS_OF(min, MIN)
CUGRB_SEMIRINGS_OF(max, MAX)
CUGRB_SEMIRINGS_OF(plus, PLUS)
CUGRB_SEMIRINGS_OF(times, TIMES)
CUGRB_SEMIRINGS_OF(any, ANY)
#undef CUGRB_SEMIRINGS_OF
#define CUGRB_SEMIRINGS_OF(SELECT, add, ADD)                        \
  CUGRB_SEMIRING(SELECT, add##_first, GxB_##ADD##_FIRST, T, T, T)   \
  CUGRB_SEMIRING(SELECT, add##_second, GxB_##ADD##_SECOND, T, T, T) \
  CUGRB_SEMIRING(SELECT, add##_pair, GxB_##ADD##_PAIR, T, T, T)
CUGRB_SEMIRINGS_OF(NUMBER, min, MIN)
CUGRB_SEMIRINGS_OF(NUMBER, max, MAX)
CUGRB_SEMIRINGS_OF(NUMBER, plus, PLUS)
CUGRB_SEMIRINGS_OF(NUMBER, times, TIMES)
CUGRB_SEMIRINGS_OF(ALL, any, ANY)
CUGRB_SEMIRINGS_OF(BOOL, lor, LOR)
CUGRB_SEMIRINGS_OF(BOOL, land, LAND)
CUGRB_SEMIRINGS_OF(BOOL, lxor, LXOR)
#undef CUGRB_SEMIRINGS_OF
/// @}

/// @name Over bool.
/// @{
CUGRB_SEMIRING(BOOL, lor_land, GxB_LOR_LAND, T, T, T)
CUGRB_SEMIRING(BOOL, lor_lor, GxB_LOR_LOR, T, T, T)
CUGRB_SEMIRING(BOOL, lor_lxor, GxB_LOR_LXOR, T, T, T)
CUGRB_SEMIRING(BOOL, land_land, GxB_LAND_LAND, T, T, T)
CUGRB_SEMIRING(BOOL, land_lor, GxB_LAND_LOR, T, T, T)
CUGRB_SEMIRING(BOOL, land_lxor, GxB_LAND_LXOR, T, T, T)
CUGRB_SEMIRING(BOOL, lxor_land, GxB_LXOR_LAND, T, T, T)
CUGRB_SEMIRING(BOOL, lxor_lor, GxB_LXOR_LOR, T, T, T)
CUGRB_SEMIRING(BOOL, lxor_lxor, GxB_LXOR_LXOR, T, T, T)
CUGRB_SEMIRING(BOOL, any_land, GxB_ANY_LAND, T, T, T)
CUGRB_SEMIRING(BOOL, any_lor, GxB_ANY_LOR, T, T, T)
/// @}

/// @name Comparisons of numbers: T × T → bool.
/// @{
#define CUGRB_SEMIRINGS_OF(add, ADD)                           \
  CUGRB_SEMIRING(NUMBER, add##_eq, GxB_##ADD##_EQ, bool, T, T) \
  CUGRB_SEMIRING(NUMBER, add##_ne, GxB_##ADD##_NE, bool, T, T) \
  CUGRB_SEMIRING(NUMBER, add##_gt, GxB_##ADD##_GT, bool, T, T) \
  CUGRB_SEMIRING(NUMBER, add##_lt, GxB_##ADD##_LT, bool, T, T) \
  CUGRB_SEMIRING(NUMBER, add##_ge, GxB_##ADD##_GE, bool, T, T) \
  CUGRB_SEMIRING(NUMBER, add##_le, GxB_##ADD##_LE, bool, T, T)
CUGRB_SEMIRINGS_OF(lor, LOR)
CUGRB_SEMIRINGS_OF(land, LAND)
CUGRB_SEMIRINGS_OF(any, ANY)
#undef CUGRB_SEMIRINGS_OF
/// @}
#undef CUGRB_SEMIRING

namespace detail {

template <class Z, class X, class Y>
class MadeSemiring : public Made<GrB_Semiring, Z, X, Y> {
 public:
  template <class Monoid, class Op>
  MadeSemiring(const Monoid& add, const Op& multiply) : add_(part(add)), multiply_(part(multiply)) {}
  ~MadeSemiring() { this->destroy(); }

 private:
  GrB_Semiring make() const override {
    GrB_Semiring made = nullptr;
    check(GrB_Semiring_new(&made, add_(), multiply_()), "GrB_Semiring_new");
    return made;
  }
  std::function<GrB_Monoid()> add_;
  std::function<GrB_BinaryOp()> multiply_;
};

}  // namespace detail

/// The semiring (add, multiply): add is a monoid over multiply's output type. Both must live as long as the
/// semiring. Errors (at first use): GrB_DOMAIN_MISMATCH. Source: GraphBLAS C API 2.0, section 4.2.3.
///
///     const auto nearest = cugrb::make_semiring(cugrb::monoid::min<float>, cugrb::op::hypot<float>);
template <class Monoid, class Op>
detail::MadeSemiring<typename Op::z_type, detail::x_of<Op>, detail::y_of<Op>> make_semiring(
    const Monoid& add, const Op& multiply) {
  static_assert(detail::is_monoid<Monoid>, "make_semiring takes a monoid first");
  static_assert(detail::is_binary_op<Op>, "make_semiring takes a binary operator second");
  static_assert(std::is_same_v<typename Monoid::z_type, typename Op::z_type>,
                "the monoid works on the type that the multiply returns");
  return {add, multiply};
}

}  // namespace cugrb
