// What the iterations of algorithms/pagerank.hpp and algorithms/hits.hpp take from a graph in parts: products
// whose vectors are gathered, and sums over the ranks.
#pragma once
#include <functional>

#include "cugrb/distributed.hpp"

namespace cugrb::detail {

/// Links of a surfer: those that arrive.
template <class T>
struct DistributedLinks {
  const DistributedMatrix<T>& arriving;

  template <class Real>
  typename DistributedMatrix<T>::template Arriving<Real> send(Vector<Real>&& sent) const {
    return arriving.start(std::move(sent));
  }
  /// A rank's device makes its sums first, and the ranks tell each other theirs.
  template <class Arriving>
  void hurry(Arriving&) const {}
  template <class Real>
  void add(Vector<Real>& rank, typename DistributedMatrix<T>::template Arriving<Real>&& sent) const {
    arriving.add_product(rank, std::move(sent), plus_second<Real>);
  }
  template <class Real>
  void drop(typename DistributedMatrix<T>::template Arriving<Real>&& sent) const {
    sent.drop();
  }
  template <class Number>
  Number total(Number part) const {
    return arriving.exchange().ranks().all_reduce(part, std::plus<>(), "a sum over the ranks");
  }
};

/// Edges in both directions.
template <class T>
struct DistributedHits {
  const DistributedMatrix<T>&arriving, &leaving;

  template <class Real>
  void add_authorities(Vector<Real>& scores, const Vector<Real>& hubs) const {
    arriving.add_product(scores, hubs, plus_second<Real>);
  }
  template <class Real>
  void add_hubs(Vector<Real>& scores, const Vector<Real>& authorities) const {
    leaving.add_product(scores, authorities, plus_second<Real>);
  }
  template <class Number>
  Number total(Number part) const {
    return DistributedLinks<T>{arriving}.total(part);
  }
};

}  // namespace cugrb::detail
