// PageRank of a graph that takes edges: power iteration from the ranks that it had before.
//
// Edges come in batches E, entries of a matrix. A link that comes k times counts k times, so that its surfer
// takes it k times as often. With L = Aᵀ, whose values count the links, and d the links that leave each page:
//
//     L += Eᵀ      d += E 1      r' = pagerank.hpp's iteration over (plus, times), from the last r on
//
// A batch of few edges changes few ranks by much: the iteration begins near its end, and takes fewer rounds
// than from the uniform vector. It contracts by the damping factor in the 1-norm, so that the error left is
// the tolerance times damping/(1 - damping) at most, wherever it begins. L is changed where it lies, and the
// product reads it as it is then (docs/dynamic.md). Memory: L, and 5 vectors of n numbers.
//
// Source: A. N. Langville, C. D. Meyer, "Updating Markov chains with an eye on Google's PageRank", SIAM
// Journal on Matrix Analysis and Applications 27 (2006), section 3: the power method begun at the old vector.
#pragma once
#include "pagerank.hpp"

namespace cugrb {

/// The graph of `size()` pages as it is now, and its ranks as they were when update() was called last; before
/// the first call the uniform ones.
///
///     cugrb::IncrementalPageRank<float> pages(graph);
///     pages.update();
///     Matrix<bool> link(4, 4);
///     link.set(1, 2, true);
///     pages.add_edges(link);
///     auto result = pages.update();
template <class Real = float>
class IncrementalPageRank {
 public:
  /// `n` pages without links. Errors: as pagerank().
  explicit IncrementalPageRank(Index n, const PageRankOptions& options = {})
      : options_(options), links_(n, n), degree_(n), ranks_(detail::uniform_ranks<Real>(n)) {
    detail::check_pagerank(options);
  }
  template <class T>
  explicit IncrementalPageRank(const Graph<T>& graph, const PageRankOptions& options = {})
      : IncrementalPageRank(graph.size(), options) {
    add_edges(graph.adjacency());
  }

  Index size() const { return links_.nrows(); }
  const Vector<Real>& ranks() const { return ranks_; }
  /// Aᵀ: how often each link has come.
  const Matrix<Real>& links() const { return links_; }

  /// An entry (i,j) of `edges` is a link from i to j, whatever its value. Errors: GrB_DIMENSION_MISMATCH.
  template <class T>
  void add_edges(const Matrix<T>& edges) {
    if (edges.nrows() != size() || edges.ncols() != size())
      throw Error(GrB_DIMENSION_MISMATCH, "add_edges", "the edges are a matrix of the graph's size");
    const Matrix<Real> once = apply(edges, op::one<Real>);
    const Vector<int64_t> leaving = reduce_rows(once, monoid::plus<int64_t>);
    links_(accumulate(op::plus<Real>)) = transposed(once);
    degree_(accumulate(op::plus<int64_t>)) = leaving;
  }

  /// Iterates until the ranks are those of the graph as it is now. The ranks of the result are a copy.
  PageRank<Real> update() {
    PageRank<Real> result{ranks_};
    detail::iterate_ranks(result, links_, degree_, plus_times<Real>, options_);
    ranks_ = result.ranks;
    return result;
  }

 private:
  PageRankOptions options_;
  Matrix<Real> links_;
  Vector<int64_t> degree_;
  Vector<Real> ranks_;
};

}  // namespace cugrb
