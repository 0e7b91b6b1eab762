// HITS: hubs and authorities by power iteration.
//
// A good hub points at good authorities, a good authority is pointed at by good hubs. With A(i,j) for an edge
// from i to j, a the authority and h the hub scores:
//
//     a' = Aᵀ h,   h' = A a        that is  [a'; h'] = [0 Aᵀ; A 0] [a; h]
//
// Both are computed from the same old pair, as one product with the 2n × 2n matrix would, and each is then
// divided by its sum. Both begin with 1/n in every position. The limits are the dominant singular vectors of
// A (authorities: right, hubs: left), scaled to the sum 1. It ends when Σ|a' - a| + Σ|h' - h| is at most the
// tolerance; the rate is (σ₂/σ₁)² for every two iterations. Where several singular values are the largest,
// the even and the odd iterates may have different limits: then it runs to the iteration limit and
// `converged` is false.
//
// As linear algebra: the products are over the semiring (plus, second), which never reads the values of A.
// The 2n × 2n matrix is not formed: A and Aᵀ are its blocks. An iteration is one pass over A, one over Aᵀ and
// ten over vectors; memory: A, Aᵀ (directed graphs), and 4 vectors.
//
// Sources: J. Kleinberg, "Authoritative sources in a hyperlinked environment", Journal of the ACM 46 (1999);
// the combined iteration and its normalisation: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast sparse
// matrix-vector multiplication on GPUs: implications for graph mining", PVLDB 4 (2011), Appendix F,
// equations 7 and 8.
#pragma once
#include "graph.hpp"

namespace cugrb {

struct HitsOptions {
  double tolerance = 1e-4;  ///< ends when the sum of changes is at most this; 0: runs all iterations
  int iteration_limit = 100;
};

template <class Real>
struct Hits {
  Vector<Real> authorities;  ///< one for every vertex; their sum is 1
  Vector<Real> hubs;         ///< one for every vertex; their sum is 1
  int iterations = 0;        ///< how many were done
  bool converged = false;    ///< whether the tolerance was reached
  double residual = 0;       ///< Σ|a' - a| + Σ|h' - h| of the last iteration
};

namespace detail {

/// A and Aᵀ in one process. (algorithms/distributed/hits.hpp has those of several.)
template <class T>
struct LocalHits {
  const Matrix<T>&forwards, &backwards;

  template <class Real>
  void add_authorities(Vector<Real>& scores, const Vector<Real>& hubs) const {
    scores += mxv(backwards, hubs, plus_second<Real>);
  }
  template <class Real>
  void add_hubs(Vector<Real>& scores, const Vector<Real>& authorities) const {
    scores += mxv(forwards, authorities, plus_second<Real>);
  }
  /// Σ over all processes.
  template <class Number>
  Number total(Number part) const {
    return part;
  }
};

/// A sum of each kind of score, over all vertices.
struct HitsSums {
  double authorities = 0, hubs = 0;
  friend HitsSums operator+(HitsSums a, HitsSums b) {
    return {a.authorities + b.authorities, a.hubs + b.hubs};
  }
};
template <class Real, class Edges>
HitsSums sums_of(const Vector<Real>& authorities, const Vector<Real>& hubs, const Edges& edges) {
  return edges.total(HitsSums{static_cast<double>(reduce(authorities, monoid::plus<Real>)),
                              static_cast<double>(reduce(hubs, monoid::plus<Real>))});
}
template <class Real>
void divide(Vector<Real>& scores, double sum) {
  if (sum > 0) scores = apply(scores, op::div<Real>, static_cast<Real>(sum));
}
/// Σ|u - v| before the sum: v is overwritten.
template <class Real>
void take_difference(const Vector<Real>& u, Vector<Real>& v) {
  v -= u;
  v = apply(v, op::abs<Real>);
}

inline void check_hits(const HitsOptions& options) {
  if (!(options.tolerance >= 0) || options.iteration_limit < 1) {
    throw Error(GrB_INVALID_VALUE, "hits", "tolerance >= 0, iteration_limit >= 1");
  }
}

/// Of n vertices, `own` of which are here.
template <class Real, class Edges>
Hits<Real> iterate_hits(Index n, Index own, const Edges& edges, const HitsOptions& options) {
  const Real even = n > 0 ? static_cast<Real>(1.0 / static_cast<double>(n)) : Real(0);
  Hits<Real> result{Vector<Real>(own, even), Vector<Real>(own, even)};
  if (n == 0) return result;
  Vector<Real> authorities(own), hubs(own);
  while (result.iterations < options.iteration_limit && !result.converged) {
    ++result.iterations;
    swap(result.authorities, authorities);
    swap(result.hubs, hubs);
    result.authorities = Real(0);
    edges.add_authorities(result.authorities, hubs);
    result.hubs = Real(0);
    edges.add_hubs(result.hubs, authorities);
    const HitsSums sums = sums_of(result.authorities, result.hubs, edges);
    if (!(sums.authorities > 0)) {
      result.hubs = Real(0);
      result.converged = true;
      return result;
    }
    divide(result.authorities, sums.authorities);
    divide(result.hubs, sums.hubs);
    take_difference(result.authorities, authorities);
    take_difference(result.hubs, hubs);
    const HitsSums changes = sums_of(authorities, hubs, edges);
    result.residual = changes.authorities + changes.hubs;
    result.converged = result.residual <= options.tolerance && options.tolerance > 0;
  }
  return result;
}

}  // namespace detail

/// Hub and authority scores of a graph's vertices in precision Real (float or double). In a graph without
/// edges nothing is a hub or an authority: all scores are 0. Errors: GrB_INVALID_VALUE when tolerance is
/// negative or the limit below 1.
///
///     auto result = cugrb::hits<float>(graph);
template <class Real = float, class T>
Hits<Real> hits(Graph<T>& graph, const HitsOptions& options = {}) {
  detail::check_hits(options);
  const detail::LocalHits<T> edges{graph.adjacency(), graph.transposed()};
  return detail::iterate_hits<Real>(graph.size(), graph.size(), edges, options);
}

}  // namespace cugrb
