// The rows or columns that an assignment names, asked by index.
#pragma once
#include "cuda/kernels/segments.h"
#include "cuda/views/index_set.h"

namespace cugrb {

/// Indices that follow each other.
struct index_range {
  static CUGRB_DEVICE bool contains(const IndexSetView& set, uint64_t i) { return i - set.begin < set.count; }
  /// How many of them are below i.
  static CUGRB_DEVICE uint64_t rank(const IndexSetView& set, uint64_t i) {
    const uint64_t below = i > set.begin ? i - set.begin : 0;
    return below < set.count ? below : set.count;
  }
};

/// A list that ascends: O(log count) a question.
struct index_list {
  static CUGRB_DEVICE bool contains(const IndexSetView& set, uint64_t i) {
    const uint64_t k = rank(set, i);
    return k < set.count && set.list[k] == i;
  }
  static CUGRB_DEVICE uint64_t rank(const IndexSetView& set, uint64_t i) {
    return lower_bound(set.list, 0, set.count, i);
  }
};

}  // namespace cugrb
