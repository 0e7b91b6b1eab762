// Betweenness centrality: how many shortest paths lead through a vertex.
//
// With σ(s,t) the number of shortest paths from s to t, and σ(s,t|v) of those that lead through v,
//
//     b(v) = Σ over s in the sources and all t, s ≠ v ≠ t, of σ(s,t|v) / σ(s,t)
//
// Brandes sums over t backwards along the levels of a search: with d = δ(s,v) the sum over t for one source,
// δ(s,v) = Σ σ(s,v)/σ(s,w) (1 + δ(s,w)) over the vertices w one level farther with an edge v → w. Here
// several sources are searched together, as the rows of a matrix:
//
//     F₀(s,s) = 1,   F_k = F_{k-1} A over (plus, first), where no level before has an entry         F_k(s,v)
//     = σ(s,v) W_k = 1 ./ F_k ∪ T_k,   T_{k-1} = W_k Aᵀ over (plus, first), where F_{k-1} has an entry T_k .*
//     F_k = δ
//
// where ∪ adds what both have. The second line begins at the last level with no T, and ends at level 1: the
// source itself is not between. With all vertices as sources b is exact, with some it is a sum over these.
//
// A level takes three calls forwards and five backwards. Memory: A, Aᵀ (directed graphs), and per source and
// reached vertex an entry in F and one in the matrix of what was reached.
//
// Sources: U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 25
// (2001); with matrices of frontiers: A. Buluç, J. Gilbert, "The Combinatorial BLAS", IJHPCA 25 (2011). The
// result is that of LAGraph's LAGr_Betweenness: nothing is halved in undirected graphs, nothing is scaled.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace cugrb {

struct BetweennessOptions {
  int together = 16;  ///< so many sources are searched as one matrix
};

template <class Real>
struct Betweenness {
  Vector<Real> centralities;  ///< one for every vertex
  int depth = 0;              ///< the highest level that a search reached
};

namespace detail {

/// The levels F₁, F₂, … of searches from `sources`.
template <class Real, class T>
std::vector<Matrix<Real>> path_counts(const Matrix<T>& a, const Index* sources, Index count) {
  std::vector<Index> rows(count);
  for (Index k = 0; k < count; ++k) rows[k] = k;
  const std::vector<Real> ones(count, Real(1));
  Matrix<Real> start(count, a.nrows());
  start.build(rows.data(), sources, ones.data(), count, op::first<Real>);
  Matrix<Real> reached = start;
  std::vector<Matrix<Real>> levels;
  while (true) {
    Matrix<Real> next(count, a.nrows());
    next(!structure(reached), replace) = mxm(levels.empty() ? start : levels.back(), a, plus_first<Real>);
    if (next.nvals() == 0) return levels;
    reached = ewise_add(reached, next, op::first<Real>);
    levels.push_back(std::move(next));
  }
}

/// b += the column sums of δ.
template <class Real, class T>
void add_dependencies(Vector<Real>& b, const Matrix<T>& backwards, const std::vector<Matrix<Real>>& levels) {
  if (levels.empty()) return;
  const Vector<Real> every_source(levels[0].nrows(), Real(1));
  Matrix<Real> shares = apply(levels.back(), op::minv<Real>);
  for (size_t k = levels.size() - 1; k > 0; --k) {
    const Matrix<Real>& counts = levels[k - 1];
    Matrix<Real> sums(counts.nrows(), counts.ncols());
    sums(structure(counts)) = mxm(shares, backwards, plus_first<Real>);
    const Matrix<Real> dependencies = ewise_mult(sums, counts, op::times<Real>);
    b += vxm(every_source, dependencies, plus_second<Real>);
    if (k == 1) return;
    shares = apply(counts, op::minv<Real>);
    shares = ewise_add(shares, sums, op::plus<Real>);
  }
}

}  // namespace detail

/// The betweenness of every vertex, summed over the paths that begin at `sources`. Paths follow edges; of an
/// undirected graph each pair counts in both directions. Precision Real is float or double. Errors:
/// GrB_INVALID_INDEX when a source is no vertex, GrB_INVALID_VALUE when `together` is below 1.
///
///     auto result = cugrb::betweenness(graph, {0, 3});
template <class Real = double, class T>
Betweenness<Real> betweenness(Graph<T>& graph, const std::vector<Index>& sources,
                              const BetweennessOptions& options = {}) {
  const Index n = graph.size();
  if (std::any_of(sources.begin(), sources.end(), [n](Index source) { return source >= n; })) {
    throw Error(GrB_INVALID_INDEX, "betweenness", "a source is not a vertex of the graph");
  }
  if (options.together < 1) throw Error(GrB_INVALID_VALUE, "betweenness", "together >= 1");
  Betweenness<Real> result{Vector<Real>(n, Real(0))};
  const auto most = static_cast<size_t>(options.together);
  for (size_t first = 0; first < sources.size(); first += most) {
    const size_t count = std::min(most, sources.size() - first);
    const auto levels = detail::path_counts<Real>(graph.adjacency(), sources.data() + first, count);
    detail::add_dependencies(result.centralities, graph.transposed(), levels);
    result.depth = std::max(result.depth, static_cast<int>(levels.size()));
  }
  return result;
}

}  // namespace cugrb
