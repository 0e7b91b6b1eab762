// The rows or columns that an assignment names: ascending and each once, on the host and on the device.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "cuda/runtime/buffer.h"
#include "cuda/views/index_set.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// Whether a list's indices ascend, each once. O(count), on the host.
bool ascends(const Indices& list);
/// Whether two lists are one, as those of a permuted graph are. O(1).
inline bool are_same(const Indices& a, const Indices& b) {
  return a.all == b.all && a.count == b.count && a.list == b.list && a.begin == b.begin;
}
/// All indices, or a range, where the list is one. A long one that may be is looked at on the device.
std::optional<Indices> as_range(const Indices& list);

/// A list of GraphBLAS in ascending order. Of an index that the list has more than once the last place
/// counts, as in SuiteSparse (GB_assign_prep: "keeping the last one seen").
class AscendingIndices {
 public:
  /// O(count) where the list ascends already; else a sort, or a table of `length` where the list is not much
  /// shorter. The given list must outlive this.
  AscendingIndices(const Indices& given, uint64_t length);
  AscendingIndices(const AscendingIndices&) = delete;
  AscendingIndices& operator=(const AscendingIndices&) = delete;

  const Indices& indices() const { return indices_; }
  /// Where each of them was in the given list; all, in order, where that ascended.
  const Indices& places() const { return places_; }
  uint64_t count() const { return indices_.count; }

 private:
  void sort(const Indices& given);
  void tabulate(const Indices& given, uint64_t length);

  std::vector<uint64_t> sorted_, from_;
  Indices indices_, places_;
};

/// Indices in device memory, of 64 bits.
struct IndexList {
  bool all = true;
  uint64_t count = 0;    ///< length of the list; n when all
  runtime::Buffer list;  ///< none when all
  bool ascends = false;  ///< it is known to, each index once
};
IndexList on_device(const Indices& list);
/// A list in device memory, of 64 bits. A range is made there, and so is a long list that is one: to look
/// costs the host less than to copy. Throws Declined for ranges of more than a quarter of the memory.
runtime::Buffer listed(const Indices& list);

/// Ascending indices for kernels: a list in device memory, or a range where they follow each other.
class IndexSet {
 public:
  /// All, or a range (as_range).
  explicit IndexSet(const Indices& range);
  /// Waits for the device.
  explicit IndexSet(const IndexList& ascending);
  IndexSetView view() const { return {list_.as<uint64_t>(), begin_, count_, table_.as<uint32_t>()}; }
  /// Its type in cuda/kernels/index_set.h, and that by which kernels ask whether an index is in it.
  const char* name() const { return list_ ? "index_list" : "index_range"; }
  const char* members() const { return table_ ? "index_table" : name(); }
  /// A list gets a table of so many indices, all that there are, where `questions` will be asked of it and
  /// are worth it. One launch.
  void tabulate(uint64_t length, uint64_t questions);
  bool is_range() const { return !list_; }
  uint64_t begin() const { return begin_; }
  bool is_all(uint64_t length) const { return is_range() && count_ == length; }

 private:
  runtime::Buffer list_, table_;
  uint64_t begin_ = 0, count_ = 0;
};

/// A list of GraphBLAS as a set. Where it does not ascend it is sorted on the device; of an index that it has
/// more than once the last place counts (AscendingIndices).
class ListedSet {
 public:
  /// O(count) where the list ascends; else also a radix sort of it.
  ListedSet(const Indices& given, uint64_t length) : ListedSet(sorted(given, length)) {}

  const IndexSet& set() const { return set_; }
  void tabulate(uint64_t length, uint64_t questions) { set_.tabulate(length, questions); }
  uint64_t count() const { return places_.count; }
  /// Where each of them is in the given list; all, in order, where that ascended.
  const IndexList& places() const { return places_; }

 private:
  struct Sorted {
    IndexSet set;
    IndexList places;
  };
  static Sorted sorted(const Indices& given, uint64_t length);
  explicit ListedSet(Sorted sorted) : set_(std::move(sorted.set)), places_(std::move(sorted.places)) {}

  IndexSet set_;
  const IndexList places_;
};

}  // namespace cugrb::operations
