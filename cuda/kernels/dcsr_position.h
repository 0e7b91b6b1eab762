// Where entries of a dynamic CSR's rows lie.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/dcsr.h"

namespace cugrb {

/// Where the entries of a row lie. Its first four segments are read at once, so that a search in the row
/// waits for the table a single time; further ones are looked up.
template <class Offset>
struct dcsr_places {
  static constexpr unsigned kept = 4;
  const DcsrView& dcsr;
  uint64_t row;
  Offset ends[kept];    ///< entries up to the end of each segment
  Offset shifts[kept];  ///< from an entry's number to its position

  CUGRB_DEVICE dcsr_places(const DcsrView& view, uint64_t i) : dcsr(view), row(i) {
    const Offset* const segments = static_cast<const Offset*>(view.segments) + 2 * i;
    Offset begins[kept], before = 0;
#pragma unroll
    for (unsigned s = 0; s < kept; ++s) {
      begins[s] = s < view.slots ? segments[s * view.pitch] : 0;
      ends[s] = s < view.slots ? segments[s * view.pitch + 1] : 0;
    }
#pragma unroll
    for (unsigned s = 0; s < kept; ++s) {
      shifts[s] = Offset(begins[s] - before);
      before = Offset(before + (ends[s] - begins[s]));
      ends[s] = before;
    }
  }

  /// Of entry n.
  CUGRB_DEVICE uint64_t operator()(uint64_t n) const {
#pragma unroll
    for (unsigned s = 0; s < kept; ++s) {
      if (n < ends[s]) return Offset(Offset(n) + shifts[s]);
    }
    return further(n);
  }
  /// Whether the entries low to high, one at least, lie in one of the first segments, and follow each other.
  CUGRB_DEVICE bool are_together(uint64_t low, uint64_t high) const {
#pragma unroll
    for (unsigned s = 0; s < kept; ++s) {
      if (low < ends[s]) return high <= ends[s];
    }
    return false;
  }
  template <class Column>
  CUGRB_DEVICE uint64_t column(uint64_t n) const {
    return static_cast<const Column*>(dcsr.columns)[(*this)(n)];
  }
  /// The first of the entries low to high, whose columns ascend, that is not before `wanted`; else high.
  template <class Column>
  CUGRB_DEVICE uint64_t lower_bound(uint64_t low, uint64_t high, uint64_t wanted) const {
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      if (column<Column>(middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  /// The rank among the row's columns of its entry n, whose column is `wanted`.
  template <class Column>
  CUGRB_DEVICE uint64_t rank(uint64_t n, Column wanted) const {
    const uint64_t size = static_cast<const Offset*>(dcsr.sizes)[row];
    const uint64_t main = static_cast<const Offset*>(dcsr.mains)[row];
    if (n < main) return n + lower_bound<Column>(main, size, wanted) - main;
    return n - main + lower_bound<Column>(0, main, wanted);
  }

 private:
  CUGRB_DEVICE uint64_t further(uint64_t n) const {
    uint64_t before = ends[kept - 1];
    for (uint64_t s = kept; s < dcsr.slots; ++s) {
      const Offset* const segment = static_cast<const Offset*>(dcsr.segments) + 2 * row + s * dcsr.pitch;
      const uint64_t capacity = uint64_t(segment[1]) - uint64_t(segment[0]);
      if (n < before + capacity) return uint64_t(segment[0]) + (n - before);
      before += capacity;
    }
    return 0;  // not reached: a row's segments hold its entries
  }
};

}  // namespace cugrb
