// Triangle counting in a graph in parts.
//
// Vertices are ordered by degree, equal ones by position, and L has an edge from each vertex to its lower
// neighbours: rows of L are short, whatever the degrees. Every triangle is one entry of L L at an edge of L.
// A rank has its rows of L. The rows of each rank come to all ranks in turn, and each multiplies the columns
// that stand for them:
//
//     Σ over ranks s   Σ (L(own, s) L(s, :)) .* L(own, :)
//
// over (plus, pair). L is gathered one rank at a time, so that no rank has all of it. Numbers of triangles
// are exact. Memory of a rank: its rows, its rows of L, L of another rank (20 bytes an entry while it
// arrives), and a matrix of its rows of L with 64-bit counts; while L is made, two matrices of its rows with
// 64-bit keys. The pieces of L go by MPI, through host memory.
//
// Sources: as algorithms/triangle_count.hpp (sandia_ll); order by degree: M. Latapy, "Main-memory triangle
// computations for very large (sparse (power-law)) graphs", Theoretical Computer Science 407 (2008).
#pragma once
#include <optional>
#include <vector>

#include "../triangle_count.hpp"
#include "links.hpp"

namespace cugrb {

namespace detail {

/// use(offsets, columns) with the CSR arrays of a matrix, columns ascending. The matrix is as it was after.
template <class T, class Use>
void with_rows(const Matrix<T>& matrix, const Use& use) {
  Index *offsets = nullptr, *columns = nullptr, offset_bytes = 0, column_bytes = 0, value_bytes = 0;
  void* values = nullptr;
  bool iso = false;
  check(GxB_Matrix_unpack_CSR(matrix.handle(), &offsets, &columns, &values, &offset_bytes, &column_bytes,
                              &value_bytes, &iso, nullptr, nullptr),
        "GxB_Matrix_unpack_CSR", matrix.handle());
  use(static_cast<const Index*>(offsets), static_cast<const Index*>(columns));
  check(GxB_Matrix_pack_CSR(matrix.handle(), &offsets, &columns, &values, offset_bytes, column_bytes,
                            value_bytes, iso, false, nullptr),
        "GxB_Matrix_pack_CSR", matrix.handle());
}

/// This rank's rows of L.
template <class T>
Matrix<bool> lower_neighbours(const DistributedGraph<T>& graph) {
  Exchange& exchange = graph.exchange();
  const Matrix<T>& block = graph.arriving().block();
  const Index first = static_cast<Index>(graph.ranks().rank()) * exchange.deal().stride();
  auto keys = host_array<uint64_t>(exchange.size());
  for (Index i = 0; i < exchange.size(); ++i) keys[i] = first + i;
  const auto degrees = graph.out_degree().entries();
  for (size_t k = 0; k < degrees.indices.size(); ++k)
    keys[degrees.indices[k]] |= static_cast<uint64_t>(degrees.values[k]) << 32;
  const Vector<uint64_t> own = adopt_values(std::move(keys), exchange.size());
  const Vector<uint64_t> all = exchange.all_gather(own);
  if (exchange.size() == 0) return Matrix<bool>(0, all.size());
  const Matrix<uint64_t> of_rows = mxm(diagonal(own), block, any_first<uint64_t>);
  const Matrix<bool> is_lower = mxm(of_rows, diagonal(all), any_gt<uint64_t>);
  return Matrix<bool>(select(is_lower, op::value_eq<bool>, true));
}

/// The rows of L of rank s, on every other rank; there it is empty.
inline Matrix<bool> rows_of_rank(const Matrix<bool>& own, Exchange& exchange, int s) {
  Distributed& ranks = exchange.ranks();
  const Index rows = exchange.deal().size_of(s);
  auto offsets = host_array<Index>(rows + 1);
  std::vector<uint32_t> places;
  if (ranks.rank() == s && rows > 0) {
    with_rows(own, [&](const Index* from, const Index* columns) {
      std::copy_n(from, rows + 1, offsets.get());
      places.assign(columns, columns + from[rows]);
    });
  }
  ranks.broadcast(offsets.get(), (rows + 1) * sizeof(Index), s, "rows of triangles");
  places.resize(offsets[rows]);
  ranks.broadcast(places.data(), places.size() * sizeof(uint32_t), s, "rows of triangles");
  if (ranks.rank() == s) return Matrix<bool>(0, exchange.deal().positions());
  auto columns = host_array<Index>(places.size());
  std::copy(places.begin(), places.end(), columns.get());
  auto value = host_array<bool>(1);
  value[0] = true;
  Matrix<bool> piece = Matrix<bool>::adopt_csr(rows, exchange.deal().positions(), offsets.get(),
                                               columns.get(), value.get(), true);
  offsets.release();
  columns.release();
  value.release();
  return piece;
}

}  // namespace detail

/// The number of triangles of an undirected graph in parts; edges from a vertex to itself belong to none.
/// Collective. Errors: GrB_INVALID_VALUE when the graph is directed; RankFailure.
///
///     auto result = cugrb::triangle_count(parts);
template <class T>
TriangleCount triangle_count(const DistributedGraph<T>& graph) {
  if (!graph.undirected()) {
    throw Error(GrB_INVALID_VALUE, "triangle_count", "triangles are counted in undirected graphs");
  }
  Exchange& exchange = graph.exchange();
  const Matrix<bool> lower = detail::lower_neighbours(graph);
  uint64_t own = 0;
  for (int s = 0; s < graph.ranks().size(); ++s) {
    const Index rows = exchange.deal().size_of(s);
    if (rows == 0) continue;
    std::optional<Matrix<bool>> arrived;  // a rank's own rows are there
    if (graph.ranks().size() > 1) arrived.emplace(detail::rows_of_rank(lower, exchange, s));
    if (exchange.size() == 0) continue;
    const Matrix<bool>& piece = graph.ranks().rank() == s ? lower : *arrived;
    const Index first = static_cast<Index>(s) * exchange.deal().stride();
    const Matrix<bool> factor = extract(lower, all, range(first, first + rows));
    own += detail::sum_where(lower, mxm(factor, piece, plus_pair<int64_t>));
  }
  return {detail::DistributedLinks<T>{graph.arriving()}.total(own), Presort::ascending};
}

}  // namespace cugrb
