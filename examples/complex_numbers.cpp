// A type of your own on the GPU: the Fourier transform of a constant is n at frequency 0, nothing elsewhere.
// Run: g++ -std=c++17 -Iinclude -I. examples/complex_numbers.cpp -lgraphblas && cugrb exec ./a.out
#include <cmath>
#include <cstdio>

#include "cugrb/graphblas.hpp"

CUGRB_TYPE(complex_number, double re; double im;)
CUGRB_BINARY_OP(complex_plus, complex_number, complex_number, complex_number, z.re = x.re + y.re;
                z.im = x.im + y.im)
CUGRB_BINARY_OP(complex_times, complex_number, complex_number, complex_number,
                z.re = x.re * y.re - x.im * y.im;
                z.im = x.re * y.im + x.im * y.re)
CUGRB_UNARY_OP(magnitude, double, complex_number, z = sqrt(x.re * x.re + x.im * x.im))

using namespace cugrb;

int main() {
  const Context context;
  const Index n = 64;
  const auto sum = make_monoid(complex_plus, complex_number{0, 0});
  const auto product = make_semiring(sum, complex_times);
  Matrix<complex_number> transform(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double angle = -2 * M_PI * double(i * j % n) / double(n);
      transform.set(i, j, {std::cos(angle), std::sin(angle)});
    }
  }
  const Vector<complex_number> constant(n, {1, 0});
  const Vector<complex_number> spectrum = mxv(transform, constant, product);
  const Vector<double> sizes = apply(spectrum, magnitude);
  const Vector<double> large = select(sizes, op::value_gt<double>, 1e-9);
  std::printf("%d frequency, of size %.3f\n", int(large.nvals()), *large.get(0));
}
