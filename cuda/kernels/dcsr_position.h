// Where entries of a dynamic CSR's rows lie.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/dcsr.h"

namespace cugrb {

/// Position of entry n of row i.
template <class Offset>
CUGRB_DEVICE uint64_t dcsr_position(const DcsrView& dcsr, uint64_t i, uint64_t n) {
  uint64_t before = 0;
  for (uint64_t s = 0; s < dcsr.slots; ++s) {
    const Offset* segment = static_cast<const Offset*>(dcsr.segments) + 2 * i + s * dcsr.pitch;
    const uint64_t capacity = uint64_t(segment[1]) - uint64_t(segment[0]);
    if (n < before + capacity) return uint64_t(segment[0]) + (n - before);
    before += capacity;
  }
  return 0;  // not reached: a row's segments hold its entries
}

/// Column of entry n of row i.
template <class Offset, class Column>
CUGRB_DEVICE uint64_t dcsr_column(const DcsrView& dcsr, uint64_t i, uint64_t n) {
  return static_cast<const Column*>(dcsr.columns)[dcsr_position<Offset>(dcsr, i, n)];
}

/// The first of the entries low to high of row i, whose columns ascend, that is not before `column`; else
/// high.
template <class Offset, class Column>
CUGRB_DEVICE uint64_t dcsr_lower_bound(const DcsrView& dcsr, uint64_t i, uint64_t low, uint64_t high,
                                       uint64_t column) {
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (dcsr_column<Offset, Column>(dcsr, i, middle) < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The rank among the columns of row i of its entry n, which lies at position q.
template <class Offset, class Column>
CUGRB_DEVICE uint64_t dcsr_rank(const DcsrView& dcsr, uint64_t i, uint64_t n, uint64_t q) {
  const uint64_t size = static_cast<const Offset*>(dcsr.sizes)[i];
  const uint64_t main = static_cast<const Offset*>(dcsr.mains)[i];
  const uint64_t column = static_cast<const Column*>(dcsr.columns)[q];
  if (n < main) return n + dcsr_lower_bound<Offset, Column>(dcsr, i, main, size, column) - main;
  return n - main + dcsr_lower_bound<Offset, Column>(dcsr, i, 0, main, column);
}

}  // namespace cugrb
