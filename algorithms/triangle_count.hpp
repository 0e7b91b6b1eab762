// Triangle counting by masked matrix products.
//
// Vertices i, j, k form a triangle when all three edges between them exist. With A the adjacency matrix of an
// undirected graph, L its part below the diagonal and U its part above it, (A²)(i,j) counts the neighbours
// that i and j share; summed over the edges (i,j) only, this counts triangles:
//
//     burkhardt    Σ (A A)  .* A / 6      every triangle from each of its three edges, in both directions
//     cohen        Σ (L U)  .* A / 2      every triangle from its edge between the two higher vertices, twice
//     sandia_ll    Σ (L L)  .* L          every triangle once
//     sandia_uu    Σ (U U)  .* U
//     sandia_lut   Σ (L Uᵀ) .* L          the same numbers as sandia_ll: Uᵀ = L; here U is at hand by rows,
//     so that sandia_ult   Σ (U Lᵀ) .* U          a dot product of two rows gives each entry
//
// The product is over the semiring (plus, pair), which reads no values, and is computed only where the mask
// has an entry. The work of the four sandia methods is Σ over the edges of the length of one or both rows of
// L. It is least when every edge hangs on the endpoint of smaller degree. So a graph with some vertices of
// very large degree is first renumbered by degree: ascending for L L and L Uᵀ, descending for U U and U Lᵀ.
// That costs a counting sort of the degrees on the host and C = A(P,P). Renumbering pays when the mean degree
// is high (10 or more) and over four times the median; `automatic` asks for both. The default is
// sandia_uu: the fastest of the six on an H200 (docs/algorithms.md), and it needs only one triangle.
//
// Memory: A (renumbered: twice), L, U, and a matrix of the mask's entries.
//
// Sources: J. Cohen, "Graph twiddling in a MapReduce world", Computing in Science & Engineering 11 (2009);
// P. Burkhardt, "Graphing trillions of triangles", Information Visualization 16 (2017); M. Wolf, M. Deveci,
// J. Berry, S. Hammond, S. Rajamanickam, "Fast linear algebra-based triangle counting with KokkosKernels",
// HPEC 2017 (the Sandia methods); the rule for sorting follows LAGraph's LAGr_TriangleCount (T. Davis and
// others), after S. Beamer, K. Asanović, D. Patterson, "The GAP benchmark suite" (2015), with the exact mean
// and median in place of sampled ones.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace cugrb {

enum class TriangleMethod { burkhardt, cohen, sandia_ll, sandia_uu, sandia_lut, sandia_ult };
enum class Presort { automatic, none, ascending, descending };

struct TriangleOptions {
  TriangleMethod method = TriangleMethod::sandia_uu;
  Presort presort =
      Presort::automatic;  ///< burkhardt and cohen gain nothing by it: automatic is none for them
};

struct TriangleCount {
  uint64_t triangles = 0;
  Presort presort = Presort::none;  ///< what was done: never automatic
};

namespace detail {

/// In what order the vertices are to be numbered: theirs (`none`), or by degree, as `vertices` says.
struct DegreeOrder {
  Presort sorted = Presort::none;
  std::vector<Index> vertices = {};
};

/// A counting sort on the host: a degree is at most n. O(n) time and memory.
class DegreeSort {
 public:
  explicit DegreeSort(const Vector<int64_t>& degrees) : degree_(degrees.size(), 0), starts_(size() + 2, 0) {
    const auto entries = degrees.entries();
    for (Index k = 0; k < entries.indices.size(); ++k) {
      degree_[entries.indices[k]] = static_cast<Index>(entries.values[k]);
    }
    for (const Index d : degree_) ++starts_[d + 1];
    for (Index d = 0; d <= size(); ++d) starts_[d + 1] += starts_[d];
  }
  Index size() const { return degree_.size(); }
  /// The degree in the middle of the sorted ones.
  Index median() const {
    Index d = 0;
    while (d < size() && starts_[d + 1] <= size() / 2) ++d;
    return d;
  }
  std::vector<Index> vertices(bool ascending) const {
    std::vector<Index> order(size()), next = starts_;
    for (Index i = 0; i < size(); ++i) {
      const Index place = next[degree_[i]]++;
      order[ascending ? place : size() - 1 - place] = i;
    }
    return order;
  }

