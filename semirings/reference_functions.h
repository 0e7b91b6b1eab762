// What each operator means, on the host, one value at a time: written from SuiteSparse's documentation with
// std:: functions and wide integers, independently of semirings/device/functions.h, so that each can be
// tested against the other.
#pragma once
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cugrb::reference::host {

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

template <class T>
constexpr bool boolean = std::is_same_v<T, bool>;
template <class T>
constexpr bool floating = std::is_floating_point_v<T>;
template <class T>
constexpr bool complex = false;
template <class F>
constexpr bool complex<std::complex<F>> = true;
template <class T>
using limits = std::numeric_limits<T>;
template <class T>
struct part_of {
  using type = T;
};
template <class F>
struct part_of<std::complex<F>> {
  using type = F;
};
template <class T>
using part = typename part_of<T>::type;

/// Integers: the low bits, as two's complement wraps.
template <class T>
T wrap(wide x) {
  return static_cast<T>(static_cast<unsigned_wide>(x) & static_cast<unsigned_wide>(~uint64_t(0)));
}

template <class To, class From>
To convert(From x) {
  if constexpr (boolean<To>)
    return x != From(0);
  else if constexpr (complex<To> && complex<From>)
    return {static_cast<part<To>>(x.real()), static_cast<part<To>>(x.imag())};
  else if constexpr (complex<From>)
    return convert<To>(x.real());
  else if constexpr (complex<To>)
    return convert<part<To>>(x);
  else if constexpr (floating<From> && std::is_integral_v<To>) {
    if (std::isnan(x)) return 0;
    // 2^63 and 2^64 are doubles; the largest 64-bit integers are not.
    if (x >= std::ldexp(1.0, limits<To>::digits)) return limits<To>::max();
    if (x <= static_cast<double>(limits<To>::min())) return limits<To>::min();
    return static_cast<To>(x);
  } else
    return static_cast<To>(x);
}

// Arithmetic. Booleans count as integers and the result is cast back: 1 + 1 is true, 0 - 1 is true.
template <class T>
T plus(T x, T y) {
  if constexpr (floating<T> || complex<T>)
    return x + y;
  else if constexpr (boolean<T>)
    return (int(x) + int(y)) != 0;
  else
    return wrap<T>(wide(x) + wide(y));
}
template <class T>
T minus(T x, T y) {
  if constexpr (floating<T> || complex<T>)
    return x - y;
  else if constexpr (boolean<T>)
    return (int(x) - int(y)) != 0;
  else
    return wrap<T>(wide(x) - wide(y));
}
template <class T>
T rminus(T x, T y) {
  return minus(y, x);
}
template <class T>
T times(T x, T y) {
  if constexpr (floating<T>)
    return x * y;
  else if constexpr (complex<T>)
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  else if constexpr (boolean<T>)
    return (int(x) * int(y)) != 0;
  else
    return wrap<T>(static_cast<wide>(unsigned_wide(x) * unsigned_wide(y)));
}
/// By the divisor's larger part, as SuiteSparse has it.
inline std::complex<double> quotient(std::complex<double> x, std::complex<double> y) {
  if (y.imag() == 0) return {x.real() / y.real(), x.imag() / y.real()};
  if (y.real() == 0) return {x.imag() / y.imag(), -x.real() / y.imag()};
  if (std::isinf(y.real()) && std::isinf(y.imag())) {
    const double r = std::signbit(y.real()) == std::signbit(y.imag()) ? 1 : -1,
                 size = y.real() + r * y.imag();
    return {(x.real() + x.imag() * r) / size, (x.imag() - x.real() * r) / size};
  }
  if (std::abs(y.real()) >= std::abs(y.imag())) {
    const double r = y.imag() / y.real(), size = y.real() + r * y.imag();
    return {(x.real() + x.imag() * r) / size, (x.imag() - x.real() * r) / size};
  }
  const double r = y.real() / y.imag(), size = r * y.real() + y.imag();
  return {(x.real() * r + x.imag()) / size, (x.imag() * r - x.real()) / size};
}
template <class T>
T divide(T x, T y) {
  if constexpr (boolean<T>)
    return x;
  else if constexpr (floating<T>)
    return x / y;
  else if constexpr (complex<T>)
    return convert<T>(quotient(convert<std::complex<double>>(x), convert<std::complex<double>>(y)));
  else if (y != 0)
    return wrap<T>(wide(x) / wide(y));
  else if (x == 0)
    return 0;
  else
    return x > 0 ? limits<T>::max() : limits<T>::min();
}
template <class T>
T rdivide(T x, T y) {
  return divide(y, x);
}
template <class T>
T power(T x, T y) {
  if constexpr (boolean<T>) return !y || x;
  const double a = static_cast<double>(x), b = static_cast<double>(y);
  if (std::isnan(a) || std::isnan(b)) {
    if constexpr (floating<T>) return limits<T>::quiet_NaN();
  }
  if constexpr (std::is_same_v<T, float>)
    return std::pow(static_cast<float>(x), static_cast<float>(y));
  else
    return convert<T>(std::pow(a, b));
}
/// Real where both are and the result is.
template <class F>
std::complex<F> power(std::complex<F> x, std::complex<F> y) {
  const bool both_real = x.imag() == 0 && y.imag() == 0;
  if (both_real && (x.real() >= 0 || !std::isfinite(y.real()) || y.real() == std::trunc(y.real())))
    return power(x.real(), y.real());
  const auto missing = [](std::complex<F> z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
  if (missing(x) || missing(y)) return {limits<F>::quiet_NaN(), limits<F>::quiet_NaN()};
  if (y == std::complex<F>(0)) return 1;
  using Double = std::complex<double>;
  return convert<std::complex<F>>(std::exp(convert<Double>(y) * std::log(convert<Double>(x))));
}
template <class T>
T minimum(T x, T y) {
  if constexpr (floating<T>)
    return std::fmin(x, y);
  else
    return x < y ? x : y;
}
template <class T>
T maximum(T x, T y) {
  if constexpr (floating<T>)
    return std::fmax(x, y);
  else
    return x > y ? x : y;
}

template <class T>
T first(T x, T) {
  return x;
}
template <class T>
T second(T, T y) {
  return y;
}
template <class T>
T any_value(T, T y) {
  return y;
}
template <class T>
T pair(T, T) {
  return 1;
}
template <class F>
std::complex<F> make_complex(F re, F im) {
  return {re, im};
}
template <class T>
T iseq(T x, T y) {
  return x == y ? 1 : 0;
}
template <class T>
T isne(T x, T y) {
  return x == y ? 0 : 1;
}
template <class T>
T isgt(T x, T y) {
  return x > y ? 1 : 0;
}
template <class T>
T islt(T x, T y) {
  return x < y ? 1 : 0;
}
template <class T>
T isge(T x, T y) {
  return x >= y ? 1 : 0;
}
template <class T>
T isle(T x, T y) {
  return x <= y ? 1 : 0;
}
template <class T>
bool eq(T x, T y) {
  return x == y;
}
template <class T>
bool ne(T x, T y) {
  return !(x == y);
}
template <class T>
bool gt(T x, T y) {
  return x > y;
}
template <class T>
bool lt(T x, T y) {
  return x < y;
}
template <class T>
bool ge(T x, T y) {
  return x >= y;
}
template <class T>
bool le(T x, T y) {
  return x <= y;
}
template <class T>
T lor(T x, T y) {
  return static_cast<bool>(x) || static_cast<bool>(y) ? 1 : 0;
}
template <class T>
T land(T x, T y) {
  return static_cast<bool>(x) && static_cast<bool>(y) ? 1 : 0;
}
template <class T>
T lxor(T x, T y) {
  return static_cast<bool>(x) ^ static_cast<bool>(y) ? 1 : 0;
}

// Bits, position by position.
template <class T>
using bits_of = std::make_unsigned_t<T>;
template <class T>
T bor(T x, T y) {
  return static_cast<T>(bits_of<T>(x) | bits_of<T>(y));
}
template <class T>
T band(T x, T y) {
  return static_cast<T>(bits_of<T>(x) & bits_of<T>(y));
}
template <class T>
T bxor(T x, T y) {
  return static_cast<T>(bits_of<T>(x) ^ bits_of<T>(y));
}
template <class T>
T bnot(T x) {
  return static_cast<T>(limits<bits_of<T>>::max() - bits_of<T>(x));
}
template <class T>
T bxnor(T x, T y) {
  return bnot(bxor(x, y));
}
template <class T>
bool in_range(T k) {
  return k >= 1 && wide(k) <= wide(limits<bits_of<T>>::digits);
}
template <class T>
T bget(T x, T k) {
  return in_range(k) ? T((uint64_t(x) >> (int(k) - 1)) & 1) : T(0);
}
template <class T>
T bset(T x, T k) {
  return in_range(k) ? wrap<T>(wide(uint64_t(x) | (uint64_t(1) << (int(k) - 1)))) : x;
}
template <class T>
T bclr(T x, T k) {
  return bget(x, k) ? wrap<T>(wide(uint64_t(x) & ~(uint64_t(1) << (int(k) - 1)))) : x;
}
/// x * 2^k, the bits that leave on either side lost; rounds down.
template <class T>
T bshift(T x, int8_t k) {
  if (k >= limits<bits_of<T>>::digits) return 0;
  if (k >= 0) return wrap<T>(wide(uint64_t(x)) << k);
  wide quotient = x;
  for (int n = k; n < 0; ++n) quotient = (quotient - (quotient & 1)) / 2;
  return wrap<T>(quotient);
}

// Unary.
template <class T>
T identity(T x) {
  return x;
}
template <class T>
T one(T) {
  return 1;
}
template <class T>
T ainv(T x) {
  if constexpr (boolean<T>)
    return x;
  else if constexpr (floating<T> || complex<T>)
    return -x;
  else
    return wrap<T>(-wide(x));
}
template <class T>
T minv(T x) {
  if constexpr (boolean<T>)
    return true;
  else
    return divide(T(1), x);
}
template <class T>
part<T> absolute(T x) {
  if constexpr (floating<T> || complex<T>)
    return std::abs(x);
  else if constexpr (boolean<T>)
    return x;
  else
    return x < 0 ? ainv(x) : x;
}
template <class T>
T lnot(T x) {
  return static_cast<bool>(x) ? 0 : 1;
}
template <class F>
std::complex<F> signum(std::complex<F> z) {
  return z == std::complex<F>(0) ? z : std::complex<F>(z.real() / std::abs(z), z.imag() / std::abs(z));
}
template <class F>
std::complex<F> conjugate(std::complex<F> z) {
  return std::conj(z);
}
template <class F>
F real_part(std::complex<F> z) {
  return z.real();
}
template <class F>
F imaginary_part(std::complex<F> z) {
  return z.imag();
}
template <class F>
F argument(std::complex<F> z) {
  return std::arg(z);
}
template <class F>
bool is_inf(std::complex<F> z) {
  return std::isinf(z.real()) || std::isinf(z.imag());
}
template <class F>
bool is_nan(std::complex<F> z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}
template <class F>
bool is_finite(std::complex<F> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}
template <class T>
T signum(T x) {
  return std::isnan(x) ? x : T((x > 0) - (x < 0));
}
template <class T>
bool is_inf(T x) {
  return std::isinf(x);
}
template <class T>
bool is_nan(T x) {
  return std::isnan(x);
}
template <class T>
bool is_finite(T x) {
  return std::isfinite(x);
}
template <class T>
T frexpx(T x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
template <class T>
T frexpe(T x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return static_cast<T>(std::isfinite(x) ? exponent : 0);
}
/// x * 2^trunc(y); what no int holds is INT_MIN, as x86 converts.
template <class T>
T math_ldexp(T x, T y) {
  const T whole = std::trunc(y);
  const bool fits = whole >= T(limits<int>::min()) && whole < -T(limits<int>::min());
  return std::ldexp(x, fits ? static_cast<int>(whole) : limits<int>::min());
}
#define CUGRB_MATH_1(name) \
  template <class T>       \
  T math_##name(T x) {     \
    return std::name(x);   \
  }
#define CUGRB_MATH_2(name)  \
  template <class T>        \
  T math_##name(T x, T y) { \
    return std::name(x, y); \
  }
// clang-format off
CUGRB_MATH_1(sqrt) CUGRB_MATH_1(log) CUGRB_MATH_1(exp) CUGRB_MATH_1(sin) CUGRB_MATH_1(cos)
CUGRB_MATH_1(tan) CUGRB_MATH_1(asin) CUGRB_MATH_1(acos) CUGRB_MATH_1(atan) CUGRB_MATH_1(sinh)
CUGRB_MATH_1(cosh) CUGRB_MATH_1(tanh) CUGRB_MATH_1(asinh) CUGRB_MATH_1(acosh) CUGRB_MATH_1(atanh)
CUGRB_MATH_1(ceil) CUGRB_MATH_1(floor) CUGRB_MATH_1(round) CUGRB_MATH_1(trunc) CUGRB_MATH_1(exp2)
CUGRB_MATH_1(expm1) CUGRB_MATH_1(log10) CUGRB_MATH_1(log1p) CUGRB_MATH_1(log2) CUGRB_MATH_1(lgamma)
CUGRB_MATH_1(tgamma) CUGRB_MATH_1(erf) CUGRB_MATH_1(erfc) CUGRB_MATH_1(cbrt) CUGRB_MATH_2(atan2)
CUGRB_MATH_2(hypot) CUGRB_MATH_2(fmod) CUGRB_MATH_2(remainder) CUGRB_MATH_2(copysign)
// clang-format on
#undef CUGRB_MATH_1
#undef CUGRB_MATH_2
// Of complex numbers: what std:: has not.
#define CUGRB_PARTS(name)                              \
  template <class F>                                   \
  std::complex<F> math_##name(std::complex<F> z) {     \
    return {std::name(z.real()), std::name(z.imag())}; \
  }
                            CUGRB_PARTS(ceil) CUGRB_PARTS(floor) CUGRB_PARTS(round) CUGRB_PARTS(trunc)
