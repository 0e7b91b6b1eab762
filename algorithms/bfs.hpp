// Breadth-first search, direction-optimising: parents and levels.
//
// Level by level, the frontier q (the vertices found last) is multiplied with the adjacency matrix. Two ways
// give the same next frontier:
//   push   q' = qᵀ A   masked by the vertices not yet seen: from every frontier vertex along its edges; work
//   = edges out of q pull   q  = Aᵀ q   masked likewise: every unseen vertex looks for one frontier vertex
//   among its in-edges and stops at
//                      the first; work = a few edges for every unseen vertex
// Push wins while the frontier is small, pull when it holds a good part of the graph. The switch (α = 8, β =
// 8 and 512):
//   to pull  when the frontier grows and its edges exceed 1/α of the edges of unseen vertices; once a pull
//   has been done,
//            when it grows beyond n/8 vertices, so that edges are not counted again
//   to push  when the frontier shrinks to n/512 vertices or fewer
// The semiring (any, secondi) returns, for each new vertex, the index of some frontier vertex next to it: its
// parent. It reads no values of A or q. Levels only: (any, pair). Memory: A, Aᵀ (directed graphs), and 3 or 4
// vectors.
//
// Sources: S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first search", SC 2012; as
// linear algebra: C. Yang, A. Buluç, J. Owens, "Implementing push-pull efficiently in GraphBLAS", ICPP 2018;
// thresholds as in LAGraph's LG_BreadthFirstSearch_SSGrB (T. Davis and others).
#pragma once
#include <limits>

#include "graph.hpp"

namespace cugrb {

enum class BfsOutput { parents, levels, both };

/// Integer is int32_t or int64_t; a graph with 2^31 or more vertices needs int64_t.
template <class Integer>
struct Bfs {
  Vector<Integer>
      parents;  ///< parent of each vertex reached, the source's own is itself; empty unless asked for
  Vector<Integer> levels;  ///< number of edges from the source of each vertex reached; empty unless asked for
  Index visited = 0;       ///< vertices reached, the source included
  Integer depth = 0;       ///< the highest level
};

namespace detail {

/// Decides, level by level, between push and pull.
template <class T>
class PushOrPull {
 public:
  explicit PushOrPull(Graph<T>& graph)
      : degree_(graph.out_degree()), degree_in_frontier_(graph.size()), n_(graph.size()) {
    unexplored_ = static_cast<int64_t>(graph.adjacency().nvals());
  }
  /// True when this level should be done by pull. `last` and `now` are the sizes of the last two frontiers.
  template <class Frontier>
  bool pull(const Vector<Frontier>& frontier, Index last, Index now) {
    if (pulling_) {
      if (now < last && now <= n_ / 512) pulling_ = false;
    } else if (pulled_before_) {
      pulling_ = now > last && now > n_ / 8;
    } else if (unexplored_ >= static_cast<int64_t>(n_)) {
      degree_in_frontier_(structure(frontier), replace) = degree_;
      const int64_t edges = reduce(degree_in_frontier_, monoid::plus<int64_t>);
      unexplored_ -= edges;
      pulling_ = now > last && edges > unexplored_ / 8;
    }
    pulled_before_ = pulled_before_ || pulling_;
    return pulling_;
  }

 private:
  const Vector<int64_t>& degree_;
  Vector<int64_t> degree_in_frontier_;
  Index n_;
  int64_t unexplored_;
  bool pulling_ = false, pulled_before_ = false;
};

/// The loop over levels: replaces `frontier` by the unseen vertices next to it and calls found(level) until
/// there are none. `seen` must hold every vertex reached so far; found() adds the frontier to it.
template <class Frontier, class Seen, class T, class Semiring, class Found>
void search_levels(Graph<T>& graph, Vector<Frontier>& frontier, const Vector<Seen>& seen,
                   const Semiring& semiring, Found found) {
  const Matrix<T>& forwards = graph.adjacency();
  const Matrix<T>& backwards = graph.transposed();
  PushOrPull<T> direction(graph);
  Index last = 0, now = 1;
  for (int64_t level = 1;; ++level) {
    const bool pull = direction.pull(frontier, last, now);
    frontier.prefer(pull ? Storage::bitmap : Storage::sparse);
    if (pull) {
      frontier(!structure(seen), replace) = mxv(backwards, frontier, semiring);
    } else {
      frontier(!structure(seen), replace) = vxm(frontier, forwards, semiring);
    }
    last = now;
    now = frontier.nvals();
    if (now == 0) return;
    found(level, now);
  }
}

}  // namespace detail

/// Breadth-first search from `source`. A vertex that cannot be reached has no entry. Which of several
/// possible parents a vertex gets is not determined; its level is. Errors: GrB_INVALID_INDEX when source is
/// no vertex; GrB_INVALID_VALUE when Integer cannot number the vertices.
///
///     auto result = cugrb::bfs(graph, 0, cugrb::BfsOutput::both);
template <class Integer = int32_t, class T>
Bfs<Integer> bfs(Graph<T>& graph, Index source, BfsOutput output = BfsOutput::parents) {
  const Index n = graph.size();
  if (source >= n) throw Error(GrB_INVALID_INDEX, "bfs", "the source is not a vertex of the graph");
  if (n > static_cast<Index>(std::numeric_limits<Integer>::max())) {
    throw Error(GrB_INVALID_VALUE, "bfs", "the graph has more vertices than the integer type can number");
  }
  Bfs<Integer> result{Vector<Integer>(n), Vector<Integer>(n)};
  Vector<Integer>& parents = result.parents;
  Vector<Integer>& levels = result.levels;
  const bool want_levels = output != BfsOutput::parents;
  result.visited = 1;
  if (want_levels) {
    levels.prefer(Storage::bitmap_or_full);
    levels.set(source, 0);
  }
  if (output == BfsOutput::levels) {
    Vector<bool> frontier(n);
    frontier.set(source, true);
    detail::search_levels(graph, frontier, levels, any_pair<bool>, [&](int64_t level, Index now) {
      levels(structure(frontier)) = static_cast<Integer>(level);
      result.visited += now;
      result.depth = static_cast<Integer>(level);
    });
    return result;
  }
  parents.prefer(Storage::bitmap_or_full);
  parents.set(source, static_cast<Integer>(source));
  Vector<Integer> frontier(n);
  frontier.set(source, static_cast<Integer>(source));
  detail::search_levels(graph, frontier, parents, any_secondi<Integer>, [&](int64_t level, Index now) {
    parents(structure(frontier)) = frontier;
    if (want_levels) levels(structure(frontier)) = static_cast<Integer>(level);
    result.visited += now;
    result.depth = static_cast<Integer>(level);
  });
  return result;
}

}  // namespace cugrb
