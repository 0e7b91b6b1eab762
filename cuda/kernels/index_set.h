// The rows or columns that an assignment or an extraction names, asked by index.
#pragma once
#include "cuda/kernels/segments.h"
#include "cuda/views/index_set.h"

namespace cugrb {

/// Indices that follow each other.
struct index_range {
  static constexpr bool searches = false, asks_memory = false;
  static CUGRB_DEVICE uint64_t place(const IndexSetView& set, uint64_t i) { return i - set.begin; }
  static CUGRB_DEVICE bool contains(const IndexSetView& set, uint64_t i) { return i - set.begin < set.count; }
  /// Whether none of them is from i to k, where that is quickly told.
  static CUGRB_DEVICE bool lacks(const IndexSetView& set, uint64_t i, uint64_t k) {
    return k < set.begin || i >= set.begin + set.count;
  }
  /// How many of them are below i.
  static CUGRB_DEVICE uint64_t rank(const IndexSetView& set, uint64_t i) {
    const uint64_t below = i > set.begin ? i - set.begin : 0;
    return below < set.count ? below : set.count;
  }
};

/// A list that ascends: O(log count) a question.
struct index_list {
  static constexpr bool searches = true, asks_memory = true;
  static CUGRB_DEVICE bool lacks(const IndexSetView&, uint64_t, uint64_t) { return false; }
  static CUGRB_DEVICE bool contains(const IndexSetView& set, uint64_t i) {
    const uint64_t k = rank(set, i);
    return k < set.count && set.list[k] == i;
  }
  static CUGRB_DEVICE uint64_t rank(const IndexSetView& set, uint64_t i) {
    return lower_bound(set.list, 0, set.count, i);
  }
  static CUGRB_DEVICE uint64_t place(const IndexSetView& set, uint64_t i) { return rank(set, i); }
};

/// The same with a place for every index: one load a question, of which index_list needs some twenty.
struct index_table {
  static constexpr bool searches = false, asks_memory = true;
  static CUGRB_DEVICE bool lacks(const IndexSetView&, uint64_t, uint64_t) { return false; }
  static CUGRB_DEVICE bool contains(const IndexSetView& set, uint64_t i) {
    return read_only(set.table + i) != 0;
  }
  /// The index is there.
  static CUGRB_DEVICE uint64_t place(const IndexSetView& set, uint64_t i) {
    return read_only(set.table + i) - 1;
  }
};

/// One thread an index of the list.
template <int>
CUGRB_KERNEL(256)
void index_table_fill(IndexSetView set) {
  const uint64_t k = global_thread();
  if (k < set.count) set.table[set.list[k]] = uint32_t(k + 1);
}

}  // namespace cugrb
