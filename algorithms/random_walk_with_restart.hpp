// Random walk with restart: how close is every vertex to a query vertex?
//
// A walker begins at the query vertex q. At each step he follows a random edge with probability c, or returns
// to q with probability 1 - c; where no edge leaves, he always returns. The relevance of a vertex to q is the
// chance to find him there:
//
//     r'(j) = c Σ_{i → j} r(i)/outdegree(i)  +  ( (1 - c) + c Σ_{sinks i} r(i) ) [j = q]
//
// that is r' = c W r + (1 - c) e_q, with W the adjacency matrix of an undirected graph with columns divided
// by their sums; the sinks (vertices without edges) are added here so that the relevances keep the sum 1 in
// any graph. As linear algebra: s = r ./ (outdegree/c); r' = 0; r'(q) = restart; r' += Aᵀ s over (plus,
// second), which never reads the values of A. It ends when Σ|r' - r| is at most the tolerance: r is then
// within tolerance · c/(1 - c) of the fixed point. Every vector in the loop is full: an iteration is one pass
// over A and six over vectors; memory: A, and 4 vectors.
//
// Several queries are walked one after another and share what depends on the graph alone. (One product with
// an n × queries matrix would read A once for all of them; on the device it would be no faster, see
// docs/algorithms.md.)
//
// Sources: H. Tong, C. Faloutsos, J.-Y. Pan, "Fast random walk with restart and its applications", ICDM 2006;
// in this form: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast sparse matrix-vector multiplication on GPUs:
// implications for graph mining", PVLDB 4 (2011), Appendix F, equation 9.
#pragma once
#include <algorithm>
#include <vector>

#include "graph.hpp"

namespace cugrb {

struct RandomWalkOptions {
  double follow = 0.9;      ///< c: the chance to follow an edge, in (0, 1)
  double tolerance = 1e-4;  ///< ends when the sum of changes is at most this; 0: runs all iterations
  int iteration_limit = 100;
};

template <class Real>
struct RandomWalk {
  Vector<Real> relevances;  ///< one for every vertex; their sum is 1
  int iterations = 0;       ///< how many were done
  bool converged = false;   ///< whether the tolerance was reached
  double residual = 0;      ///< Σ|r' - r| of the last iteration
};

/// Walks of one graph with one set of options, for any number of queries. What depends on the graph alone is
/// computed once. The graph must outlive it. Not for use by several threads.
template <class Real, class T>
class RandomWalker {
 public:
  /// Errors: GrB_INVALID_VALUE when follow is outside (0, 1), tolerance is negative or the limit below 1.
  RandomWalker(Graph<T>& graph, const RandomWalkOptions& options)
      : graph_(graph),
        options_(checked(options)),
        links_(graph.transposed()),
        sinks_(graph.size() - graph.out_degree().nvals()),
        scaled_(graph.size()),
        previous_(graph.size()),
        sent_(graph.size()),
        at_sinks_(sinks_ > 0 ? graph.size() : 1) {
    // outdegree/c; 1/c for sinks, which send along no edge: it only keeps the vector full.
    const Real follow = static_cast<Real>(options_.follow);
    const Vector<Real> least(graph.size(), 1 / follow);
    scaled_ = apply(graph.out_degree(), op::div<Real>, follow);
    scaled_ = ewise_add(least, scaled_, op::max<Real>);
  }

  /// The relevance of every vertex to `query`. Errors: GrB_INVALID_INDEX when query is no vertex.
  RandomWalk<Real> operator()(Index query) {
    const Index n = graph_.size();
    if (query >= n) {
      throw Error(GrB_INVALID_INDEX, "random_walk_with_restart", "the query is not a vertex of the graph");
    }
    RandomWalk<Real> result{Vector<Real>(n, Real(0))};
    result.relevances.set(query, Real(1));
    while (result.iterations < options_.iteration_limit && !result.converged) {
      ++result.iterations;
      swap(result.relevances, previous_);
      step(result.relevances, query);
      previous_ -= result.relevances;
      previous_ = apply(previous_, op::abs<Real>);
      result.residual = static_cast<double>(reduce(previous_, monoid::plus<Real>));
      result.converged = result.residual <= options_.tolerance && options_.tolerance > 0;
    }
    return result;
  }

 private:
  static const RandomWalkOptions& checked(const RandomWalkOptions& options) {
    if (!(options.follow > 0 && options.follow < 1) || !(options.tolerance >= 0) ||
        options.iteration_limit < 1) {
      throw Error(GrB_INVALID_VALUE, "random_walk_with_restart",
                  "follow is in (0,1), tolerance >= 0, iteration_limit >= 1");
    }
    return options;
  }

  /// next = c W previous + restart e_query.
  void step(Vector<Real>& next, Index query) {
    Real restart = static_cast<Real>(1 - options_.follow);
    if (sinks_ > 0) {
      at_sinks_(!structure(graph_.out_degree()), replace) = previous_;
      restart += static_cast<Real>(options_.follow) * reduce(at_sinks_, monoid::plus<Real>);
    }
    sent_ = ewise_mult(previous_, scaled_, op::div<Real>);
    next = Real(0);
    next(at({query})) = restart;
    next += mxv(links_, sent_, plus_second<Real>);
  }

  Graph<T>& graph_;
  RandomWalkOptions options_;
  const Matrix<T>& links_;
  Index sinks_;
  Vector<Real> scaled_, previous_, sent_, at_sinks_;
};

/// The relevance of every vertex to `query` in precision Real (float or double). Errors: GrB_INVALID_INDEX
/// when query is no vertex; GrB_INVALID_VALUE for options out of range.
///
///     auto result = cugrb::random_walk_with_restart<float>(graph, 1);
template <class Real = float, class T>
RandomWalk<Real> random_walk_with_restart(Graph<T>& graph, Index query,
                                          const RandomWalkOptions& options = {}) {
  return RandomWalker<Real, T>(graph, options)(query);
}

/// The same for several queries, in their order. Memory: a vector for each.
template <class Real = float, class T>
std::vector<RandomWalk<Real>> random_walks_with_restart(Graph<T>& graph, const std::vector<Index>& queries,
                                                        const RandomWalkOptions& options = {}) {
  const Index n = graph.size();
  if (std::any_of(queries.begin(), queries.end(), [n](Index query) { return query >= n; })) {
    throw Error(GrB_INVALID_INDEX, "random_walks_with_restart", "a query is not a vertex of the graph");
  }
  RandomWalker<Real, T> walk(graph, options);
  std::vector<RandomWalk<Real>> results;
  results.reserve(queries.size());
  for (const Index query : queries) results.push_back(walk(query));
  return results;
}

}  // namespace cugrb
