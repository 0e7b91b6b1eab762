// Values of vertices that products with the edges lower, until nothing is lowered: distances, colours.
#pragma once
#include <utility>

#include "graph.hpp"

namespace cugrb::detail {

/// x = min(x, uᵀ E) over a semiring whose monoid is min. Every vertex that may be lowered has an entry in x.
template <class T>
class Lowering {
 public:
  explicit Lowering(Vector<T> values)
      : values_(std::move(values)), offers_(values_.size()), lowered_(values_.size()) {}

  /// Four calls; lowered() are then the entries that have become less.
  template <class Edges, class Semiring>
  void operator()(const Vector<T>& from, const Edges& edges, const Semiring& semiring) {
    offer([&](Vector<T>& offers) { offers = vxm(from, edges, semiring); });
  }
  /// The same with offers that product(offers) makes.
  template <class Product>
  void offer(const Product& product) {
    product(offers_);
    const Vector<bool> lower = ewise_mult(offers_, values_, op::lt<T>);
    lowered_(mask(lower), replace) = offers_;
    values_(structure(lowered_)) = lowered_;
  }
  const Vector<T>& values() const { return values_; }
  const Vector<T>& lowered() const { return lowered_; }

 private:
  Vector<T> values_, offers_, lowered_;
};

}  // namespace cugrb::detail