 private:
  std::vector<Index> degree_;
  std::vector<Index> starts_;  ///< starts_[d]: vertices of a degree below d
};

constexpr bool takes_lower_part(TriangleMethod method) {
  return method == TriangleMethod::sandia_ll || method == TriangleMethod::sandia_lut;
}
constexpr bool gains_by_presort(TriangleMethod method) {
  return method != TriangleMethod::burkhardt && method != TriangleMethod::cohen;
}

template <class T>
DegreeOrder presort(Graph<T>& graph, const TriangleOptions& options) {
  if (options.presort == Presort::none) return {};
  const bool automatic = options.presort == Presort::automatic;
  const double mean =
      static_cast<double>(graph.adjacency().nvals()) / std::max(1.0, static_cast<double>(graph.size()));
  if (automatic && (!gains_by_presort(options.method) || mean < 10)) return {};
  const DegreeSort sort(graph.out_degree());
  if (automatic && mean <= 4 * static_cast<double>(sort.median())) return {};
  const bool ascending = automatic ? takes_lower_part(options.method) : options.presort == Presort::ascending;
  return {ascending ? Presort::ascending : Presort::descending, sort.vertices(ascending)};
}

/// Σ of the entries of `product` where `mask` has one.
template <class T, class Product>
uint64_t sum_where(const Matrix<T>& mask, const Product& product) {
  Matrix<int64_t> counts(mask.nrows(), mask.ncols());
  counts(structure(mask)) = product;
  return static_cast<uint64_t>(reduce(counts, monoid::plus<int64_t>));
}

template <class T>
uint64_t count_triangles(const Matrix<T>& a, TriangleMethod method) {
  const auto& paths = plus_pair<int64_t>;
  const auto lower = [&a] { return Matrix<T>(select(a, op::tril, -1)); };
  const auto upper = [&a] { return Matrix<T>(select(a, op::triu, 1)); };
  switch (method) {
    case TriangleMethod::burkhardt: {
      const Matrix<T> edges = select(a, op::offdiag, 0);
      return sum_where(edges, mxm(edges, edges, paths)) / 6;
    }
    case TriangleMethod::cohen: {
      const Matrix<T> edges = select(a, op::offdiag, 0), l = lower(), u = upper();
      return sum_where(edges, mxm(l, u, paths)) / 2;
    }
    case TriangleMethod::sandia_ll: {
      const Matrix<T> l = lower();
      return sum_where(l, mxm(l, l, paths));
    }
    case TriangleMethod::sandia_uu: {
      const Matrix<T> u = upper();
      return sum_where(u, mxm(u, u, paths));
    }
    case TriangleMethod::sandia_lut: {
      const Matrix<T> l = lower(), u = upper();
      return sum_where(l, mxm(l, transpose(u), paths));
    }
    case TriangleMethod::sandia_ult: {
      const Matrix<T> l = lower(), u = upper();
      return sum_where(u, mxm(u, transpose(l), paths));
    }
  }
  throw Error(GrB_INVALID_VALUE, "triangle_count", "unknown method");
}

}  // namespace detail

/// The number of triangles of an undirected graph; edges from a vertex to itself belong to none. Errors:
/// GrB_INVALID_VALUE when the graph is directed.
///
///     auto result = cugrb::triangle_count(undirected);
template <class T>
TriangleCount triangle_count(Graph<T>& graph, const TriangleOptions& options = {}) {
  if (graph.direction() != Direction::undirected) {
    throw Error(GrB_INVALID_VALUE, "triangle_count", "triangles are counted in undirected graphs");
  }
  const Matrix<T>& a = graph.adjacency();
  const detail::DegreeOrder order = detail::presort(graph, options);
  if (order.sorted == Presort::none) return {detail::count_triangles(a, options.method), Presort::none};
  const Matrix<T> renumbered = extract(a, order.vertices, order.vertices);
  return {detail::count_triangles(renumbered, options.method), order.sorted};
}

}  // namespace cugrb
