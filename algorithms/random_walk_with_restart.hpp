// Random walk with restart: how close is every vertex to a query vertex?
//
// A walker begins at the query vertex q. At each step he follows a random edge with probability c, or returns
// to q with probability 1 - c; where no edge leaves, he always returns. The relevance of a vertex to q is the
// chance to find him there:
//
//     r'(j) = c Σ_{i → j} r(i)/outdegree(i)  +  ( (1 - c) + c Σ_{sinks i} r(i) ) [j = q]
//
// that is r' = c W r + (1 - c) e_q, with W the adjacency matrix of an undirected graph with columns divided
// by their sums. The sinks (vertices without edges) are added here so that the relevances keep the sum 1 in
// any graph. As linear algebra: s = r ./ (outdegree/c); r' = 0; r'(q) = restart; r' += Aᵀ s over (plus,
// second), which never reads the values of A. It ends when Σ|r' - r| is at most the tolerance: r is then
// within tolerance · c/(1 - c) of the fixed point. Every vector in the loop is full: an iteration is one pass
// over A and six over vectors; memory: A, and 4 vectors.
//
// Several queries are walked together, as the rows of a k × n matrix:
//
//     R' = c R Wᵀ + (the restarts, entry (r, q_r) of row r)
//
// one product of a full matrix with Aᵀ transposed reads A once for all of them. A query ends at its own step,
// and its row leaves the matrix. Memory: A, and 4 matrices of k × n.
//
// Sources: H. Tong, C. Faloutsos, J.-Y. Pan, "Fast random walk with restart and its applications", ICDM 2006;
// in this form: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast sparse matrix-vector multiplication on GPUs:
// implications for graph mining", PVLDB 4 (2011), Appendix F, equation 9.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace cugrb {

struct RandomWalkOptions {
  double follow = 0.9;      ///< c: the chance to follow an edge, in (0, 1)
  double tolerance = 1e-4;  ///< ends when the sum of changes is at most this; 0: runs all iterations
  int iteration_limit = 100;
  int together = 16;  ///< queries that random_walks_with_restart walks as one matrix; 1: one after another
};

template <class Real>
struct RandomWalk {
  Vector<Real> relevances;  ///< one for every vertex; their sum is 1
  int iterations = 0;       ///< how many were done
  bool converged = false;   ///< whether the tolerance was reached
  double residual = 0;      ///< Σ|r' - r| of the last iteration
};

namespace detail {

inline void check_random_walk(const RandomWalkOptions& options) {
  if (!(options.follow > 0 && options.follow < 1) || !(options.tolerance >= 0) ||
      options.iteration_limit < 1 || options.together < 1) {
    throw Error(GrB_INVALID_VALUE, "random_walk_with_restart",
                "follow is in (0,1), tolerance >= 0, iteration_limit >= 1, together >= 1");
  }
}

}  // namespace detail

