// What a sum in memory starts from, before its first term.
#pragma once
#include "cuda/kernels/base.h"
#include "semirings/device/semirings.h"

namespace cugrb {

/// The identity, with two exceptions. NaN under a monoid that a NaN loses to (MIN, MAX of floats), because
/// there the sum of one NaN alone is NaN; -0 under PLUS of floats, because the sum of one -0 alone is -0.
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
    if constexpr (is_complex<T> && is_same<typename Add::op, plus<T>>) return -T(0);
    return Add::identity();
  }
}

}  // namespace cugrb
