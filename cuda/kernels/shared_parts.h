// Parts of arrays that a block has in shared memory. Hopper copies a part when one thread asks for it;
// before, every thread copies some of its values.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

/// The parts of a block of so many threads, some in each phase. A part is a warp's business.
template <unsigned threads>
struct shared_parts {
  uint64_t* barrier;
  unsigned phase = 0, part = 0;

  /// So many parts a phase; one for a kernel. All threads pass a barrier before load().
  static CUGRB_DEVICE shared_parts open(unsigned parts) {
    CUGRB_SHARED(uint64_t, parts_barrier, 1);
    if (thread_index() == 0) open_copies(parts_barrier, parts);
    return {parts_barrier};
  }
  /// Where in shared memory a part that begins with `from` is to lie: so many values behind a multiple of 16
  /// bytes. Parts that lie elsewhere are loaded by all threads.
  template <class T>
  static CUGRB_DEVICE unsigned shift_of(const T* from) {
    return unsigned(uint64_t(from) % 16 / sizeof(T));
  }
  /// Loads `count` values to shared memory, as Loaded.
  template <class T, class Loaded>
  CUGRB_DEVICE void load(const T* from, unsigned count, Loaded* to) {
    from = global_address(from);
    bool whole = false;
    if constexpr (copies_parts && sizeof(T) == sizeof(Loaded) && 16 % sizeof(T) == 0)
      whole = (uint64_t(from) - uint64_t(to)) % 16 == 0;
    if (copies_parts && thread_index() / warp_lanes == part) load_whole(from, whole ? count : 0, to);
    ++part;
    if (whole) return;
#pragma unroll 4
    for (unsigned n = thread_index(); n < count; n += threads) to[n] = Loaded(read_only(from + n));
  }
  /// Until the phase's parts are there, but for what threads load themselves: all pass a barrier before they
  /// look at it.
  CUGRB_DEVICE void wait() {
    if (copies_parts) wait_for_copies(barrier, phase);
    ++phase;
    part = 0;
  }

 private:
  /// Values before the first multiple of 16 bytes and behind the last one are loaded by a lane each. Called
  /// by a whole warp.
  template <class T, class Loaded>
  CUGRB_DEVICE void load_whole(const T* from, unsigned count, Loaded* to) const {
    constexpr unsigned of_16 = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
    const unsigned before = (of_16 - shift_of(from)) % of_16, head = before < count ? before : count;
    const unsigned whole = (count - head) / of_16 * of_16, tail = head + whole, n = lane_index();
    if (n == 0) {
      expect_copies(barrier, whole * unsigned(sizeof(T)));
      if (phase > 0) order_copies();
      if (whole > 0) copy_part(to + head, from + head, whole * unsigned(sizeof(T)), barrier);
    }
    if (n < head) to[n] = Loaded(read_only(from + n));
    if (n < count - tail) to[tail + n] = Loaded(read_only(from + tail + n));
  }
};

}  // namespace cugrb
