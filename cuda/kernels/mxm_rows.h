// Rows of T by Gustavson's order: T(r,:) = sum over the entries (r,k) of left of left(r,k) (x) right(k,:).
// What all kernels that make them have in common.
#pragma once
#include "cuda/kernels/atomic_sum.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"
#include "cuda/kernels/sum_start.h"

namespace cugrb {

/// offsets[r] = starts[r] in the matrix's width. One thread for each of rows + 1.
template <class Offset>
CUGRB_KERNEL(256)
void mxm_offsets(MxmOffsetsArguments a) {
  const uint64_t r = global_thread();
  if (r <= a.rows) static_cast<Offset*>(a.offsets)[r] = Offset(a.row_starts[r]);
}

/// The n-th row that the launch makes: all rows in order when there is no list.
CUGRB_DEVICE uint64_t listed_row(const MxmRowsArguments& a, uint64_t n) {
  return a.list != nullptr ? a.list[n] : n;
}

// ---- what the kernels that sum in shared memory have in common

/// *place = *place + term; with ANY one of the racing stores wins.
template <class Add>
CUGRB_DEVICE void add_term(typename Add::type* place, const typename Add::type& term) {
  if constexpr (Add::is_any) {
    relaxed_store(place, term);
  } else {
    add_in_shared_memory<Add>(place, term);
  }
}

/// starts: their exclusive sum, and behind it the sum of all; T's offsets: the same. One warp.
template <class Offset>
CUGRB_KERNEL(32)
void mxm_few_starts(MxmFewStartsArguments a) {
  const uint64_t r = lane_index();
  const uint64_t own = r < a.rows ? a.starts[r] : 0;
  uint64_t sum = own;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const uint64_t before = shuffle_up(full_warp, sum, delta);
    if (r >= delta) sum += before;
  }
  Offset* offsets = static_cast<Offset*>(a.offsets);
  if (r < a.rows) {
    a.starts[r] = sum - own;
    offsets[r] = Offset(sum - own);
  }
  if (r + 1 == a.rows) {
    a.starts[a.rows] = sum;
    offsets[a.rows] = Offset(sum);
  }
}

}  // namespace cugrb