/// Walks of one graph with one set of options, for any number of queries. What depends on the graph alone is
/// computed once. The graph must outlive it. Not for use by several threads.
template <class Real, class T>
class RandomWalker {
 public:
  /// Errors: GrB_INVALID_VALUE when follow is outside (0, 1), tolerance is negative, the limit or `together`
  /// below 1.
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
    check_vertex(query);
    const Index n = graph_.size();
    RandomWalk<Real> result{Vector<Real>(n, Real(0))};
    result.relevances.set(query, Real(1));
    while (result.iterations < options_.iteration_limit && !result.converged) {
      ++result.iterations;
      swap(result.relevances, previous_);
      step(result.relevances, query);
      previous_ -= result.relevances;
      previous_ = apply(previous_, op::abs<Real>);
      result.residual = static_cast<double>(reduce(previous_, monoid::plus<Real>));
      result.converged = is_close(result.residual);
    }
    return result;
  }

  /// The same for several queries at once, in their order; queries may repeat.
  std::vector<RandomWalk<Real>> operator()(const std::vector<Index>& queries) {
    for (const Index query : queries) check_vertex(query);
    std::vector<RandomWalk<Real>> results;
    for (size_t k = 0; k < queries.size(); ++k) results.push_back({Vector<Real>(graph_.size())});
    Batch batch(queries, graph_.size());
    for (int iteration = 1; !batch.walking.empty(); ++iteration) {
      swap(batch.relevances, batch.previous);
      step(batch);
      batch.previous() -= batch.relevances;
      batch.previous = apply(batch.previous, op::abs<Real>);
      const auto residuals = Vector<Real>(reduce_rows(batch.previous, monoid::plus<Real>)).entries();
      std::vector<Index> kept;
      for (Index r = 0; r < batch.walking.size(); ++r) {
        RandomWalk<Real>& result = results[batch.walking[r]];
        result.iterations = iteration;
        result.residual = static_cast<double>(residuals.values[r]);
        result.converged = is_close(result.residual);
        if (!result.converged && iteration < options_.iteration_limit) {
          kept.push_back(r);
        } else {
          result.relevances = batch.row(r);
        }
      }
      batch.keep(kept);
    }
    return results;
  }

 private:
  /// Queries that still walk, a row each.
  struct Batch {
    std::vector<Index> walking;   ///< of each row: the number of its query
    std::vector<Index> vertices;  ///< and the query itself
    Matrix<Real> relevances, previous;
    Matrix<Real> restarts;  ///< one entry a row

    Batch(const std::vector<Index>& queries, Index n)
        : vertices(queries),
          relevances(rows_of(queries.size()), n),
          previous(rows_of(queries.size()), n),
          restarts(rows_of(queries.size()), n) {
      for (Index r = 0; r < queries.size(); ++r) walking.push_back(r);
      if (queries.empty()) return;
      relevances(at(all, all)) = Real(0);
      for (Index r = 0; r < queries.size(); ++r) relevances.set(r, queries[r], Real(1));
    }
    static Index rows_of(Index queries) { return queries > 0 ? queries : 1; }  // a matrix has rows

    Vector<Real> row(Index r) const {
      Vector<Real> chosen(relevances.nrows());
      chosen.set(r, Real(1));
      return vxm(chosen, relevances, plus_second<Real>);
    }
    /// Only these rows.
    void keep(const std::vector<Index>& rows) {
      if (rows.size() == walking.size()) return;
      for (Index r = 0; r < rows.size(); ++r) {
        walking[r] = walking[rows[r]];
        vertices[r] = vertices[rows[r]];
      }
      walking.resize(rows.size());
      vertices.resize(rows.size());
      if (rows.empty()) return;
      relevances = Matrix<Real>(extract(relevances, rows, all));
      previous = Matrix<Real>(rows.size(), relevances.ncols());
      restarts = Matrix<Real>(rows.size(), relevances.ncols());
    }
  };

  void check_vertex(Index query) const {
    if (query < graph_.size()) return;
    throw Error(GrB_INVALID_INDEX, "random_walk_with_restart", "a query is not a vertex of the graph");
  }
  bool is_close(double residual) const { return residual <= options_.tolerance && options_.tolerance > 0; }

  static const RandomWalkOptions& checked(const RandomWalkOptions& options) {
    detail::check_random_walk(options);
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

  /// The same for all rows: batch.relevances from batch.previous.
  void step(Batch& batch) {
    set_restarts(batch);
    batch.relevances(at(all, all)) = Real(0);
    batch.relevances += batch.restarts;
    const Matrix<Real> sent = mxm(batch.previous, scale(), plus_div<Real>);
    batch.relevances += mxm(sent, transpose(links_), plus_first<Real>);
  }

  void set_restarts(Batch& batch) {
    const Index rows = batch.walking.size();
    if (sinks_ == 0 && batch.restarts.nvals() == rows) return;
    std::vector<Real> values(rows, static_cast<Real>(1 - options_.follow));
    std::vector<Index> places(rows);
    for (Index r = 0; r < rows; ++r) places[r] = r;
    if (sinks_ > 0) {
      const auto lost = Vector<Real>(mxv(batch.previous, sink_places(), plus_first<Real>)).entries();
      for (Index r = 0; r < rows; ++r) values[r] += static_cast<Real>(options_.follow) * lost.values[r];
    }
    batch.restarts.clear();
    batch.restarts.build(places.data(), batch.vertices.data(), values.data(), rows, op::plus<Real>);
  }

  /// `scaled_` on a diagonal, made at first use.
  const Matrix<Real>& scale() {
    if (scale_) return *scale_;
    scale_.emplace(diagonal(scaled_));
    return *scale_;
  }
  /// An entry for every sink, made at first use.
  const Vector<bool>& sink_places() {
    if (sink_places_) return *sink_places_;
    sink_places_.emplace(graph_.size());
    (*sink_places_)(!structure(graph_.out_degree()), replace) = true;
    return *sink_places_;
  }

  Graph<T>& graph_;
  RandomWalkOptions options_;
  const Matrix<T>& links_;
  Index sinks_;
  Vector<Real> scaled_, previous_, sent_, at_sinks_;
  std::optional<Matrix<Real>> scale_;        ///< for several queries
  std::optional<Vector<bool>> sink_places_;  ///< the same
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

/// The same for several queries, in their order, options.together at a time. Memory: a vector for each, and
/// what those that walk together take.
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
  const auto most = static_cast<size_t>(options.together);
  for (size_t first = 0; first < queries.size(); first += most) {
    const size_t last = std::min(queries.size(), first + most);
    if (last - first == 1) {
      results.push_back(walk(queries[first]));
      continue;
    }
    for (RandomWalk<Real>& result : walk(std::vector<Index>(queries.begin() + first, queries.begin() + last)))
      results.push_back(std::move(result));
  }
  return results;
}

}  // namespace cugrb
