// DistributedMatrix and DistributedGraph: a rank's rows, and products with gathered vectors.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cugrb/apply.hpp"
#include "cugrb/distributed/edges.hpp"
#include "cugrb/distributed/exchange.hpp"
#include "cugrb/elementwise.hpp"
#include "cugrb/extract.hpp"
#include "cugrb/multiply.hpp"

namespace cugrb {

namespace detail {

/// A by groups of columns.
template <class T>
struct CutColumns {
  Matrix<T> group;   ///< the columns [begin, end), which are numbered from 0
  Matrix<T> others;  ///< A without their entries
};

/// Both in A's orientation, with begin < end. O(rows log(row) + entries).
template <class T>
CutColumns<T> cut_columns(const Matrix<T>& a, Index begin, Index end) {
  std::vector<Index> widths, rows = {a.nrows()};
  if (begin > 0) widths.push_back(begin);
  const size_t place = widths.size();
  widths.push_back(end - begin);
  if (end < a.ncols()) widths.push_back(a.ncols() - end);
  std::vector<GrB_Matrix> tiles(widths.size(), nullptr);
  check(GxB_Matrix_split(tiles.data(), 1, tiles.size(), rows.data(), widths.data(), a.handle(), nullptr),
        "GxB_Matrix_split", a.handle());
  std::vector<Matrix<T>> owned;
  for (const GrB_Matrix tile : tiles) owned.push_back(Matrix<T>::adopt(tile));
  CutColumns<T> cut{std::move(owned[place]), Matrix<T>(a.nrows(), a.ncols())};
  const Matrix<T> nothing(a.nrows(), end - begin);
  tiles[place] = nothing.handle();
  check(GxB_Matrix_concat(cut.others.handle(), tiles.data(), 1, tiles.size(), nullptr), "GxB_Matrix_concat",
        cut.others.handle());
  return cut;
}

}  // namespace detail

/// Whether a product begins with the columns of this rank while the others' values are on their way. It reads
/// the rows twice, so it pays where gathering takes longer than that. Where ranks need few of each other's
/// values (a band, a grid, a mesh with Dealing::contiguous), only these are sent.
enum class Overlap { off, on };

/// A square matrix whose row i is with the owner of vertex i: a block of exchange.size() rows and
/// deal.positions() columns, numbered by position.
template <class T>
class DistributedMatrix {
 public:
  /// The block of this rank. Collective with Overlap::on. Errors: GrB_DIMENSION_MISMATCH.
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
  /// How many values of u this rank sends in a product.
  Index sent_values() const { return edges_ ? edges_->own.size() : exchange_->size(); }
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

  /// u of a product, on its way to all ranks.
  template <class U>
  class Arriving {
   public:
    /// It is not needed after all.
    void drop() { all_.finish(); }

   private:
    friend class DistributedMatrix;
    Arriving(Vector<U>&& own, Exchange::Gathering<U>&& all) : own_(std::move(own)), all_(std::move(all)) {}
    Vector<U> own_;
    Exchange::Gathering<U> all_;
  };
  /// Sends this rank's block of u, in which every position has an entry. Collective. One may be on its way at
  /// a time; sums over the ranks may be made meanwhile.
  template <class U>
  Arriving<U> start(Vector<U>&& u) const {
    auto all = gather(u);
    return Arriving<U>(std::move(u), std::move(all));
  }
  /// w ⊕= A u for the ranks' blocks of w and u; ⊕ is the semiring's monoid where w accumulates with it.
  /// Collective. A row's sum has the order of the local product; with Overlap::on the columns of this rank
  /// come first. Errors: RankFailure, GraphBLAS's.
  template <class W, class U, class Semiring>
  void add_product(Vector<W>& w, Arriving<U>&& u, const Semiring& semiring) const {
    add(w, u.own_, u.all_, semiring);
  }
  /// The same of a u that is sent now.
  template <class W, class U, class Semiring>
  void add_product(Vector<W>& w, const Vector<U>& u, const Semiring& semiring) const {
    auto all = gather(u);
    add(w, u, all, semiring);
  }

 private:
  template <class U>
  Exchange::Gathering<U> gather(const Vector<U>& u) const {
    if (!edges_) return exchange_->start_all_gather(u);
    const Vector<U> picked = extract(u, detail::indices_of(edges_->own));
    return exchange_->start_all_gather(picked, edges_->stride);
  }
  template <class W, class U, class Semiring>
  void add(Vector<W>& w, const Vector<U>& own, Exchange::Gathering<U>& all, const Semiring& semiring) const {
    if (block_) {
      w += mxv(*block_, all.finish(), semiring);
      return;
    }
    if (exchange_->size() > 0) w += mxv(*own_, own, semiring);
    if (!edges_) {
      w += mxv(*others_, all.finish(), semiring);
      return;
    }
    const Vector<U> gathered = all.finish();
    if (!edges_->rows.empty())
      w(at(detail::indices_of(edges_->rows))) += Vector<W>(mxv(*others_, gathered, semiring));
  }
  /// Into the columns of this rank and those of the others. Both stay by rows: the extract of columns would
  /// be by columns, whose product is a push, in no order, or waits for a transposition.
  void split() {
    const Index entries = block_->nvals();
    const Index first = static_cast<Index>(exchange_->ranks().rank()) * exchange_->deal().stride();
    if (exchange_->size() == 0) {
      others_ = std::move(block_);
    } else {
      auto cut = detail::cut_columns(*block_, first, first + exchange_->size());
      own_ = std::move(cut.group);
      others_ = std::move(cut.others);
    }
    block_.reset();
    edges_ = detail::find_edges(*exchange_, *others_, entries);
  }

  std::shared_ptr<Exchange> exchange_;
  std::optional<Matrix<T>> block_, own_, others_;  ///< the block, or its two parts
  std::optional<detail::Edges> edges_;             ///< what others_ is numbered by; none: by row and position
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
  /// This rank's vertices as numbers of the whole graph. Made at first use and kept, so that they are where
  /// their last use was: 8 bytes a vertex.
  const Vector<uint64_t>& vertices() const {
    if (!vertices_) {
      const Index own = exchange().size();
      auto numbers = detail::host_array<uint64_t>(own);
      exchange().deal().write_vertices(ranks().rank(), numbers.get());
      vertices_.emplace(detail::adopt_values(std::move(numbers), own));
    }
    return *vertices_;
  }

 private:
  DistributedMatrix<T> arriving_;
  std::optional<DistributedMatrix<T>> leaving_;
  Vector<int64_t> out_degree_;
  bool undirected_;
  mutable std::optional<Vector<uint64_t>> vertices_;
};

}  // namespace cugrb
