// What the built-in operators compute, one function template per stem of the tables. SuiteSparse 7.4's
// meaning, also in the corners: division by zero, shifts out of range, boolean arithmetic, NaN in min and
// max.
#pragma once
#include "semirings/device/types.h"

namespace cugrb::functions {

// ---- arithmetic (booleans: PLUS is or, MINUS is xor, TIMES is and, DIV is first)
// ----------------------------------

template <class T>
CUGRB_DEVICE T plus(T x, T y) {
  if constexpr (is_bool<T>)
    return x || y;
  else
    return T(wrapping<T>(x) + wrapping<T>(y));
}
template <class T>
CUGRB_DEVICE T minus(T x, T y) {
  if constexpr (is_bool<T>)
    return x != y;
  else
    return T(wrapping<T>(x) - wrapping<T>(y));
}
template <class T>
CUGRB_DEVICE T rminus(T x, T y) {
  return minus(y, x);
}
template <class T>
CUGRB_DEVICE T times(T x, T y) {
  if constexpr (is_bool<T>)
    return x && y;
  else
    return T(wrapping<T>(x) * wrapping<T>(y));
}
template <class T>
CUGRB_DEVICE T ainv(T x) {
  if constexpr (is_bool<T>)
    return x;
  else if constexpr (is_floating<T>)
    return -x;
  else
    return T(wrapping<T>(0) - wrapping<T>(x));
}

/// x / y. Integers: x / 0 is 0, the lowest or the highest value by the sign of x; x / -1 wraps.
template <class T>
CUGRB_DEVICE T divide(T x, T y) {
  if constexpr (is_bool<T>) {
    return x;
  } else if constexpr (is_floating<T>) {
    return x / y;
  } else {
    if constexpr (is_signed<T>) {
      if (y == T(-1)) return ainv(x);
      if (y == T(0) && x < T(0)) return lowest<T>();
    }
    if (y == T(0)) return x == T(0) ? T(0) : highest<T>();
    return T(x / y);
  }
}
template <class T>
CUGRB_DEVICE T rdivide(T x, T y) {
  return divide(y, x);
}
template <class T>
CUGRB_DEVICE T minv(T x) {
  if constexpr (is_bool<T>)
    return true;
  else
    return divide(T(1), x);
}
template <class T>
CUGRB_DEVICE T absolute(T x) {
  if constexpr (is_same<T, float>)
    return ::fabsf(x);
  else if constexpr (is_same<T, double>)
    return ::fabs(x);
  else if constexpr (is_signed<T>)
    return x >= T(0) ? x : ainv(x);
  else
    return x;
}

/// Integer power as SuiteSparse has it: pow() in double, saturated. Done in exact integer arithmetic and
/// rounded to double once, because the device's pow() may be a unit in the last place off, which truncation
/// would make visible.
template <class T>
CUGRB_DEVICE T integer_power(T x, T y) {
  const double base = double(x), exponent = double(y);
  if (exponent == 0 || base == 1) return T(1);
  if (base == 0) return exponent > 0 ? T(0) : highest<T>();
  // From 2^53 on every double is even.
  const double size = exponent < 0 ? -exponent : exponent;
  const bool odd = size < 9007199254740992.0 && (uint64_t(size) & 1) != 0;
  const bool negative = base < 0 && odd;
  if (base == -1) return odd ? T(-1) : T(1);
  if (exponent < 0) return T(0);
  const double magnitude = base < 0 ? -base : base;
  bool overflow = size > 64 || magnitude >= 18446744073709551616.0;
  uint64_t product = 1;
  if (!overflow) {
    const uint64_t factor = uint64_t(magnitude);
    for (int n = int(size); n > 0 && !overflow; --n) {
      overflow = product > ~uint64_t(0) / factor;
      product *= factor;
    }
  }
  const double result = overflow ? infinity<double>() : double(product);
  return cast<T>(negative ? -result : result);
}
/// The whole numbers up to which every one is a T.
template <class T>
constexpr double exact_whole = is_same<T, float> ? 16777216.0 : 9007199254740992.0;

/// x to the power y where both are whole, y >= 0, and the result is exact; 0 elsewhere. The device's pow()
/// may be a unit in the last place off even there, which a cast to an integer would make visible.
template <class T>
CUGRB_DEVICE T whole_power(T x, T y) {
  if (!(y >= T(0) && y <= T(64)) || y != T(int(y)) || !(x > T(-65536) && x < T(65536)) || x != T(int(x)))
    return T(0);
  double product = 1;
  for (int n = int(y); n > 0; --n) {
    product *= double(x);
    if (product > exact_whole<T> || product < -exact_whole<T>) return T(0);
  }
  return T(product);
}

template <class T>
CUGRB_DEVICE T power(T x, T y) {
  if constexpr (is_bool<T>) {
    return x || !y;
  } else if constexpr (is_integer<T>) {
    return integer_power(x, y);
  } else {
    if (x != x || y != y) return not_a_number<T>();
    if (y == T(0)) return T(1);
    if (const T exact = whole_power(x, y); exact != T(0)) return exact;
    if constexpr (is_same<T, float>)
      return ::powf(x, y);
    else
      return ::pow(x, y);
  }
}

/// Floats: fmin, fmax (a NaN loses).
template <class T>
CUGRB_DEVICE T minimum(T x, T y) {
  if constexpr (is_same<T, float>)
    return ::fminf(x, y);
  else if constexpr (is_same<T, double>)
    return ::fmin(x, y);
  else
    return x < y ? x : y;
}
template <class T>
CUGRB_DEVICE T maximum(T x, T y) {
  if constexpr (is_same<T, float>)
    return ::fmaxf(x, y);
  else if constexpr (is_same<T, double>)
    return ::fmax(x, y);
  else
    return x > y ? x : y;
}

// ---- choosing, comparing, logic
// -----------------------------------------------------------------------------------

template <class T>
CUGRB_DEVICE T identity(T x) {
  return x;
}
template <class T>
CUGRB_DEVICE T one(T) {
  return T(1);
}
template <class T>
CUGRB_DEVICE T lnot(T x) {
  return T(!(x != T(0)));
}
template <class T>
CUGRB_DEVICE T first(T x, T) {
  return x;
}
template <class T>
CUGRB_DEVICE T second(T, T y) {
  return y;
}
template <class T>
CUGRB_DEVICE T any_value(T, T y) {
  return y;
}
template <class T>
CUGRB_DEVICE T pair(T, T) {
  return T(1);
}
template <class T>
CUGRB_DEVICE T iseq(T x, T y) {
  return T(x == y);
}
template <class T>
CUGRB_DEVICE T isne(T x, T y) {
  return T(x != y);
}
template <class T>
CUGRB_DEVICE T isgt(T x, T y) {
  return T(x > y);
}
template <class T>
CUGRB_DEVICE T islt(T x, T y) {
  return T(x < y);
}
template <class T>
CUGRB_DEVICE T isge(T x, T y) {
  return T(x >= y);
}
template <class T>
CUGRB_DEVICE T isle(T x, T y) {
  return T(x <= y);
}
template <class T>
CUGRB_DEVICE bool eq(T x, T y) {
  return x == y;
}
template <class T>
CUGRB_DEVICE bool ne(T x, T y) {
  return x != y;
}
template <class T>
CUGRB_DEVICE bool gt(T x, T y) {
  return x > y;
}
template <class T>
CUGRB_DEVICE bool lt(T x, T y) {
  return x < y;
}
template <class T>
CUGRB_DEVICE bool ge(T x, T y) {
  return x >= y;
}
template <class T>
CUGRB_DEVICE bool le(T x, T y) {
  return x <= y;
}
template <class T>
CUGRB_DEVICE T lor(T x, T y) {
  return T(x != T(0) || y != T(0));
}
template <class T>
CUGRB_DEVICE T land(T x, T y) {
  return T(x != T(0) && y != T(0));
}
template <class T>
CUGRB_DEVICE T lxor(T x, T y) {
  return T((x != T(0)) != (y != T(0)));
}

// ---- bits (positions count from 1; out of range: get gives 0, set and clear give x)
// ------------------------------

template <class T>
CUGRB_DEVICE T bnot(T x) {
  return T(~x);
}
template <class T>
CUGRB_DEVICE T bor(T x, T y) {
  return T(x | y);
}
template <class T>
CUGRB_DEVICE T band(T x, T y) {
  return T(x & y);
}
template <class T>
CUGRB_DEVICE T bxor(T x, T y) {
  return T(x ^ y);
}
template <class T>
CUGRB_DEVICE T bxnor(T x, T y) {
  return T(~(x ^ y));
}

/// The word with the bit that `position` names, or 0 when it is out of range.
template <class T>
CUGRB_DEVICE wrapping<T> bit_at(T position) {
  const bool inside = position >= T(1) && uint64_t(position) <= 8 * sizeof(T);
  return inside ? wrapping<T>(1) << (uint64_t(position) - 1) : wrapping<T>(0);
}
template <class T>
CUGRB_DEVICE T bget(T x, T y) {
  return T((wrapping<T>(x) & bit_at(y)) != 0);
}
template <class T>
CUGRB_DEVICE T bset(T x, T y) {
  return T(wrapping<T>(x) | bit_at(y));
}
template <class T>
CUGRB_DEVICE T bclr(T x, T y) {
  return T(wrapping<T>(x) & ~bit_at(y));
}

/// x shifted left by k, or right by -k (arithmetically when T is signed); shifts by the width or more shift
/// all out.
template <class T>
CUGRB_DEVICE T bshift(T x, int8_t k) {
  const int width = int(8 * sizeof(T)), shift = int(k);
  if (shift == 0) return x;
  if (shift >= width) return T(0);
  if (shift <= -width) {
    if constexpr (is_signed<T>)
      return x < T(0) ? T(-1) : T(0);
    else
      return T(0);
  }
  if (shift > 0) return T(wrapping<T>(x) << shift);
  return T(x >> -shift);
}

// ---- floating point
// -----------------------------------------------------------------------------------------------

#define CUGRB_MATH_1(name)                                         \
  CUGRB_DEVICE float math_##name(float x) { return ::name##f(x); } \
  CUGRB_DEVICE double math_##name(double x) { return ::name(x); }
#define CUGRB_MATH_2(name)                                                     \
  CUGRB_DEVICE float math_##name(float x, float y) { return ::name##f(x, y); } \
  CUGRB_DEVICE double math_##name(double x, double y) { return ::name(x, y); }
CUGRB_MATH_1(sqrt)
CUGRB_MATH_1(log)
CUGRB_MATH_1(exp)
CUGRB_MATH_1(sin)
CUGRB_MATH_1(cos)
CUGRB_MATH_1(tan)
CUGRB_MATH_1(asin)
CUGRB_MATH_1(acos)
CUGRB_MATH_1(atan)
CUGRB_MATH_1(sinh)
CUGRB_MATH_1(cosh)
CUGRB_MATH_1(tanh)
CUGRB_MATH_1(asinh)
CUGRB_MATH_1(acosh)
CUGRB_MATH_1(atanh)
CUGRB_MATH_1(ceil)
CUGRB_MATH_1(floor)
CUGRB_MATH_1(round)
CUGRB_MATH_1(trunc)
CUGRB_MATH_1(exp2)
CUGRB_MATH_1(expm1)
CUGRB_MATH_1(log10)
CUGRB_MATH_1(log1p)
CUGRB_MATH_1(log2)
CUGRB_MATH_1(lgamma)
CUGRB_MATH_1(erf)
CUGRB_MATH_1(erfc)
CUGRB_MATH_1(cbrt)
CUGRB_MATH_2(atan2)
CUGRB_MATH_2(hypot)
CUGRB_MATH_2(fmod)
CUGRB_MATH_2(remainder)
CUGRB_MATH_2(copysign)
#undef CUGRB_MATH_1
/// Factorials are exact, as in the C library: CUDA's tgamma() may be a few units in the last place off.
template <class T>
CUGRB_DEVICE T gamma_function(T x) {
  constexpr int last = is_same<T, float> ? 11 : 19;  // 10! < 2^24, 18! < 2^53
  if (x >= T(1) && x <= T(last) && x == T(int(x))) {
    double product = 1;
    for (int n = int(x) - 1; n > 1; --n) product *= n;
    return T(product);
  }
  if constexpr (is_same<T, float>)
    return ::tgammaf(x);
  else
    return ::tgamma(x);
}
CUGRB_DEVICE float math_tgamma(float x) { return gamma_function(x); }
CUGRB_DEVICE double math_tgamma(double x) { return gamma_function(x); }
#undef CUGRB_MATH_2

template <class T>
CUGRB_DEVICE bool is_nan(T x) {
  return x != x;
}
template <class T>
CUGRB_DEVICE bool is_inf(T x) {
  return x == infinity<T>() || x == -infinity<T>();
}
template <class T>
CUGRB_DEVICE bool is_finite(T x) {
  return !is_nan(x) && !is_inf(x);
}
template <class T>
CUGRB_DEVICE T signum(T x) {
  return is_nan(x) ? x : (x < T(0) ? T(-1) : (x > T(0) ? T(1) : T(0)));
}
/// Mantissa and exponent of frexp. Where C leaves the exponent open (infinity, NaN) it is 0, as in glibc.
template <class T>
CUGRB_DEVICE T frexpx(T x) {
  if (!is_finite(x)) return x;
  int exponent = 0;
  if constexpr (is_same<T, float>)
    return ::frexpf(x, &exponent);
  else
    return ::frexp(x, &exponent);
}
template <class T>
CUGRB_DEVICE T frexpe(T x) {
  if (!is_finite(x)) return T(0);
  int exponent = 0;
  if constexpr (is_same<T, float>)
    (void)::frexpf(x, &exponent);
  else
    (void)::frexp(x, &exponent);
  return T(exponent);
}
/// x * 2^trunc(y). An exponent that no int holds becomes INT_MIN, as the x86 conversion that SuiteSparse
/// compiles to.
template <class T>
CUGRB_DEVICE T math_ldexp(T x, T y) {
  const bool fits = y > T(-2147483648.0) && y < T(2147483648.0);
  const int exponent = fits ? int(y) : lowest<int32_t>();
  if constexpr (is_same<T, float>)
    return ::ldexpf(x, exponent);
  else
    return ::ldexp(x, exponent);
}

// ---- positions (index-unary): rows and columns below 2^60, thunks of any int64
// --------------------------------------------------------
// Values keep the low bits of the exact sum, as in SuiteSparse. Comparisons are exact: SuiteSparse's TRIL
// and TRIU wrap, each of its kernels elsewhere (docs/decisions.md).

CUGRB_DEVICE int64_t add_index(uint64_t a, int64_t b) { return int64_t(a + uint64_t(b)); }
/// The diagonal on which (i, j) lies: never beyond int64.
CUGRB_DEVICE int64_t diagonal_of(uint64_t i, uint64_t j) { return int64_t(j - i); }

template <class T>
CUGRB_DEVICE T rowindex(T, uint64_t i, uint64_t, T y) {
  return T(add_index(i, y));
}
template <class T>
CUGRB_DEVICE T colindex(T, uint64_t, uint64_t j, T y) {
  return T(add_index(j, y));
}
template <class T>
CUGRB_DEVICE T diagindex(T, uint64_t i, uint64_t j, T y) {
  return T(int64_t(j - (i + uint64_t(int64_t(y)))));
}
template <class T>
CUGRB_DEVICE bool tril(T, uint64_t i, uint64_t j, T y) {
  return diagonal_of(i, j) <= int64_t(y);
}
template <class T>
CUGRB_DEVICE bool triu(T, uint64_t i, uint64_t j, T y) {
  return diagonal_of(i, j) >= int64_t(y);
}
template <class T>
CUGRB_DEVICE bool diag(T, uint64_t i, uint64_t j, T y) {
  return diagonal_of(i, j) == int64_t(y);
}
template <class T>
CUGRB_DEVICE bool offdiag(T, uint64_t i, uint64_t j, T y) {
  return diagonal_of(i, j) != int64_t(y);
}
template <class T>
CUGRB_DEVICE bool colle(T, uint64_t, uint64_t j, T y) {
  return int64_t(j) <= int64_t(y);
}
template <class T>
CUGRB_DEVICE bool colgt(T, uint64_t, uint64_t j, T y) {
  return int64_t(j) > int64_t(y);
}
template <class T>
CUGRB_DEVICE bool rowle(T, uint64_t i, uint64_t, T y) {
  return int64_t(i) <= int64_t(y);
}
template <class T>
CUGRB_DEVICE bool rowgt(T, uint64_t i, uint64_t, T y) {
  return int64_t(i) > int64_t(y);
}
template <class T>
CUGRB_DEVICE bool valueeq(T x, uint64_t, uint64_t, T y) {
  return x == y;
}
template <class T>
CUGRB_DEVICE bool valuene(T x, uint64_t, uint64_t, T y) {
  return x != y;
}
template <class T>
CUGRB_DEVICE bool valuelt(T x, uint64_t, uint64_t, T y) {
  return x < y;
}
template <class T>
CUGRB_DEVICE bool valuele(T x, uint64_t, uint64_t, T y) {
  return x <= y;
}
template <class T>
CUGRB_DEVICE bool valuegt(T x, uint64_t, uint64_t, T y) {
  return x > y;
}
template <class T>
CUGRB_DEVICE bool valuege(T x, uint64_t, uint64_t, T y) {
  return x >= y;
}

}  // namespace cugrb::functions
