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
#include <optional>

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

/// Decides, level by level, between push and pull. `Edges`: as search_levels.
template <class Edges>
class PushOrPull {
 public:
  explicit PushOrPull(const Edges& edges)
      : edges_(edges),
        degree_in_frontier_(edges.out_degree().size()),
        n_(edges.size()),
        unexplored_(edges.entries()) {}
  /// True when this level should be done by pull. `last` and `now` are the sizes of the last two frontiers.
  template <class Frontier>
  bool pull(const Vector<Frontier>& frontier, Index last, Index now) {
    if (pulling_) {
      if (now < last && now <= n_ / 512) pulling_ = false;
    } else if (pulled_before_) {
      pulling_ = now > last && now > n_ / 8;
    } else if (unexplored_ >= static_cast<int64_t>(n_)) {
      degree_in_frontier_(structure(frontier), replace) = edges_.out_degree();
      const int64_t edges = edges_.total(reduce(degree_in_frontier_, monoid::plus<int64_t>));
      unexplored_ -= edges;
      pulling_ = now > last && edges > unexplored_ / 8;
    }
    pulled_before_ = pulled_before_ || pulling_;
    return pulling_;
  }

 private:
  const Edges& edges_;
  Vector<int64_t> degree_in_frontier_;
  Index n_;
  int64_t unexplored_;
  bool pulling_ = false, pulled_before_ = false;
};

/// The edges of a graph in one process. (algorithms/distributed/bfs.hpp has those of several.)
template <class T>
class LocalEdges {
 public:
  explicit LocalEdges(Graph<T>& graph)
      : forwards_(graph.adjacency()), backwards_(graph.transposed()), out_degree_(graph.out_degree()) {}
  Index size() const { return forwards_.nrows(); }
  int64_t entries() const { return static_cast<int64_t>(forwards_.nvals()); }
  const Vector<int64_t>& out_degree() const { return out_degree_; }
  /// Σ over all processes.
  template <class Number>
  Number total(Number part) const {
    return part;
  }
  /// The vertices next to the frontier that are not seen.
  /// How many entries a vector has in all processes.
  template <class Value>
  Index count(const Vector<Value>& part) const {
    return part.nvals();
  }
  template <class Frontier, class Seen, class Semiring>
  void advance(Vector<Frontier>& frontier, Index, const Vector<Seen>& seen, const Semiring& semiring,
               bool pull) const {
    frontier.prefer(pull ? Storage::bitmap : Storage::sparse);
    if (pull) {
      frontier(!structure(seen), replace) = mxv(backwards_, frontier, semiring);
    } else {
      frontier(!structure(seen), replace) = vxm(frontier, forwards_, semiring);
    }
  }

 private:
  const Matrix<T>&forwards_, &backwards_;
  const Vector<int64_t>& out_degree_;
};

/// The loop over levels: replaces `frontier` by the unseen vertices next to it and calls found(level, count)
/// until there are none. `seen` must hold every vertex reached so far; found() adds the frontier to it.
/// Whether the search has ended within `most` levels.
template <class Frontier, class Seen, class Edges, class Semiring, class Found>
bool search_levels(const Edges& edges, Vector<Frontier>& frontier, const Vector<Seen>& seen,
                   const Semiring& semiring, Found found,
                   int64_t most = std::numeric_limits<int64_t>::max()) {
  PushOrPull<Edges> direction(edges);
  auto now = edges.count(frontier);
  Index last = 0;
  for (int64_t level = 1; level <= most; ++level) {
    edges.advance(frontier, now, seen, semiring, direction.pull(frontier, last, now));
    last = now;
    now = edges.count(frontier);
    if (now == 0) return true;
    found(level, now);
  }
  return false;
}

/// A search from the vertex that `number` names among the own ones, if it is one of them; `name` is what it
/// is called as a parent.
template <class Integer, class Edges>
Bfs<Integer> search(const Edges& edges, std::optional<Index> number, Index name, BfsOutput output) {
  const Index own = edges.out_degree().size();
  Bfs<Integer> result{Vector<Integer>(own), Vector<Integer>(own)};
  Vector<Integer>& parents = result.parents;
  Vector<Integer>& levels = result.levels;
  const bool want_levels = output != BfsOutput::parents;
  result.visited = 1;
  if (want_levels) {
    levels.prefer(Storage::bitmap_or_full);
    if (number) levels.set(*number, 0);
  }
  if (output == BfsOutput::levels) {
    Vector<bool> frontier(own);
    if (number) frontier.set(*number, true);
    search_levels(edges, frontier, levels, any_pair<bool>, [&](int64_t level, Index now) {
      levels(structure(frontier)) = static_cast<Integer>(level);
      result.visited += now;
      result.depth = static_cast<Integer>(level);
    });
    return result;
  }
  parents.prefer(Storage::bitmap_or_full);
  Vector<Integer> frontier(own);
  if (number) {
    parents.set(*number, static_cast<Integer>(name));
    frontier.set(*number, static_cast<Integer>(name));
  }
  search_levels(edges, frontier, parents, any_secondi<Integer>, [&](int64_t level, Index now) {
    parents(structure(frontier)) = frontier;
    if (want_levels) levels(structure(frontier)) = static_cast<Integer>(level);
    result.visited += now;
    result.depth = static_cast<Integer>(level);
  });
  return result;
}

template <class Integer>
void check_search(Index n, Index source) {
  if (source >= n) throw Error(GrB_INVALID_INDEX, "bfs", "the source is not a vertex of the graph");
  if (n > static_cast<Index>(std::numeric_limits<Integer>::max())) {
    throw Error(GrB_INVALID_VALUE, "bfs", "the graph has more vertices than the integer type can number");
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
  detail::check_search<Integer>(graph.size(), source);
  return detail::search<Integer>(detail::LocalEdges<T>(graph), source, source, output);
}

}  // namespace cugrb
