// Rows of T by Gustavson's order: T(r,:) = sum over the entries (r,k) of left of left(r,k) (x) right(k,:).
// What all kernels that make them have in common.
#pragma once
#include "cuda/kernels/atomic_sum.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"

namespace cugrb {

/// offsets[r] = starts[r] in the matrix's width. One thread for each of rows + 1.
template <class Offset>
CUGRB_KERNEL(256)
void mxm_offsets(MxmRowsArguments a) {
  const uint64_t r = global_thread();
  if (r <= a.left.rows) static_cast<Offset*>(a.columns)[r] = Offset(a.row_starts[r]);
}

/// The n-th row that the launch makes: all rows in order when there is no list.
CUGRB_DEVICE uint64_t listed_row(const MxmRowsArguments& a, uint64_t n) {
  return a.list != nullptr ? a.list[n] : n;
}

// ---- what the kernels that sum in shared memory have in common

/// What a sum starts from: the identity, with two exceptions. NaN under a monoid that a NaN loses to (MIN,
/// MAX of floats), because there the sum of one NaN alone is NaN; -0 under PLUS of floats, because the sum of
/// one -0 alone is -0.
template <class Add>
CUGRB_DEVICE typename Add::type start_of_sum() {
  using T = typename Add::type;
  if constexpr (!Add::has_identity) {
    return T();
  } else {
    if constexpr (is_float<T>) {
      const T nan = not_a_number<T>(), sum = Add::combine(nan, Add::identity());
      if (sum == Add::identity()) return nan;
      if constexpr (is_same<typename Add::op, plus<T>>) return -T(0);
    }
    return Add::identity();
  }
}

/// *place = *place + term; with ANY one of the racing stores wins.
template <class Add>
CUGRB_DEVICE void add_term(typename Add::type* place, const typename Add::type& term) {
  if constexpr (Add::is_any) {
    relaxed_store(place, term);
  } else {
    add_atomically<Add>(place, term);
  }
}

}  // namespace cugrb
