// Connected components of 40 rings of 25 vertices: each takes the least label around it until all keep.
// Run: g++ -std=c++17 -Iinclude -I. examples/components.cpp -lgraphblas && cugrb exec ./a.out
#include <cstdio>

#include "cugrb/graphblas.hpp"

using namespace cugrb;

int main() {
  const Context context;
  const Index rings = 40, length = 25, n = rings * length;
  Matrix<bool> links(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index next = i / length * length + (i + 1) % length;
    links.set(i, next, true);
    links.set(next, i, true);
  }
  const Vector<int64_t> ones(n, 1);
  const Vector<int64_t> places = apply(ones, op::row_index<int64_t>, 0);  // vertex i begins with the label i
  Vector<int64_t> labels = places;
  int rounds = 0;
  for (int64_t sum = -1; sum != reduce(labels, monoid::plus<int64_t>); ++rounds) {
    sum = reduce(labels, monoid::plus<int64_t>);
    labels(accumulate(op::min<int64_t>)) = mxv(links, labels, min_second<int64_t>);
  }
  const Vector<bool> own = ewise_mult(labels, places, op::eq<int64_t>);  // the least vertex keeps its label
  const Vector<bool> least = select(own, op::value_eq<bool>, true);
  std::printf("%d components after %d rounds\n", int(least.nvals()), rounds);
}
