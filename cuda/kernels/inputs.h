// Input vectors as kernels see them: is there an entry at this place, and which value has it?
//
// Every type here has
//     using type = ...;                                           // the element type
//     static CUGRB_DEVICE bool has(const VectorView&, Place);
//     static CUGRB_DEVICE type load(const VectorView&, Place);    // its value; asked only where `has` is
//     true
// They are two, so that a thread can ask the patterns of several places before it waits for values.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// Where a thread works: position i of the vectors; p is its ordinal in the list that drives the launch (when
/// the launch covers all positions there is no list, and p = i).
struct Place {
  uint64_t i, p;
};

/// Whether `wanted` is among `entries` ascending indices, and where. O(log entries).
template <class Index>
CUGRB_DEVICE bool find_position(const Index* indices, uint64_t entries, uint64_t wanted, uint64_t& p) {
  uint64_t low = 0, high = entries;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (uint64_t(indices[middle]) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  p = low;
  return low < entries && uint64_t(indices[low]) == wanted;
}

/// Full: T at every position; iso: one T for all.
template <class T, bool iso = false>
struct vector_full {
  using type = T;
  static CUGRB_DEVICE bool has(const VectorView&, Place) { return true; }
  static CUGRB_DEVICE T load(const VectorView& vector, Place at) {
    return static_cast<const T*>(vector.values)[iso ? 0 : at.i];
  }
};

/// Bitmap: T where `present` is set.
template <class T, bool iso = false>
struct vector_bitmap {
  using type = T;
  static CUGRB_DEVICE bool has(const VectorView& vector, Place at) { return vector.present[at.i] != 0; }
  static CUGRB_DEVICE T load(const VectorView& vector, Place at) {
    return static_cast<const T*>(vector.values)[iso ? 0 : at.i];
  }
};

/// Sparse, searched: O(log entries) per question.
template <class T, class Index, bool iso = false>
struct vector_sparse {
  using type = T;
  static CUGRB_DEVICE bool has(const VectorView& vector, Place at) {
    uint64_t p;
    return find_position(static_cast<const Index*>(vector.indices), vector.entries, at.i, p);
  }
  static CUGRB_DEVICE T load(const VectorView& vector, Place at) {
    uint64_t p = 0;
    if constexpr (!iso) find_position(static_cast<const Index*>(vector.indices), vector.entries, at.i, p);
    return static_cast<const T*>(vector.values)[p];
  }
};

/// Sparse, and its positions drive the launch: the entry at place (i, p) is its p-th.
template <class T, bool iso = false>
struct vector_listed {
  using type = T;
  static CUGRB_DEVICE bool has(const VectorView&, Place) { return true; }
  static CUGRB_DEVICE T load(const VectorView& vector, Place at) {
    return static_cast<const T*>(vector.values)[iso ? 0 : at.p];
  }
};

/// No entries at all.
template <class T>
struct vector_none {
  using type = T;
  static CUGRB_DEVICE bool has(const VectorView&, Place) { return false; }
  static CUGRB_DEVICE T load(const VectorView&, Place) { return T(); }
};

}  // namespace cugrb