#undef CUGRB_PARTS
                                template <class F>
                                std::complex<F> math_exp2(std::complex<F> z) {
  return z.imag() == 0 ? std::complex<F>(std::exp2(z.real())) : power(std::complex<F>(2), z);
}
template <class F>
std::complex<F> math_expm1(std::complex<F> z) {
  return convert<std::complex<F>>(std::exp(convert<std::complex<double>>(z)) - 1.0);
}
template <class F>
std::complex<F> math_log1p(std::complex<F> z) {
  return convert<std::complex<F>>(std::log(convert<std::complex<double>>(z) + 1.0));
}
template <class F>
std::complex<F> math_log2(std::complex<F> z) {
  return divide(std::log(z), std::complex<F>(F(0.693147180559945286)));
}

// Index-unary: positions as signed 64-bit integers; comparisons are exact, values keep the low bits.
template <class T>
T rowindex(T, int64_t i, int64_t, T y) {
  return wrap<T>(wide(i) + y);
}
template <class T>
T colindex(T, int64_t, int64_t j, T y) {
  return wrap<T>(wide(j) + y);
}
template <class T>
T diagindex(T, int64_t i, int64_t j, T y) {
  return wrap<T>(wide(j) - (wide(i) + y));
}
template <class T>
bool tril(T, int64_t i, int64_t j, T y) {
  return j <= wide(i) + y;
}
template <class T>
bool triu(T, int64_t i, int64_t j, T y) {
  return j >= wide(i) + y;
}
template <class T>
bool diag(T, int64_t i, int64_t j, T y) {
  return j == wide(i) + y;
}
template <class T>
bool offdiag(T, int64_t i, int64_t j, T y) {
  return j != wide(i) + y;
}
template <class T>
bool colle(T, int64_t, int64_t j, T y) {
  return j <= y;
}
template <class T>
bool colgt(T, int64_t, int64_t j, T y) {
  return j > y;
}
template <class T>
bool rowle(T, int64_t i, int64_t, T y) {
  return i <= y;
}
template <class T>
bool rowgt(T, int64_t i, int64_t, T y) {
  return i > y;
}
template <class T>
bool valueeq(T x, int64_t, int64_t, T y) {
  return x == y;
}
template <class T>
bool valuene(T x, int64_t, int64_t, T y) {
  return x != y;
}
template <class T>
bool valuelt(T x, int64_t, int64_t, T y) {
  return x < y;
}
template <class T>
bool valuele(T x, int64_t, int64_t, T y) {
  return x <= y;
}
template <class T>
bool valuegt(T x, int64_t, int64_t, T y) {
  return x > y;
}
template <class T>
bool valuege(T x, int64_t, int64_t, T y) {
  return x >= y;
}

}  // namespace cugrb::reference::host
