// Which vertex reaches which on a path of 100 vertices: the closure by squaring, R = R + R R over (or, and).
// Run: g++ -std=c++17 -Iinclude -I. examples/reachability.cpp -lgraphblas && cugrb exec ./a.out
#include <cstdio>

#include "cugrb/graphblas.hpp"

using namespace cugrb;

int main() {
  const Context context;
  const Index n = 100;
  Matrix<bool> reach(n, n);
  for (Index i = 0; i + 1 < n; ++i) reach.set(i, i + 1, true);
  int squarings = 0;
  for (Index pairs = 0; pairs != reach.nvals(); ++squarings) {
    pairs = reach.nvals();
    const Matrix<bool> old = reach;
    reach(accumulate(op::lor<bool>)) = mxm(old, old, lor_land<bool>);
  }
  std::printf("%d pairs after %d squarings\n", int(reach.nvals()), squarings);
}
