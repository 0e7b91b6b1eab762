// Exchange: vectors of all ranks, gathered and reduced. Where every rank has a GPU they go from device memory
// to device memory by NCCL, else through host memory by MPI.
#pragma once
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cugrb/distributed/context.hpp"
#include "cugrb/distributed/deal.hpp"
#include "cugrb/distributed/device_link.hpp"
#include "cugrb/distributed/host_array.hpp"
#include "cugrb/operators.hpp"

namespace cugrb {

namespace detail {

template <class T>
MPI_Datatype mpi_type() {
  if constexpr (std::is_same_v<T, bool>) return MPI_CXX_BOOL;
  if constexpr (std::is_same_v<T, int8_t>) return MPI_INT8_T;
  if constexpr (std::is_same_v<T, int16_t>) return MPI_INT16_T;
  if constexpr (std::is_same_v<T, int32_t>) return MPI_INT32_T;
  if constexpr (std::is_same_v<T, int64_t>) return MPI_INT64_T;
  if constexpr (std::is_same_v<T, uint8_t>) return MPI_UINT8_T;
  if constexpr (std::is_same_v<T, uint16_t>) return MPI_UINT16_T;
  if constexpr (std::is_same_v<T, uint32_t>) return MPI_UINT32_T;
  if constexpr (std::is_same_v<T, uint64_t>) return MPI_UINT64_T;
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
}

}  // namespace detail

/// What reduce_scatter combines with. On integers both are exact.
enum class Reduction { plus, min };

/// How many entries each rank has of a vector. As a number it is how many there are in all.
struct EntriesOfRanks {
  std::vector<uint64_t> of_rank;
  operator Index() const { return std::accumulate(of_rank.begin(), of_rank.end(), Index{0}); }
};

/// The vectors of one Deal: each rank has a block of deal.size_of(rank) positions, and gathered ones have
/// deal.positions(). Positions without a vertex hold unspecified values in full vectors, and no entry in
/// sparse ones. The ranks must outlive it. Methods are collective and throw RankFailure.
class Exchange {
 public:
  /// Needs a Context.
  Exchange(Distributed& ranks, std::shared_ptr<const Deal> deal)
      : ranks_(ranks), deal_(std::move(deal)), link_(ranks) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  Distributed& ranks() { return ranks_; }
  const Deal& deal() const { return *deal_; }
  std::shared_ptr<const Deal> shared_deal() const { return deal_; }
  /// By what vectors move: "NCCL", or "MPI" and why.
  std::string means() const { return link_.is_open() ? "NCCL" : "MPI, as " + link_.reason(); }
  /// Of this rank.
  Index size() const { return deal_->size_of(ranks_.rank()); }

  /// A vector on its way: what needs only this rank's part can be computed before finish().
  template <class T>
  class Gathering {
   public:
    Gathering(Gathering&& other) noexcept { swap(other); }
    Gathering& operator=(Gathering&& other) noexcept {
      swap(other);
      return *this;
    }
    /// Where a rank has failed on the way, MPI may still write to what was to be gathered: it stays.
    ~Gathering() {
      if (request_ == MPI_REQUEST_NULL) return;
      static_cast<void>(values_.release());
      static_cast<void>(unit_.release());
    }
    Vector<T> finish() {
      ranks_->begin("all_gather");
      if (link_ != nullptr) {
        Vector<T> result(positions_);
        link_->finish_all_gather(result.handle());
        return result;
      }
      ranks_->wait(&request_, 1);
      return detail::adopt_values(std::move(values_), positions_);
    }

   private:
    friend class Exchange;
    Gathering() = default;
    void swap(Gathering& other) noexcept {
      std::swap(ranks_, other.ranks_);
      std::swap(link_, other.link_);
      std::swap(positions_, other.positions_);
      std::swap(values_, other.values_);
      std::swap(request_, other.request_);
      std::swap(unit_, other.unit_);
    }
    Distributed* ranks_ = nullptr;
    detail::DeviceLink* link_ = nullptr;
    Index positions_ = 0;
    std::unique_ptr<T[], detail::FreeArray> values_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::unique_ptr<Distributed::Unit> unit_;
  };

  /// Begins to gather the blocks of all ranks, in which every position has an entry. The block may be changed
  /// at once. Errors: GrB_INVALID_VALUE where an entry is missing; GrB_OUT_OF_MEMORY.
  template <class T>
  Gathering<T> start_all_gather(const Vector<T>& block) {
    return start_all_gather(block, deal_->stride());
  }
  /// The same of vectors of any length up to `stride`, which all ranks agree on: rank r's begins at r *
  /// stride.
  template <class T>
  Gathering<T> start_all_gather(const Vector<T>& block, Index stride) {
    Gathering<T> gathering;
    gathering.ranks_ = &ranks_;
    gathering.positions_ = stride * static_cast<Index>(ranks_.size());
    if (link_.is_open()) {
      ranks_.begin("all_gather");
      gathering.link_ = &link_;
      link_.start_all_gather(block.handle(), stride);
      return gathering;
    }
    gathering.values_ = detail::host_array<T>(gathering.positions_);
    gathering.unit_ = std::make_unique<Distributed::Unit>(sizeof(T));
    T* const own = gathering.values_.get() + static_cast<Index>(ranks_.rank()) * stride;
    detail::with_values(block, [&](const T* values, bool iso) {
      for (Index k = 0; k < block.size(); ++k) own[k] = values[iso ? 0 : k];
    });
    std::fill(own + block.size(), own + stride, T{});
    ranks_.begin("all_gather");
    ranks_.check(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathering.values_.get(),
                                Distributed::count_of(stride), gathering.unit_->type(), ranks_.communicator(),
                                &gathering.request_));
    return gathering;
  }
  template <class T>
  Vector<T> all_gather(const Vector<T>& block) {
    return start_all_gather(block).finish();
  }

