// Reduction of a vector to one value by a monoid, in one launch: a partial result a block, and the block that
// is done last combines those; of an iso vector one thread. Which block that is decides nothing: the order of
// combination depends on the number of entries only, so floats come out the same every time; a few are
// combined as SuiteSparse does.
// Values carry a "has" flag, because a monoid may have no identity (ANY) and a position no entry.
#pragma once
#include "cuda/kernels/inputs.h"
#include "cuda/kernels/post.h"
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

/// The thread's share: positions first, first + stride, ... Four loads are in flight; a terminal value ends
/// it.
template <class Monoid, class Input>
CUGRB_DEVICE Running<typename Monoid::type> reduce_share(const VectorView& input, uint64_t count,
                                                         uint64_t first, uint64_t stride) {
  using T = typename Monoid::type;
  Running<T> mine;
  for (; first < count; first += 4 * stride) {
    typename Input::type loaded[4];
    bool has[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint64_t i = first + k * stride;
      has[k] = i < count && Input::has(input, Place{i, i});
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint64_t i = first + k * stride;
      if (has[k]) loaded[k] = Input::load(input, Place{i, i});
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
  if (is_awaited(a.post)) tell_host(a.post);
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

/// What the block's threads have, of `count` positions that they took in turn, comes to the first thread's.
template <class Monoid>
CUGRB_DEVICE void join_threads(Running<typename Monoid::type>& mine, uint64_t count) {
  using T = typename Monoid::type;
  CUGRB_SHARED(T, values, ReduceShape::threads);
  CUGRB_SHARED(uint8_t, has, ReduceShape::threads);
  const unsigned thread = thread_index();
  sync_block();  // they may be in use from the last time
  if (mine.has) values[thread] = mine.value;
  has[thread] = mine.has;
  if (count <= ReduceShape::in_order)
    join_in_order<Monoid>(mine, values, has, count);
  else
    join_halves<Monoid>(mine, values, has);
}

template <class T>
CUGRB_DEVICE void store_running(const Running<T>& sum, void* values, uint8_t* has, uint64_t at) {
  if (sum.has) static_cast<T*>(values)[at] = sum.value;
  has[at] = sum.has;
}
/// One thread.
template <class T>
CUGRB_DEVICE void store_all(const ReduceArguments& a, const Running<T>& sum, void* value, uint8_t* has) {
  store_running(sum, value, has, 0);
  if (is_awaited(a.post)) tell_host(a.post);
}

/// The block that is the last to come by. Called by all of its threads; what other blocks have written
/// before can be read then. The count of blocks is 0 again afterwards.
CUGRB_DEVICE bool is_last_block(uint32_t* blocks_done) {
  CUGRB_SHARED(uint32_t, last, 1);
  memory_fence();
  sync_block();
  if (thread_index() == 0) {
    last[0] = atomic_add(blocks_done, uint32_t(1)) + 1 == grid_blocks();
    if (last[0] != 0) relaxed_store(blocks_done, uint32_t(0));
  }
  sync_block();
  memory_fence();
  return last[0] != 0;
}

/// From the threads' shares to the result. All threads of the launch call it.
template <class Monoid>
CUGRB_DEVICE void reduce_shares(const ReduceArguments& a, Running<typename Monoid::type>& mine) {
  using T = typename Monoid::type;
  join_threads<Monoid>(mine, a.count);
  if (grid_blocks() == 1) {
    if (thread_index() == 0) store_all(a, mine, a.values, a.has);
    return;
  }
  if (thread_index() == 0) store_running(mine, a.values, a.has, block_index());
  if (!is_last_block(a.blocks_done)) return;
  VectorView partial;
  partial.values = a.values;
  partial.present = a.has;
  Running<T> all =
      reduce_share<Monoid, vector_bitmap<T>>(partial, grid_blocks(), thread_index(), ReduceShape::threads);
  join_threads<Monoid>(all, grid_blocks());
  if (thread_index() == 0) store_all(a, all, a.result, a.result_has);
}

/// 1 where a bitmap has an entry, else 0: the sum is their number.
struct vector_presence {
  using type = uint64_t;
  static CUGRB_DEVICE bool has(const VectorView&, Place) { return true; }
  static CUGRB_DEVICE uint64_t load(const VectorView& vector, Place at) {
    return vector.present[at.i] != 0 ? 1 : 0;
  }
};

/// The same of eight positions each, of which the last ones may be fewer.
struct vector_presence_of_eight {
  using type = uint64_t;
  static CUGRB_DEVICE bool has(const VectorView&, Place) { return true; }
  static CUGRB_DEVICE uint64_t load(const VectorView& vector, Place at) {
    const uint64_t first = 8 * at.i;
    uint64_t flags = 0;  // a byte each, 0 or 1
    if (first + 8 <= vector.length) {
      flags = relaxed_load(reinterpret_cast<const uint64_t*>(vector.present + first));
    } else {
      for (uint64_t i = first; i < vector.length; ++i) flags += vector.present[i];
    }
    return flags * 0x0101010101010101u >> 56;
  }
};

/// One launch of ReduceShape::blocks(count) blocks.
template <class Monoid, class Input>
CUGRB_KERNEL(256)
void reduce_vector(ReduceArguments a) {
  Running<typename Monoid::type> mine =
      reduce_share<Monoid, Input>(a.input, a.count, global_thread(), global_threads());
  reduce_shares<Monoid>(a, mine);
}

}  // namespace cugrb
