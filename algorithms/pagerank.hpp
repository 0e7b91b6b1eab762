// PageRank by power iteration.
//
// The rank of a page is the chance to find a random surfer there, who follows a random link with probability
// d (damping) and jumps to a random page with probability 1 - d. At a page without links (a sink) the surfer
// always jumps, so the rank of the sinks is spread over all pages and the ranks keep the sum 1:
//
//     r'(j) = (1 - d)/n + d · ( Σ_{i → j} r(i)/outdegree(i)  +  (1/n) Σ_{sinks i} r(i) )
//
// As linear algebra: w = r ./ (outdegree/d);  r' = teleport;  r' += Aᵀ w over the semiring (plus, second),
// which never reads the values of A. It ends when Σ |r' - r| is at most the tolerance. Every vector in the
// loop is full, so an iteration is one pass over A and six over vectors; memory: A, and 6 vectors
// (7 where the process has several devices).
//
// Sources: S. Brin, L. Page, "The anatomy of a large-scale hypertextual web search engine", Computer Networks
// 30 (1998); sinks as in A. N. Langville, C. D. Meyer, "Deeper inside PageRank", Internet Mathematics 1
// (2004); the vector form follows LAGraph's LAGr_PageRank (T. Davis and others).
#pragma once
#include <algorithm>
#include <optional>

#include "cugrb/devices.hpp"
#include "graph.hpp"

namespace cugrb {

struct PageRankOptions {
  double damping = 0.85;    ///< d, in (0, 1)
  double tolerance = 1e-4;  ///< ends when the sum of changes is at most this; 0: runs all iterations
  int iteration_limit = 100;
};

template <class Real>
struct PageRank {
  Vector<Real> ranks;      ///< one for every vertex; their sum is 1
  int iterations = 0;      ///< how many were done
  bool converged = false;  ///< whether the tolerance was reached
  double residual = 0;     ///< Σ |r' - r| of the last iteration
};

namespace detail {

inline void check_pagerank(const PageRankOptions& options) {
  if (!(options.damping > 0 && options.damping < 1) || !(options.tolerance >= 0) ||
      options.iteration_limit < 1) {
    throw Error(GrB_INVALID_VALUE, "pagerank", "damping is in (0,1), tolerance >= 0, iteration_limit >= 1");
  }
}

/// What goes along the links of one process: what leaves each page, or what arrives there already.
template <class Real>
struct Sent {
  Vector<Real> leaving;
  std::optional<Vector<Real>> arriving;
};

/// The walk's links in one process. (algorithms/distributed/links.hpp has those of several.)
template <class T, class Semiring>
struct LocalLinks {
  const Matrix<T>& links;
  const Semiring& follow;