  /// The lists of all ranks, one behind the other. Through host memory.
  std::vector<uint64_t> all_gather_list(const std::vector<uint64_t>& own) {
    return all_gather_arrays(own, ranks_.all_values<uint64_t>(own.size(), "the length of a list"));
  }

  template <class T>
  EntriesOfRanks entries_of_ranks(const Vector<T>& block) {
    return {ranks_.all_values<uint64_t>(block.nvals(), "the number of entries")};
  }
  /// The entries of all ranks' blocks: a sparse vector of deal.positions(). `entries` are those of the
  /// block. Moves 8 + sizeof(T) bytes an entry to each rank. Short lists go through host memory even where
  /// all ranks have a GPU.
  template <class T>
  Vector<T> all_gather_entries(const Vector<T>& block, const EntriesOfRanks& entries) {
    Vector<T> result(deal_->positions());
    if (entries == 0) return result;
    if (link_.is_open() && entries > short_list) {
      ranks_.begin("all_gather_entries");
      link_.all_gather_entries(result.handle(), block.handle(), deal_->stride(), entries.of_rank.data());
      return result;
    }
    const VectorEntries<T> own = block.entries();
    std::vector<Entry<T>> sent;
    sent.reserve(own.indices.size());
    const Index shift = static_cast<Index>(ranks_.rank()) * deal_->stride();
    for (size_t k = 0; k < own.indices.size(); ++k) sent.push_back({own.indices[k] + shift, own.values[k]});
    const std::vector<Entry<T>> all = all_gather_arrays(sent, entries.of_rank);
    Array<Index> indices(all.size());
    Array<T> values(all.size());
    for (size_t k = 0; k < all.size(); ++k) {
      indices[k] = all[k].index;
      values[k] = all[k].value;
    }
    result.build(indices.data(), values.data(), indices.size(), op::any<T>);
    return result;
  }

  /// The sum (or minimum) over the ranks of the values at this rank's positions. `all` has
  /// deal.positions() entries on every rank; T is a built-in number.
  template <class T>
  Vector<T> reduce_scatter(const Vector<T>& all, Reduction reduction) {
    const Index stride = deal_->stride();
    if (link_.is_open()) {
      ranks_.begin("reduce_scatter");
      Vector<T> result(size());
      link_.reduce_scatter(result.handle(), all.handle(), stride, reduction == Reduction::plus);
      return result;
    }
    auto own = detail::host_array<T>(stride);
    auto whole = detail::host_array<T>(deal_->positions());
    detail::with_values(all, [&](const T* values, bool iso) {
      for (Index k = 0; k < deal_->positions(); ++k) whole[k] = values[iso ? 0 : k];
    });
    ranks_.begin("reduce_scatter");
    MPI_Request request;
    ranks_.check(MPI_Ireduce_scatter_block(
        whole.get(), own.get(), Distributed::count_of(stride), detail::mpi_type<T>(),
        reduction == Reduction::plus ? MPI_SUM : MPI_MIN, ranks_.communicator(), &request));
    ranks_.wait(&request, 1);
    return detail::adopt_values(std::move(own), size());
  }

 private:
  /// To ask NCCL for a gather of lists takes a rank 100 to 230 us, however short they are (two H200). A list
  /// down, to the other ranks and up again takes four copies of some 10 us, and so much more for 48 KB.
  static constexpr Index short_list = 4096;
  template <class T>
  struct Entry {
    Index index;
    T value;
  };

  template <class T>
  std::vector<T> all_gather_arrays(const std::vector<T>& own, const std::vector<uint64_t>& counts) {
    std::vector<int> sizes, places;
    uint64_t all = 0;
    for (const uint64_t count : counts) {
      sizes.push_back(Distributed::count_of(count));
      places.push_back(Distributed::count_of(all));
      all += count;
    }
    std::vector<T> result(all);
    const Distributed::Unit unit(sizeof(T));
    ranks_.begin("all_gather_entries");
    MPI_Request request;
    ranks_.check(MPI_Iallgatherv(own.data(), Distributed::count_of(own.size()), unit.type(), result.data(),
                                 sizes.data(), places.data(), unit.type(), ranks_.communicator(), &request));
    ranks_.wait(&request, 1);
    return result;
  }

  Distributed& ranks_;
  std::shared_ptr<const Deal> deal_;
  detail::DeviceLink link_;
};

}  // namespace cugrb
