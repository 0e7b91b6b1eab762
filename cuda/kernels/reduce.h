// Reduction of a vector to one value by a monoid: two launches of one kernel, first a partial result a block,
// then one block over those; of an iso vector one thread. No atomics: the order of combination depends on the
// number of entries only, so floats come out the same every time; a few are combined as SuiteSparse does.
// Values carry a "has" flag, because a monoid may have no identity (ANY) and a position no entry.
#pragma once
#include "cuda/kernels/inputs.h"
#include "cuda/views/reduce.h"
#include "semirings/device/monoids.h"
#include "semirings/device/types.h"

namespace cugrb {

/// A value that may not be there yet.
template <class T>
struct Running {
  T value;
  bool has = false;
};

template <class Monoid>
CUGRB_DEVICE void join(Running<typename Monoid::type>& a, const typename Monoid::type& value) {
  a.value = a.has ? Monoid::combine(a.value, value) : value;
  a.has = true;
}

/// The thread's share: positions thread, thread + stride, ... Four loads are in flight; a terminal value ends
/// it.
template <class Monoid, class Input>
CUGRB_DEVICE Running<typename Monoid::type> reduce_share(const ReduceArguments& a) {
  using T = typename Monoid::type;
  Running<T> mine;
  const uint64_t stride = global_threads();
  for (uint64_t first = global_thread(); first < a.count; first += 4 * stride) {
    typename Input::type loaded[4];
    bool has[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint64_t i = first + k * stride;
      has[k] = i < a.count && Input::has(a.input, Place{i, i});
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint64_t i = first + k * stride;
      if (has[k]) loaded[k] = Input::load(a.input, Place{i, i});
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (has[k]) join<Monoid>(mine, cast<T>(loaded[k]));
    }
    if (mine.has && Monoid::is_terminal(mine.value)) break;
  }
  return mine;
}

/// The one value of an iso vector, `count` times. The sum of the copies is doubled along the bits of their
/// number, the highest first, in the order in which SuiteSparse combines them: O(log count). One thread.
template <class Monoid, class Input>
CUGRB_KERNEL(1)
void reduce_iso(ReduceArguments a) {
  using T = typename Monoid::type;
  const T one = cast<T>(Input::load(a.input, Place{0, 0}));
  T sum = one;
  uint64_t bit = 1;
  while (bit <= a.count / 2) bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2) {
    sum = Monoid::combine(sum, sum);
    if ((a.count & bit) != 0) sum = Monoid::combine(sum, one);
  }
  *static_cast<T*>(a.values) = sum;
  *a.has = 1;
}

/// Joins the values of the block's threads into the first thread's, half of them with the other half each
/// time.
template <class Monoid>
CUGRB_DEVICE void join_halves(Running<typename Monoid::type>& mine, typename Monoid::type* values,
                              uint8_t* has) {
  const unsigned thread = thread_index();
  for (unsigned half = ReduceShape::threads / 2; half > 0; half /= 2) {
    sync_block();
    if (thread < half && has[thread + half] != 0) {
      join<Monoid>(mine, values[thread + half]);
      values[thread] = mine.value;
      has[thread] = 1;
    }
  }
}

/// The same from the first value to the last.
template <class Monoid>
CUGRB_DEVICE void join_in_order(Running<typename Monoid::type>& mine, const typename Monoid::type* values,
                                const uint8_t* has, uint64_t count) {
  sync_block();
  if (thread_index() != 0) return;
  for (uint64_t i = 1; i < count; ++i) {
    if (has[i] != 0) join<Monoid>(mine, values[i]);
  }
}

/// values[block], has[block] = the reduction of the block's share.
template <class Monoid, class Input>
CUGRB_KERNEL(256)
void reduce_vector(ReduceArguments a) {
  using T = typename Monoid::type;
  CUGRB_SHARED(T, values, ReduceShape::threads);
  CUGRB_SHARED(uint8_t, has, ReduceShape::threads);
  Running<T> mine = reduce_share<Monoid, Input>(a);
  const unsigned thread = thread_index();
  if (mine.has) values[thread] = mine.value;
  has[thread] = mine.has;
  if (a.count <= ReduceShape::in_order)
    join_in_order<Monoid>(mine, values, has, a.count);
  else
    join_halves<Monoid>(mine, values, has);
  if (thread == 0) {
    if (mine.has) static_cast<T*>(a.values)[block_index()] = mine.value;
    a.has[block_index()] = mine.has;
  }
}

}  // namespace cugrb
