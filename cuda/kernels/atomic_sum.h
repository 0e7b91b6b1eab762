// Sums that several threads add to.
#pragma once
#include "cuda/kernels/base.h"
#include "semirings/device/semirings.h"

namespace cugrb {

/// Whether the native addition of the term is right for every sum of floats s, although it takes subnormal
/// numbers for 0. Of |term| >= 2^-101, a multiple of 2^-124: |s| >= 2^-102 is a multiple of 2^-125, so that
/// term + s is 0 or no subnormal. A smaller s leaves |term + s| > 2^-102, and a subnormal one, less than half
/// of the distance from the term to the next number, leaves the term.
CUGRB_DEVICE bool adds_natively(float term) { return !(term > -0x1p-101f && term < 0x1p-101f); }

/// *place = *place + term, atomically, in global or shared memory. T has 1, 2, 4 or 8 bytes; not for ANY.
template <class Add>
CUGRB_DEVICE void add_atomically(typename Add::type* place, const typename Add::type& term) {
  using T = typename Add::type;
  constexpr bool adds = is_same<typename Add::op, plus<T>>;
  if constexpr (adds && is_integer<T> && sizeof(T) == 8) {
    atomic_add(reinterpret_cast<uint64_t*>(place), uint64_t(term));
  } else if constexpr (adds && is_integer<T> && sizeof(T) == 4) {
    atomic_add(reinterpret_cast<uint32_t*>(place), uint32_t(term));
  } else if constexpr (adds && is_same<T, double>) {
    atomic_add(place, term);
  } else if constexpr (adds && is_same<T, float>) {
    if (adds_natively(term)) {
      atomic_add_normal(place, term);
    } else {
      atomic_update(place, term, [](float old, float added) { return old + added; });
    }
  } else {
    atomic_update(place, term, [](const T& old, const T& added) { return Add::combine(old, added); });
  }
}

/// The same in shared memory.
template <class Add>
CUGRB_DEVICE void add_in_shared_memory(typename Add::type* place, const typename Add::type& term) {
  if constexpr (is_same<typename Add::type, float> && is_same<typename Add::op, plus<float>>) {
    atomic_add_shared(place, term);
  } else {
    add_atomically<Add>(place, term);
  }
}

}  // namespace cugrb
