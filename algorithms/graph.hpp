// A graph for the algorithms: its adjacency matrix, and what is computed from it once (transpose,
// out-degrees).
#pragma once
#include <optional>
#include <utility>

#include "cugrb/graphblas.hpp"

namespace cugrb {

enum class Direction { directed, undirected };

/// An edge from i to j is an entry A(i,j); its value does not matter to algorithms that only follow edges. An
/// undirected graph has a symmetric pattern (trusted, not checked). The transpose and the degrees are made at
/// first use and kept. Not for use by several threads before these were made.
template <class T = bool>
class Graph {
 public:
  /// Errors: GrB_DIMENSION_MISMATCH when the matrix is not square.
  Graph(Matrix<T> adjacency, Direction direction) : adjacency_(std::move(adjacency)), direction_(direction) {
    if (adjacency_.nrows() != adjacency_.ncols()) {
      throw Error(GrB_DIMENSION_MISMATCH, "Graph", "an adjacency matrix is square");
    }
  }

  Index size() const { return adjacency_.nrows(); }
  Direction direction() const { return direction_; }
  const Matrix<T>& adjacency() const { return adjacency_; }
  /// Aᵀ: the edges backwards. The adjacency matrix itself when the graph is undirected.
  const Matrix<T>& transposed() {
    if (direction_ == Direction::undirected) return adjacency_;
    if (!transposed_) {
      transposed_.emplace(cugrb::transposed(adjacency_));
      transposed_->wait();
    }
    return *transposed_;
  }
  /// The number of edges that leave each vertex; no entry where there are none.
  const Vector<int64_t>& out_degree() {
    if (!out_degree_) {
      const Vector<int64_t> every(size(), 0);
      out_degree_.emplace(mxv(adjacency_, every, plus_pair<int64_t>));
      out_degree_->wait();
    }
    return *out_degree_;
  }

 private:
  Matrix<T> adjacency_;
  Direction direction_;
  std::optional<Matrix<T>> transposed_;
  std::optional<Vector<int64_t>> out_degree_;
};

}  // namespace cugrb
