// The steady temperature of a rod of 16 cells between 0 and 17 degrees, by Jacobi's iteration x = A x + b.
// Run: g++ -std=c++17 -Iinclude -I. examples/heat.cpp -lgraphblas && cugrb exec ./a.out
#include <cstdio>

#include "cugrb/graphblas.hpp"

using namespace cugrb;

int main() {
  const Context context;
  const Index n = 16;
  Matrix<double> A(n, n);
  for (Index i = 0; i < n; ++i) {  // a cell takes the mean of its neighbours
    if (i > 0) A.set(i, i - 1, 0.5);
    if (i + 1 < n) A.set(i, i + 1, 0.5);
  }
  Vector<double> b(n, 0.0), x(n, 0.0);
  b.set(n - 1, 0.5 * 17);  // the warm end
  double change = 1;
  int iterations = 0;
  for (; change > 1e-9; ++iterations) {
    const Vector<double> old = x;
    x = b;
    x += mxv(A, old, plus_times<double>);
    const Vector<double> difference = ewise_add(x, old, op::minus<double>);
    const Vector<double> sizes = apply(difference, op::abs<double>);
    change = reduce(sizes, monoid::max<double>);
  }
  std::printf("cells 1, 8 and 16: %.4f %.4f %.4f\n", *x.get(0), *x.get(7), *x.get(n - 1));
}