  /// What goes along the links, on its way.
  template <class Real>
  Sent<Real> send(Vector<Real>&& leaving) const {
    return {std::move(leaving), std::nullopt};
  }
  /// It will be added, so that it may be multiplied before the host knows the sums. One device would make
  /// these behind the product; of several none waits for the host then.
  template <class Real>
  void hurry(Sent<Real>& sent) const {
    if (device_count() > 1) sent.arriving.emplace(mxv(links, sent.leaving, follow));
  }
  template <class Real>
  void add(Vector<Real>& rank, Sent<Real>&& sent) const {
    if (sent.arriving) {
      rank = Vector<Real>(ewise_add(rank, *sent.arriving, op::plus<Real>));
    } else {
      rank += mxv(links, sent.leaving, follow);
    }
  }
  /// It is not needed after all.
  template <class Real>
  void drop(Sent<Real>&&) const {}
  /// Σ over all processes.
  template <class Number>
  Number total(Number part) const {
    return part;
  }
};

/// What an iteration adds up over all pages.
struct SurferSums {
  double change = 0;    ///< Σ |r' - r|
  double at_sinks = 0;  ///< Σ r' of the pages without links
  friend SurferSums operator+(SurferSums a, SurferSums b) {
    return {a.change + b.change, a.at_sinks + b.at_sinks};
  }
};

/// Iterates a surfer's chances from `rank` on: begin(rank, lost) sets what the next step has of jumps, where
/// `lost` is the chance to be at a sink; then what is sent along links is added. `degree` has the links that
/// leave each page, no entry where there are none. `Result` takes iterations, converged and residual. The
/// processes meet once an iteration for the sums, and in the product. What the next iteration sends is on its
/// way while the sums are made.
template <class Real, class Result, class Links, class Begin>
void iterate_surfer(Vector<Real>& rank, Result& result, const Links& links, const Vector<int64_t>& degree,
                    const Begin& begin, const PageRankOptions& options) {
  const Index size = degree.size();
  const Real damping = static_cast<Real>(options.damping);
  const bool sinks = links.total(size - degree.nvals()) > 0;

  // degree/d, with degree 1 for sinks: what they would send along no link does not matter, but keeps the
  // vector full. (A degree is at least 1, so the maximum with 1/d changes no other.)
  const Vector<Real> least(size, 1 / damping);
  Vector<Real> scaled = apply(degree, op::div<Real>, damping);
  scaled = ewise_add(least, scaled, op::max<Real>);
  // 1 for sinks, 0 for others. It is full: a sum of products costs less than one under a mask.
  const Vector<Real> ones(size, Real(1));
  Vector<Real> is_sink = apply(degree, op::one<Real>);
  is_sink = ewise_add(ones, is_sink, op::minus<Real>);

  // Products are vectors of their own: SuiteSparse 7.4 writes all values of a full result into an output that
  // has room for one, as that of ranks and degrees that are all alike has.
  Vector<Real> previous(size);
  std::optional<Vector<Real>> at_sinks;
  const auto find_at_sinks = [&] {
    if (sinks) at_sinks.emplace(ewise_mult(rank, is_sink, op::times<Real>));
  };
  const auto sums_of = [&](const Vector<Real>* change) {
    SurferSums own;
    if (change != nullptr) own.change = static_cast<double>(reduce(*change, monoid::plus<Real>));
    if (sinks) own.at_sinks = static_cast<double>(reduce(*at_sinks, monoid::plus<Real>));
    return links.total(own);
  };
  const auto sent_from = [&](const Vector<Real>& ranks) {
    return links.send(Vector<Real>(ewise_mult(ranks, scaled, op::div<Real>)));
  };
  find_at_sinks();
  SurferSums sums = sums_of(nullptr);
  auto sent = sent_from(rank);
  double expected = 2 * options.damping;  // of the next change: a first one is 2 at most
  while (true) {
    ++result.iterations;
    swap(rank, previous);
    begin(rank, static_cast<Real>(sums.at_sinks));
    links.add(rank, std::move(sent));
    const bool last = result.iterations >= options.iteration_limit;
    if (!last) sent = sent_from(rank);
    previous -= rank;
    previous = apply(previous, op::abs<Real>);
    find_at_sinks();
    if (!last && expected > options.tolerance) links.hurry(sent);
    sums = sums_of(&previous);
    // Changes shrink evenly: this is what they have shrunk by.
    if (result.residual > 0) expected = sums.change * std::min(1.0, sums.change / result.residual);
    result.residual = sums.change;
    result.converged = result.residual <= options.tolerance && options.tolerance > 0;
    if (last) break;
    if (result.converged) {
      links.drop(std::move(sent));
      break;
    }
  }
}

/// The same with jumps to any of n pages.
template <class Real, class Links>
void iterate_ranks(PageRank<Real>& result, Index n, const Links& links, const Vector<int64_t>& degree,
                   const PageRankOptions& options) {
  if (n == 0) return;
  const Real damping = static_cast<Real>(options.damping);
  const Real jump = static_cast<Real>((1 - options.damping) / static_cast<double>(n));
  const auto begin = [&](Vector<Real>& rank, Real lost) {
    rank = jump + damping * lost / static_cast<Real>(n);
  };
  iterate_surfer(result.ranks, result, links, degree, begin, options);
}
/// `links` is Aᵀ; `follow` is (plus, second), or (plus, times) where the values of `links` count.
template <class Real, class T, class Semiring>
void iterate_ranks(PageRank<Real>& result, const Matrix<T>& links, const Vector<int64_t>& degree,
                   const Semiring& follow, const PageRankOptions& options) {
  iterate_ranks(result, links.nrows(), LocalLinks<T, Semiring>{links, follow}, degree, options);
}

/// The surfer anywhere among n pages, of which `own` are here.
template <class Real>
Vector<Real> uniform_ranks(Index n, Index own) {
  return Vector<Real>(own, static_cast<Real>(1.0 / static_cast<double>(std::max<Index>(n, 1))));
}
template <class Real>
Vector<Real> uniform_ranks(Index n) {
  return uniform_ranks<Real>(n, n);
}

}  // namespace detail

/// The ranks of a graph's vertices in precision Real (float or double). An empty graph gives an empty result.
/// Errors: GrB_INVALID_VALUE when damping is outside (0, 1), tolerance is negative or the limit is below 1.
///
///     auto result = cugrb::pagerank<float>(graph);
template <class Real = float, class T>
PageRank<Real> pagerank(Graph<T>& graph, const PageRankOptions& options = {}) {
  detail::check_pagerank(options);
  PageRank<Real> result{detail::uniform_ranks<Real>(graph.size())};
  detail::iterate_ranks(result, graph.transposed(), graph.out_degree(), plus_second<Real>, options);
  return result;
}

}  // namespace cugrb
