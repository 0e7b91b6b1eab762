// DistributedMatrix and DistributedGraph: a rank's rows, and products with gathered vectors.
#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "cugrb/apply.hpp"
#include "cugrb/distributed/exchange.hpp"
#include "cugrb/elementwise.hpp"
#include "cugrb/extract.hpp"
#include "cugrb/multiply.hpp"

namespace cugrb {

/// Whether a product begins with the columns of this rank while the others' values are on their way. It reads
/// the rows twice, so it pays where gathering takes longer than that.
enum class Overlap { off, on };

/// A square matrix whose row i is with the owner of vertex i: a block of exchange.size() rows and
/// deal.positions() columns, numbered by position.
template <class T>
class DistributedMatrix {
 public:
  /// The block of this rank. Errors: GrB_DIMENSION_MISMATCH.
  DistributedMatrix(std::shared_ptr<Exchange> exchange, Matrix<T> block, Overlap overlap = Overlap::off)
      : exchange_(std::move(exchange)), block_(std::move(block)) {
    const Deal& deal = exchange_->deal();
    if (block_->nrows() != exchange_->size() || block_->ncols() != deal.positions()) {
      throw Error(GrB_DIMENSION_MISMATCH, "DistributedMatrix",
                  "the block of this rank has " + std::to_string(exchange_->size()) + " rows and " +
                      std::to_string(deal.positions()) + " columns");
    }
    if (overlap == Overlap::on && deal.positions() > 0) split();
  }

  Exchange& exchange() const { return *exchange_; }
  /// This rank's rows. Not for matrices with Overlap::on.
  const Matrix<T>& block() const {
    if (!block_) throw Error(GrB_INVALID_VALUE, "DistributedMatrix", "with Overlap::on it has no block");
    return *block_;
  }
  /// The same by columns, for pushes from gathered entries: deal.positions() rows. Made at first use and
  /// kept.
  const Matrix<T>& block_by_columns() const {
    if (!by_columns_) {
      by_columns_.emplace(transposed(block()));
      by_columns_->wait();
    }
    return *by_columns_;
  }

  /// w ⊕= A u for the ranks' blocks of w and u, in which every position has an entry; ⊕ is the semiring's
  /// monoid where w accumulates with it. Collective. A row's sum has the order of the local product; with
  /// Overlap::on the columns of this rank come first. Errors: RankFailure, GraphBLAS's.
  template <class W, class U, class Semiring>
  void add_product(Vector<W>& w, const Vector<U>& u, const Semiring& semiring) const {
    if (block_) {
      w += mxv(*block_, exchange_->all_gather(u), semiring);
      return;
    }
    auto gathering = exchange_->start_all_gather(u);
    if (exchange_->size() > 0) w += mxv(*own_, u, semiring);
    w += mxv(*others_, gathering.finish(), semiring);
  }

 private:
  /// Into the columns of this rank and those of the others.
  void split() {
    const Index first = static_cast<Index>(exchange_->ranks().rank()) * exchange_->deal().stride();
    const Index size = exchange_->size();
    if (size > 0) own_.emplace(extract(*block_, all, range(first, first + size)));
    const int64_t before = static_cast<int64_t>(first), last = before + static_cast<int64_t>(size) - 1;
    const Matrix<T> left = select(*block_, op::col_le, before - 1);
    const Matrix<T> right = select(*block_, op::col_gt, last);
    others_.emplace(ewise_add(left, right, op::any<T>));
    block_.reset();
  }

  std::shared_ptr<Exchange> exchange_;
  std::optional<Matrix<T>> block_, own_, others_;  ///< the block, or its two parts
  mutable std::optional<Matrix<T>> by_columns_;
};

/// A graph in parts: for its own vertices a rank has the edges that arrive, and those that leave.
template <class T = bool>
class DistributedGraph {
 public:
  /// `arriving`: row j has an entry in column i for an edge from i to j. `leaving`: row i has one in column
  /// j; none where the graph is undirected, as both are the same, or where no algorithm asks for it.
  DistributedGraph(DistributedMatrix<T> arriving, std::optional<DistributedMatrix<T>> leaving,
                   Vector<int64_t> out_degree, bool undirected)
      : arriving_(std::move(arriving)),
        leaving_(std::move(leaving)),
        out_degree_(std::move(out_degree)),
        undirected_(undirected) {}

  Exchange& exchange() const { return arriving_.exchange(); }
  Distributed& ranks() const { return exchange().ranks(); }
  /// Vertices of the whole graph.
  Index size() const { return exchange().deal().size(); }
  /// The number of a vertex on this rank; none where it belongs to another. Errors: GrB_INVALID_INDEX.
  std::optional<Index> own_number(Index vertex) const {
    if (vertex >= size()) throw Error(GrB_INVALID_INDEX, "DistributedGraph", "there is no such vertex");
    if (exchange().deal().owner(vertex) != ranks().rank()) return std::nullopt;
    return exchange().deal().number(vertex);
  }
  bool undirected() const { return undirected_; }
  const DistributedMatrix<T>& arriving() const { return arriving_; }
  /// Errors: GrB_INVALID_VALUE where the edges that leave were not kept.
  const DistributedMatrix<T>& leaving() const {
    if (undirected_) return arriving_;
    if (!leaving_) {
      throw Error(GrB_INVALID_VALUE, "DistributedGraph", "it was made without the edges that leave");
    }
    return *leaving_;
  }
  /// Of this rank's vertices; no entry where there are none.
  const Vector<int64_t>& out_degree() const { return out_degree_; }

 private:
  DistributedMatrix<T> arriving_;
  std::optional<DistributedMatrix<T>> leaving_;
  Vector<int64_t> out_degree_;
  bool undirected_;
};

}  // namespace cugrb
