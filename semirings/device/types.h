// Value types in device source: complex numbers, traits, limits and the C API's typecasts (SuiteSparse's:
// float to integer saturates, complex to real is the real part).
#pragma once
#include "cuda/kernels/base.h"

#if defined(CUGRB_EMULATED)
// The C library's own: libstdc++'s math.h brings all of <cmath>, a third of a kernel's compilation.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#endif

namespace cugrb {

// ---- traits, without <type_traits> (NVRTC has none, and it costs 0.6 s to compile)
// -------------------------------

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;

template <class T>
constexpr bool is_bool = is_same<T, bool>;
template <class T>
constexpr bool is_float = is_same<T, float> || is_same<T, double>;
template <class T>
constexpr bool is_signed =
    is_same<T, int8_t> || is_same<T, int16_t> || is_same<T, int32_t> || is_same<T, int64_t>;
template <class T>
constexpr bool is_unsigned =
    is_same<T, uint8_t> || is_same<T, uint16_t> || is_same<T, uint32_t> || is_same<T, uint64_t>;
template <class T>
constexpr bool is_integer = is_signed<T> || is_unsigned<T>;

/// GxB_FC32 and GxB_FC64. The arithmetic is SuiteSparse's (its sources are compiled for a limited range): no
/// case is made of infinities in products, and quotients are Smith's.
template <class F>
struct alignas(8) complex_of {
  F re, im;
  complex_of() = default;
  CUGRB_DEVICE complex_of(F real, F imaginary = F(0)) : re(real), im(imaginary) {}
};
template <class T>
constexpr bool is_complex = false;
template <class F>
constexpr bool is_complex<complex_of<F>> = true;
template <class T>
constexpr bool is_floating = is_float<T> || is_complex<T>;
template <class T>
constexpr bool is_built_in = is_bool<T> || is_integer<T> || is_floating<T>;

/// The type of a complex number's parts; another type itself.
template <class T>
struct real_type {
  using type = T;
};
template <class F>
struct real_type<complex_of<F>> {
  using type = F;
};
template <class T>
using real_of = typename real_type<T>::type;

template <bool condition, class A, class B>
struct choose_type {
  using type = A;
};
template <class A, class B>
struct choose_type<false, A, B> {
  using type = B;
};
template <bool condition, class A, class B>
using choose = typename choose_type<condition, A, B>::type;

/// A specialisation's argument beside a default of void: it counts where the condition holds.
template <bool condition>
struct only_if_type {};
template <>
struct only_if_type<true> {
  using type = void;
};
template <bool condition>
using only_if = typename only_if_type<condition>::type;

/// Integer arithmetic is done in this unsigned type, so that overflow wraps as on every CPU SuiteSparse runs
/// on, and is defined. Floats stay as they are.
template <class T>
using wrapping = choose<is_floating<T>, T, choose<sizeof(T) == 8, uint64_t, uint32_t>>;

// ---- limits
// ------------------------------------------------------------------------------------------------------

/// The float whose bits are these (an infinity or a NaN has no literal that all three compilers take).
template <class T>
CUGRB_DEVICE T float_of_bits(uint64_t double_bits) {
  double value;
  __builtin_memcpy(&value, &double_bits, sizeof(value));
  return T(value);
}
template <class T>
CUGRB_DEVICE T infinity() {
  static_assert(is_float<T>, "infinity: floats only");
  return float_of_bits<T>(0x7ff0000000000000u);
}
template <class T>
CUGRB_DEVICE T not_a_number() {
  static_assert(is_float<T>, "not_a_number: floats only");
  return float_of_bits<T>(0x7ff8000000000000u);
}
/// The largest integer; +infinity for floats.
template <class T>
CUGRB_DEVICE T highest() {
  if constexpr (is_float<T>) {
    return infinity<T>();
  } else if constexpr (is_bool<T>) {
    return true;
  } else if constexpr (is_signed<T>) {
    return T((uint64_t(1) << (8 * sizeof(T) - 1)) - 1);
  } else {
    return T(~uint64_t(0));
  }
}
/// The smallest integer (0 for unsigned ones); -infinity for floats.
template <class T>
CUGRB_DEVICE T lowest() {
  if constexpr (is_float<T>) {
    return -infinity<T>();
  } else if constexpr (is_signed<T>) {
    return T(-int64_t(highest<T>()) - 1);
  } else {
    return T(0);
  }
}

// ---- complex arithmetic
// ---------------------------------------------------------------------------------------------------------

template <class F>
CUGRB_DEVICE bool operator==(complex_of<F> x, complex_of<F> y) {
  return x.re == y.re && x.im == y.im;
}
template <class F>
CUGRB_DEVICE bool operator!=(complex_of<F> x, complex_of<F> y) {
  return !(x == y);
}
template <class F>
CUGRB_DEVICE complex_of<F> operator+(complex_of<F> x, complex_of<F> y) {
  return {x.re + y.re, x.im + y.im};
}
template <class F>
CUGRB_DEVICE complex_of<F> operator-(complex_of<F> x, complex_of<F> y) {
  return {x.re - y.re, x.im - y.im};
}
template <class F>
CUGRB_DEVICE complex_of<F> operator-(complex_of<F> x) {
  return {-x.re, -x.im};
}
template <class F>
CUGRB_DEVICE complex_of<F> operator*(complex_of<F> x, complex_of<F> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
/// Smith's quotient (Algorithm 116, Communications of the ACM 5, 1962), in double precision.
template <class F>
CUGRB_DEVICE complex_of<F> operator/(complex_of<F> x, complex_of<F> y) {
  const double a = double(x.re), b = double(x.im), c = double(y.re), d = double(y.im);
  if (d == 0) return {F(a / c), F(b / c)};
  if (c == 0) return {F(b / d), F(-a / d)};
  const double size_of_c = c < 0 ? -c : c, size_of_d = d < 0 ? -d : d;
  const bool both_infinite = size_of_c == infinity<double>() && size_of_d == infinity<double>();
  if (both_infinite || size_of_c >= size_of_d) {
    const double r = !both_infinite ? d / c : (c < 0) == (d < 0) ? 1 : -1, size = c + r * d;
    return {F((a + b * r) / size), F((b - a * r) / size)};
  }
  const double r = c / d, size = r * c + d;
  return {F((a * r + b) / size), F((b * r - a) / size)};
}

// ---- typecasts
// ---------------------------------------------------------------------------------------------------

/// Value of type `From` as a `To`, by the C API's rules as SuiteSparse has them. Anything to bool is x != 0
/// (NaN is true); float to integer truncates, saturates, and takes NaN to 0; integers wrap; of complex
/// numbers the real part counts; a user type casts to itself only.
template <class To, class From>
CUGRB_DEVICE To cast(const From& from) {
  if constexpr (is_same<To, From>) {
    return from;
  } else {
    static_assert(is_built_in<To> && is_built_in<From>, "cast: user-defined types cast only to themselves");
    if constexpr (is_bool<To>) {
      return from != From(0);
    } else if constexpr (is_complex<From> && is_complex<To>) {
      return To(real_of<To>(from.re), real_of<To>(from.im));
    } else if constexpr (is_complex<From>) {
      return cast<To>(from.re);
    } else if constexpr (is_complex<To>) {
      return To(cast<real_of<To>>(from));
    } else if constexpr (is_integer<To> && is_float<From>) {
      const double x = double(from);
      if (x != x) return To(0);
      if (x <= double(lowest<To>())) return lowest<To>();
      if (x >= double(highest<To>())) return highest<To>();
      return To(x);
    } else {
      return To(from);
    }
  }
}

/// The bytes of a T, as a T.
template <class T>
CUGRB_DEVICE T from_bytes(const unsigned char* bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace cugrb
