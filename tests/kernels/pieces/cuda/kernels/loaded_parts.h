// A kernel that loads parts of an array to shared memory and stores them.
#pragma once
#include "cuda/kernels/shared_parts.h"
#include "cuda/views/loaded_parts.h"

namespace cugrb {

template <class T>
struct alignas(16) loaded_parts_pool {
  T at[256];
};

/// One block. The second time the parts change places.
template <class T>
CUGRB_KERNEL(256)
void load_parts(LoadedPartsArguments a) {
  CUGRB_SHARED(loaded_parts_pool<T>, pools, 2);
  auto parts = shared_parts<256>::open(2);
  const T* const values = static_cast<const T*>(a.values);
  T* out = static_cast<T*>(a.loaded);
  for (unsigned turn = 0; turn < 2; ++turn) {
    sync_block();
    const T *const first = values + (turn == 0 ? a.first : a.second), *const second =
                                                                          values +
                                                                          (turn == 0 ? a.second : a.first);
    const unsigned firsts = turn == 0 ? a.first_count : a.second_count,
                   seconds = turn == 0 ? a.second_count : a.first_count;
    T* const first_to = pools[0].at + parts.shift_of(first) + a.shift;
    T* const second_to = pools[1].at + parts.shift_of(second) + a.shift;
    parts.load(first, firsts, first_to);
    parts.load(second, seconds, second_to);
    parts.wait();
    sync_block();
    for (unsigned n = thread_index(); n < firsts; n += 256) out[n] = first_to[n];
    for (unsigned n = thread_index(); n < seconds; n += 256) out[firsts + n] = second_to[n];
    out += firsts + seconds;
  }
}

}  // namespace cugrb
