// What the built-in operators compute of complex numbers, as functions.h has it for real ones. Elementary
// functions are computed in double precision. Infinite and NaN arguments give what C's Annex G says, and
// glibc where it leaves a sign open.
//
// Sources: W. Kahan, Branch Cuts for Complex Elementary Functions (1987), for the inverse functions and tanh;
// SuiteSparse's GB_math.h for powers, exp2, log10 and their like.
#pragma once
#include "semirings/device/functions.h"

namespace cugrb::functions {

template <class F>
CUGRB_DEVICE complex_of<F> conjugate(complex_of<F> z) {
  return {z.re, -z.im};
}
template <class F>
CUGRB_DEVICE F real_part(complex_of<F> z) {
  return z.re;
}
template <class F>
CUGRB_DEVICE F imaginary_part(complex_of<F> z) {
  return z.im;
}
template <class F>
CUGRB_DEVICE F argument(complex_of<F> z) {
  return math_atan2(z.im, z.re);
}
template <class F>
CUGRB_DEVICE complex_of<F> make_complex(F re, F im) {
  return {re, im};
}
template <class F>
CUGRB_DEVICE F absolute(complex_of<F> z) {
  return math_hypot(z.re, z.im);
}
template <class F>
CUGRB_DEVICE complex_of<F> signum(complex_of<F> z) {
  if (z == complex_of<F>(0)) return z;
  const F size = absolute(z);
  return {z.re / size, z.im / size};
}
template <class F>
CUGRB_DEVICE bool is_nan(complex_of<F> z) {
  return is_nan(z.re) || is_nan(z.im);
}
template <class F>
CUGRB_DEVICE bool is_inf(complex_of<F> z) {
  return is_inf(z.re) || is_inf(z.im);
}
template <class F>
CUGRB_DEVICE bool is_finite(complex_of<F> z) {
  return is_finite(z.re) && is_finite(z.im);
}

// ---- elementary functions of double precision
// -------------------------------------------------------------------------------------

using Complex = complex_of<double>;

CUGRB_DEVICE Complex not_a_complex_number() { return {not_a_number<double>(), not_a_number<double>()}; }
CUGRB_DEVICE Complex times_i(Complex z) { return {-z.im, z.re}; }
CUGRB_DEVICE Complex over_i(Complex z) { return {z.im, -z.re}; }
constexpr double half_pi = 1.57079632679489661923, pi = 3.14159265358979323846,
                 log_of_2 = 0.693147180559945286;
/// Beyond this exp() of a double overflows, or soon will.
constexpr double large_exponent = 709;

CUGRB_DEVICE Complex complex_exp(Complex z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {::exp(x), y};
  if (!is_finite(y)) {
    if (is_inf(x)) return x < 0 ? Complex(0, 0) : Complex(x, not_a_number<double>());
    return not_a_complex_number();
  }
  // In two steps, where the exponential overflows though its product with a cosine may not.
  const double half = x > large_exponent ? ::exp(x / 2) : 1, rest = x > large_exponent ? half : ::exp(x);
  return {half * (rest * ::cos(y)), half * (rest * ::sin(y))};
}

/// log |z|. Near the unit circle the logarithm is that of 1 + small, of which the small part is computed.
CUGRB_DEVICE double log_of_size(Complex z) {
  const double x = ::fabs(z.re), y = ::fabs(z.im), most = x > y ? x : y, least = x > y ? y : x;
  if (is_inf(x) || is_inf(y)) return infinity<double>();
  if (is_nan(x) || is_nan(y)) return not_a_number<double>();
  if (most > 0.5 && most < 2) return ::log1p((most - 1) * (most + 1) + least * least) / 2;
  if (most > 1e300) return ::log(::hypot(x / 2, y / 2)) + log_of_2;
  if (most < 1e-290) return ::log(::hypot(x * 0x1p100, y * 0x1p100)) - 100 * log_of_2;
  return ::log(::hypot(x, y));
}
CUGRB_DEVICE Complex complex_log(Complex z) { return {log_of_size(z), ::atan2(z.im, z.re)}; }

CUGRB_DEVICE Complex complex_sqrt(Complex z) {
  const double x = z.re, y = z.im;
  if (is_inf(y)) return {infinity<double>(), y};
  if (is_inf(x)) {
    const double none = is_nan(y) ? y : 0;
    return x > 0 ? Complex(x, ::copysign(none, y)) : Complex(none, ::copysign(-x, y));
  }
  if (is_nan(x) || is_nan(y)) return not_a_complex_number();
  if (x == 0 && y == 0) return {0, y};
  const double most = ::fabs(x) > ::fabs(y) ? ::fabs(x) : ::fabs(y);
  const double scale = most > 1e300 ? 0x1p-4 : most < 1e-290 ? 0x1p120 : 1, root = 1 / ::sqrt(scale);
  const double a = ::fabs(x) * scale, b = y * scale, t = ::sqrt((a + ::hypot(a, b)) / 2);
  if (x >= 0) return {root * t, root * (b / (2 * t))};
  return {root * (::fabs(b) / (2 * t)), root * ::copysign(t, y)};
}

CUGRB_DEVICE Complex complex_sinh(Complex z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {::sinh(x), y};
  if (!is_finite(y)) {
    if (x == 0 || is_inf(x)) return {::fabs(x), not_a_number<double>()};
    return not_a_complex_number();
  }
  if (is_nan(x)) return not_a_complex_number();
  if (::fabs(x) <= large_exponent || is_inf(x)) return {::sinh(x) * ::cos(y), ::cosh(x) * ::sin(y)};
  const double half = ::exp(::fabs(x) / 2);
  return {half * (half / 2 * ::copysign(::cos(y), x * ::cos(y))), half * (half / 2 * ::sin(y))};
}
CUGRB_DEVICE Complex complex_cosh(Complex z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {::cosh(x), is_nan(x) ? y : y * ::copysign(1.0, x)};
  if (!is_finite(y)) {
    if (x == 0) return {not_a_number<double>(), x};
    return is_inf(x) ? Complex(infinity<double>(), not_a_number<double>()) : not_a_complex_number();
  }
  if (is_nan(x)) return not_a_complex_number();
  if (::fabs(x) <= large_exponent || is_inf(x)) return {::cosh(x) * ::cos(y), ::sinh(x) * ::sin(y)};
  const double half = ::exp(::fabs(x) / 2);
  return {half * (half / 2 * ::cos(y)), half * (half / 2 * ::copysign(::sin(y), x * ::sin(y)))};
}
CUGRB_DEVICE Complex complex_tanh(Complex z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {::tanh(x), y};
  if (!is_finite(y)) {
    if (is_inf(x)) return {::copysign(1.0, x), 0};
    return x == 0 ? Complex(x, not_a_number<double>()) : not_a_complex_number();
  }
  if (is_nan(x)) return not_a_complex_number();
  if (::fabs(x) > 22) return {::copysign(1.0, x), 4 * ::sin(y) * ::cos(y) * ::exp(-2 * ::fabs(x))};
  const double t = ::tan(y), beta = 1 + t * t, s = ::sinh(x), rho = ::sqrt(1 + s * s),
               size = 1 + beta * s * s;
  return {beta * rho * s / size, t / size};
}

/// asin and acos of finite numbers, by the roots of 1 + z and 1 - z.
CUGRB_DEVICE Complex finite_asin(Complex z) {
  const Complex plus = complex_sqrt({1 + z.re, z.im}), minus = complex_sqrt({1 - z.re, -z.im});
  return {::atan2(z.re, plus.re * minus.re - plus.im * minus.im),
          ::asinh(minus.re * plus.im - minus.im * plus.re)};
}
CUGRB_DEVICE Complex complex_asinh(Complex z) {
  const double x = z.re, y = z.im;
  if (is_finite(z)) return over_i(finite_asin(times_i(z)));
  if (is_inf(x)) return {x, is_nan(y) ? y : ::copysign(is_inf(y) ? half_pi / 2 : 0.0, y)};
  if (is_nan(x)) {
    if (y == 0) return z;
    return is_inf(y) ? Complex(infinity<double>(), x) : not_a_complex_number();
  }
  return is_inf(y) ? Complex(::copysign(y, x), ::copysign(half_pi, y)) : not_a_complex_number();
}
CUGRB_DEVICE Complex complex_asin(Complex z) {
  if (is_inf(z.re) && is_nan(z.im)) return {z.im, infinity<double>()};
  return over_i(complex_asinh(times_i(z)));
}
CUGRB_DEVICE Complex complex_acos(Complex z) {
  const double x = z.re, y = z.im;
  if (is_finite(z)) {
    const Complex plus = complex_sqrt({1 + x, y}), minus = complex_sqrt({1 - x, -y});
    return {2 * ::atan2(minus.re, plus.re), ::asinh(plus.re * minus.im - plus.im * minus.re)};
  }
  const double far = ::copysign(infinity<double>(), -y);
  if (is_inf(x)) {
    if (is_nan(y)) return {y, -infinity<double>()};
    return {is_inf(y) ? (x < 0 ? 1.5 * half_pi : half_pi / 2) : (x < 0 ? pi : 0.0), far};
  }
  if (is_nan(x)) return is_inf(y) ? Complex(x, far) : not_a_complex_number();
  if (is_inf(y)) return {half_pi, far};
  return x == 0 ? Complex(half_pi, y) : not_a_complex_number();
}
CUGRB_DEVICE Complex complex_acosh(Complex z) {
  const Complex w = complex_acos(z);
  if (z.re == 0 && is_nan(z.im)) return {z.im, half_pi};
  return {::fabs(w.im), ::copysign(w.re, z.im)};
}
CUGRB_DEVICE Complex complex_atanh(Complex z) {
  const double x = ::fabs(z.re), y = ::fabs(z.im);
  if (is_inf(x) || is_inf(y)) {
    return {::copysign(0.0, z.re), is_nan(z.im) ? z.im : ::copysign(half_pi, z.im)};
  }
  if (is_nan(x) || is_nan(y)) return x == 0 ? z : not_a_complex_number();
  const double most = x > y ? x : y;
  if (most > 1e150)
    return {::copysign(x / most / (x / most * x + y / most * y), z.re), ::copysign(half_pi, z.im)};
  const double from_one = ::hypot(1 - x, y);
  const double re =
      from_one < 1e-100 ? log_of_2 / 2 - ::log(from_one) / 2 : ::log1p(4 * x / from_one / from_one) / 4;
  return {::copysign(re, z.re), ::copysign(::atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2, z.im)};
}
CUGRB_DEVICE Complex complex_tan(Complex z) { return over_i(complex_tanh(times_i(z))); }
CUGRB_DEVICE Complex complex_atan(Complex z) { return over_i(complex_atanh(times_i(z))); }
CUGRB_DEVICE Complex complex_sin(Complex z) {
  if (is_inf(z.im) && !is_finite(z.re)) return {not_a_number<double>(), infinity<double>()};
  return over_i(complex_sinh(times_i(z)));
}
CUGRB_DEVICE Complex complex_cos(Complex z) { return complex_cosh(times_i(z)); }
CUGRB_DEVICE Complex complex_expm1(Complex z) { return complex_exp(z) - Complex(1); }
CUGRB_DEVICE Complex complex_log1p(Complex z) { return complex_log({z.re + 1, z.im}); }
CUGRB_DEVICE Complex complex_log10(Complex z) { return complex_log(z) / Complex(2.302585092994045901); }
CUGRB_DEVICE Complex complex_log2(Complex z) { return complex_log(z) / Complex(log_of_2); }

/// x y as C has it: an infinite factor makes an infinite product, whatever its other part is (Annex G.5.1).
CUGRB_DEVICE Complex product_of_infinities(Complex x, Complex y) {
  const auto boxed = [](Complex z) {
    return Complex(::copysign(is_inf(z.re) ? 1.0 : 0.0, z.re), ::copysign(is_inf(z.im) ? 1.0 : 0.0, z.im));
  };
  const auto without_nan = [](Complex z) {
    return Complex(is_nan(z.re) ? ::copysign(0.0, z.re) : z.re, is_nan(z.im) ? ::copysign(0.0, z.im) : z.im);
  };
  const Complex product = x * y;
  if (!is_nan(product.re) || !is_nan(product.im) || !(is_inf(x) || is_inf(y))) return product;
  const Complex a = without_nan(is_inf(x) ? boxed(x) : x), b = without_nan(is_inf(y) ? boxed(y) : y);
  const Complex signs = a * b;
  return {infinity<double>() * signs.re, infinity<double>() * signs.im};
}

/// x to the power y, real where both are and the result is.
template <class F>
CUGRB_DEVICE complex_of<F> power(complex_of<F> x, complex_of<F> y) {
  if (x.im == 0 && y.im == 0 && (x.re >= 0 || !is_finite(y.re) || y.re == math_trunc(y.re)))
    return complex_of<F>(power(x.re, y.re));
  if (is_nan(x) || is_nan(y)) return {not_a_number<F>(), not_a_number<F>()};
  if (y == complex_of<F>(0)) return complex_of<F>(1);
  return cast<complex_of<F>>(
      complex_exp(product_of_infinities(cast<Complex>(y), complex_log(cast<Complex>(x)))));
}
template <class F>
CUGRB_DEVICE complex_of<F> math_exp2(complex_of<F> z) {
  if (z.im == 0) return complex_of<F>(math_exp2(z.re));
  return power(complex_of<F>(2), z);
}

#define CUGRB_COMPLEX_MATH(name)                                  \
  template <class F>                                              \
  CUGRB_DEVICE complex_of<F> math_##name(complex_of<F> z) {       \
    return cast<complex_of<F>>(complex_##name(cast<Complex>(z))); \
  }
#define CUGRB_COMPLEX_PARTS(name)                           \
  template <class F>                                        \
  CUGRB_DEVICE complex_of<F> math_##name(complex_of<F> z) { \
    return {math_##name(z.re), math_##name(z.im)};          \
  }
CUGRB_COMPLEX_MATH(sqrt)
CUGRB_COMPLEX_MATH(log)
CUGRB_COMPLEX_MATH(exp)
CUGRB_COMPLEX_MATH(sin)
CUGRB_COMPLEX_MATH(cos)
CUGRB_COMPLEX_MATH(tan)
CUGRB_COMPLEX_MATH(asin)
CUGRB_COMPLEX_MATH(acos)
CUGRB_COMPLEX_MATH(atan)
CUGRB_COMPLEX_MATH(sinh)
CUGRB_COMPLEX_MATH(cosh)
CUGRB_COMPLEX_MATH(tanh)
CUGRB_COMPLEX_MATH(asinh)
CUGRB_COMPLEX_MATH(acosh)
CUGRB_COMPLEX_MATH(atanh)
CUGRB_COMPLEX_MATH(expm1)
CUGRB_COMPLEX_MATH(log1p)
CUGRB_COMPLEX_MATH(log10)
CUGRB_COMPLEX_MATH(log2)
CUGRB_COMPLEX_PARTS(ceil)
CUGRB_COMPLEX_PARTS(floor)
CUGRB_COMPLEX_PARTS(round)
CUGRB_COMPLEX_PARTS(trunc)
#undef CUGRB_COMPLEX_MATH
#undef CUGRB_COMPLEX_PARTS

}  // namespace cugrb::functions
