// The vocabulary of cuda/kernels/base.h on the emulated device: the same names as
// cuda/kernels/device_functions.h.
//
// Collectives and steps go through simt::interface_table. Default arguments carry the caller's file and line,
// so a violation names the line of the kernel. Kept light: one specialisation must compile in a few tenths of
// a second.
#pragma once
#include "cuda/emulated/interface.h"
#include "cuda/views/l2_policy.h"

#define CUGRB_KERNEL(threads) inline
#define CUGRB_KERNEL_RESIDENT(threads, blocks) inline
#define CUGRB_DEVICE inline
/// A static array of `n` elements shared by the block. T must be trivial.
#define CUGRB_SHARED(T, name, n)                  \
  static const char cugrb_shared_site_##name = 0; \
  auto& name = ::cugrb::simt::shared_array<T, (n)>(&cugrb_shared_site_##name)
/// The block's dynamic shared memory, as a T*; its size is the launch's `shared_bytes`.
#define CUGRB_DYNAMIC_SHARED(T, name) \
  T* name = static_cast<T*>(::cugrb::simt::interface_table->dynamic_shared())

/// Where the call stands: the last parameters of every function that can wait or fail.
#define CUGRB_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cugrb {

namespace simt {
template <class T, size_t n>
CUGRB_DEVICE auto shared_array(const void* site, CUGRB_CALLER) -> T (&)[n] {
  static_assert(__is_trivial(T), "shared memory holds trivial types only");
  return *static_cast<T(*)[n]>(interface_table->shared_array(site, n * sizeof(T), alignof(T), file, line));
}

#if defined(__SANITIZE_THREAD__)
#define CUGRB_UNOBSERVED \
  __attribute__((no_sanitize("thread")))  // the emulator's own data, shared by all fibers
#else
#define CUGRB_UNOBSERVED
#endif
/// Counts an access that may be one turn of a spinning loop.
CUGRB_DEVICE CUGRB_UNOBSERVED void step(const char* file, int line) {
  if (--interface_table->steps <= 0) interface_table->yield(file, line);
}

template <class T>
CUGRB_DEVICE T shuffle_from(Collective kind, unsigned mask, const T& value, unsigned source, const char* file,
                            int line) {
  T result;
  interface_table->warp_shuffle(kind, mask, &value, &result, sizeof(T), source, file, line);
  return result;
}

CUGRB_DEVICE void check_width(int width, const char* file, int line) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    interface_table->fail("shuffle: the width is no power of two up to 32", file, line);
  }
}
}  // namespace simt

CUGRB_DEVICE unsigned thread_index() { return simt::interface_table->thread; }
CUGRB_DEVICE unsigned block_index() { return simt::interface_table->block; }
CUGRB_DEVICE unsigned block_threads() { return simt::interface_table->block_threads; }
CUGRB_DEVICE unsigned grid_blocks() { return simt::interface_table->grid_blocks; }
CUGRB_DEVICE uint64_t global_thread() { return uint64_t(block_index()) * block_threads() + thread_index(); }
CUGRB_DEVICE uint64_t global_threads() { return uint64_t(grid_blocks()) * block_threads(); }
CUGRB_DEVICE unsigned lane_index() { return thread_index() & 31u; }

CUGRB_DEVICE void sync_block(CUGRB_CALLER) {
  simt::interface_table->block_barrier(simt::Collective::sync_block, 0, file, line);
}
CUGRB_DEVICE int sync_block_or(int predicate, CUGRB_CALLER) {
  return simt::interface_table->block_barrier(simt::Collective::sync_block_or, predicate, file, line) != 0;
}
CUGRB_DEVICE int sync_block_count(int predicate, CUGRB_CALLER) {
  return simt::interface_table->block_barrier(simt::Collective::sync_block_count, predicate, file, line);
}
CUGRB_DEVICE void sync_warp(unsigned mask, CUGRB_CALLER) {
  simt::interface_table->warp_vote(simt::Collective::sync_warp, mask, 0, file, line);
}
CUGRB_DEVICE unsigned ballot(unsigned mask, int predicate, CUGRB_CALLER) {
  return simt::interface_table->warp_vote(simt::Collective::ballot, mask, predicate, file, line);
}
CUGRB_DEVICE int any_lane(unsigned mask, int predicate, CUGRB_CALLER) {
  return simt::interface_table->warp_vote(simt::Collective::any_lane, mask, predicate, file, line) != 0;
}
CUGRB_DEVICE int all_lanes(unsigned mask, int predicate, CUGRB_CALLER) {
  return simt::interface_table->warp_vote(simt::Collective::all_lanes, mask, predicate, file, line) == mask;
}
CUGRB_DEVICE int count_bits(unsigned bits) { return __builtin_popcount(bits); }
/// Index of the lowest set bit, 0 to 31; `bits` is not 0.
CUGRB_DEVICE int lowest_bit(unsigned bits, CUGRB_CALLER) {
  if (bits == 0) simt::interface_table->fail("lowest_bit: no bit is set", file, line);
  return __builtin_ctz(bits);
}
/// Index of the highest set bit; `bits` is not 0.
CUGRB_DEVICE int highest_bit(unsigned bits, CUGRB_CALLER) {
  if (bits == 0) simt::interface_table->fail("highest_bit: no bit is set", file, line);
  return 31 - __builtin_clz(bits);
}
/// Kernels never overlap here; that the kernel asks is noted, for launches that depend on it.
CUGRB_DEVICE void wait_for_earlier_kernels() {
  __atomic_store_n(&simt::interface_table->waited, true, __ATOMIC_RELAXED);
}
CUGRB_DEVICE void memory_fence() { simt::interface_table->fence(); }
/// Who asks memory again lets others run by that alone.
CUGRB_DEVICE void let_others_run() {}
/// The same where the host reads, too.
CUGRB_DEVICE void memory_fence_of_host() { simt::interface_table->fence(); }

/// Waits for all threads of the block's cluster (LaunchShape::cluster consecutive blocks), which see then
/// what was written to the shared memory of any of them.
CUGRB_DEVICE void sync_cluster(CUGRB_CALLER) { simt::interface_table->cluster_barrier(file, line); }
/// What stands at this address of the own dynamic shared memory in that of the cluster's block `rank`. That
/// block has to be there still: a cluster's blocks meet before they end.
template <class T>
CUGRB_DEVICE const T* shared_of_block(const T* address, unsigned rank, CUGRB_CALLER) {
  return static_cast<const T*>(simt::interface_table->shared_of_block(address, rank, file, line));
}

/// Shuffles within groups of `width` lanes (a power of two up to 32), any trivially copyable T.
template <class T>
CUGRB_DEVICE T shuffle(unsigned mask, const T& value, int source_lane, int width = 32, CUGRB_CALLER) {
  simt::check_width(width, file, line);
  const unsigned inside = unsigned(width) - 1u;
  const unsigned source = (lane_index() & ~inside) | (unsigned(source_lane) & inside);
  return simt::shuffle_from(simt::Collective::shuffle, mask, value, source, file, line);
}
template <class T>
CUGRB_DEVICE T shuffle_down(unsigned mask, const T& value, unsigned delta, int width = 32, CUGRB_CALLER) {
  simt::check_width(width, file, line);
  const unsigned lane = lane_index(), place = lane & (unsigned(width) - 1u);
  const unsigned source = delta < unsigned(width) - place ? lane + delta : lane;
  return simt::shuffle_from(simt::Collective::shuffle_down, mask, value, source, file, line);
}
template <class T>
CUGRB_DEVICE T shuffle_up(unsigned mask, const T& value, unsigned delta, int width = 32, CUGRB_CALLER) {
  simt::check_width(width, file, line);
  const unsigned lane = lane_index(), place = lane & (unsigned(width) - 1u);
  const unsigned source = delta <= place ? lane - delta : lane;
  return simt::shuffle_from(simt::Collective::shuffle_up, mask, value, source, file, line);
}
/// A lane whose partner is in a later group keeps its own value; a partner in an earlier group is read (as
/// PTX does).
template <class T>
CUGRB_DEVICE T shuffle_xor(unsigned mask, const T& value, int lanes, int width = 32, CUGRB_CALLER) {
  simt::check_width(width, file, line);
  const unsigned lane = lane_index(), last = lane | (unsigned(width) - 1u), partner = lane ^ unsigned(lanes);
  const unsigned source = partner <= last ? partner : lane;
  return simt::shuffle_from(simt::Collective::shuffle_xor, mask, value, source, file, line);
}
/// The union of all lanes' bits; every lane of the warp takes part.
CUGRB_DEVICE unsigned or_of_warp(unsigned bits, CUGRB_CALLER) {
  for (int lanes = 16; lanes > 0; lanes /= 2) bits |= shuffle_xor(0xffffffffu, bits, lanes, 32, file, line);
  return bits;
}

/// Loads and stores that may race on purpose (1, 2, 4 or 8 bytes; never torn, never ordered).
template <class T>
CUGRB_DEVICE T relaxed_load(const T* address, CUGRB_CALLER) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "relaxed_load: odd size");
  simt::step(file, line);
  T value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  return value;
}
template <class T>
CUGRB_DEVICE void relaxed_store(T* address, T value, CUGRB_CALLER) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "relaxed_store: odd size");
  simt::step(file, line);
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}
/// Copies of parts of arrays to shared memory, done at once by the thread that asks. The barrier's word has
/// the calls of expect_copies() in a phase, from bit 32 on, and counts those that have come.
constexpr bool copies_parts = true;
CUGRB_DEVICE void open_copies(uint64_t* barrier, unsigned calls, CUGRB_CALLER) {
  relaxed_store(barrier, uint64_t(calls) << 32, file, line);
}
CUGRB_DEVICE void copy_part(void* to, const void* from, unsigned bytes, uint64_t* barrier, CUGRB_CALLER) {
  if (bytes == 0 || (uint64_t(to) | uint64_t(from) | bytes) % 16 != 0)
    simt::interface_table->fail("copy_part: no multiple of 16 bytes", file, line);
  __builtin_memcpy(to, from, bytes);
}
CUGRB_DEVICE void expect_copies(uint64_t* barrier, unsigned bytes, CUGRB_CALLER) {
  simt::step(file, line);
  __atomic_fetch_add(barrier, uint64_t(1), __ATOMIC_RELAXED);
}
CUGRB_DEVICE void wait_for_copies(uint64_t* barrier, unsigned phase, CUGRB_CALLER) {
  for (bool arrived = false; !arrived;) {
    const uint64_t word = relaxed_load(barrier, file, line);
    arrived = uint32_t(word) >= (phase + 1) * (word >> 32);
  }
}
CUGRB_DEVICE void order_copies() {}
/// The address as it is; compilers of GPUs add to it in another way.
template <class T>
CUGRB_DEVICE T* global_address(T* address) {
  return address;
}

/// A load of memory that no thread writes during the kernel (goes through the read-only cache).
template <class T>
CUGRB_DEVICE T read_only(const T* address) {
  return *address;
}
/// The same of memory that a kernel reads once; there are no caches here.
template <class T>
CUGRB_DEVICE T read_streaming(const T* address, uint64_t policy = l2_evict_first) {
  (void)policy;
  return *address;
}
/// Four consecutive values that are read once.
template <class T>
CUGRB_DEVICE void read_streaming_four(const T* address, T (&values)[4], uint64_t policy = l2_evict_first) {
  (void)policy;
  for (int j = 0; j < 4; ++j) values[j] = address[j];
}
/// `count` consecutive values.
template <class T, int count>
CUGRB_DEVICE void read_together(const T* address, T (&values)[count]) {
  for (int j = 0; j < count; ++j) values[j] = address[j];
}
/// Stores them.
template <class T, int count>
CUGRB_DEVICE void write_together(T* address, const T (&values)[count]) {
  for (int j = 0; j < count; ++j) address[j] = values[j];
}
CUGRB_DEVICE uint64_t atomic_add(uint64_t* address, uint64_t value, CUGRB_CALLER) {
  simt::step(file, line);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
CUGRB_DEVICE uint32_t atomic_add(uint32_t* address, uint32_t value, CUGRB_CALLER) {
  simt::step(file, line);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
/// Sets bits; returns what was there.
CUGRB_DEVICE uint32_t atomic_or(uint32_t* address, uint32_t bits, CUGRB_CALLER) {
  simt::step(file, line);
  return __atomic_fetch_or(address, bits, __ATOMIC_RELAXED);
}

/// Compare-and-swap of 4 or 8 bytes; returns what was there.
CUGRB_DEVICE uint32_t atomic_compare_and_swap(uint32_t* address, uint32_t expected, uint32_t desired,
                                              CUGRB_CALLER) {
  simt::step(file, line);
  __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
CUGRB_DEVICE uint64_t atomic_compare_and_swap(uint64_t* address, uint64_t expected, uint64_t desired,
                                              CUGRB_CALLER) {
  simt::step(file, line);
  __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

namespace simt {
template <int bytes>
struct Word;
template <>
struct Word<1> {
  using type = uint8_t;
};
template <>
struct Word<2> {
  using type = uint16_t;
};
template <>
struct Word<4> {
  using type = uint32_t;
};
template <>
struct Word<8> {
  using type = uint64_t;
};
}  // namespace simt

/// *address = combine(*address, value), atomically, for T of 1, 2, 4 or 8 bytes; `combine` must be pure.
template <class T, class Combine>
CUGRB_DEVICE void atomic_update(T* address, T value, Combine combine, CUGRB_CALLER) {
  using Word = typename simt::Word<sizeof(T)>::type;
  auto* word = reinterpret_cast<Word*>(address);
  Word seen = relaxed_load(word, file, line);
  while (true) {
    T old;
    __builtin_memcpy(&old, &seen, sizeof(T));
    const T next = combine(old, value);
    Word bits;
    __builtin_memcpy(&bits, &next, sizeof(T));
    if (bits == seen) return;
    simt::step(file, line);
    if (__atomic_compare_exchange_n(word, &seen, bits, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  }
}

CUGRB_DEVICE void atomic_add_shared(float* address, float value, CUGRB_CALLER) {
  atomic_update(
      address, value, [](float old, float added) { return old + added; }, file, line);
}
/// Subnormal numbers, added or found or left, count as 0, as in a GPU's global memory.
CUGRB_DEVICE void atomic_add_normal(float* address, float value, CUGRB_CALLER) {
  atomic_update(
      address, value,
      [](float old, float added) {
        const auto flushed = [](float x) { return x > -0x1p-126f && x < 0x1p-126f ? x * 0 : x; };
        return flushed(flushed(old) + flushed(added));
      },
      file, line);
}
CUGRB_DEVICE void atomic_add(double* address, double value, CUGRB_CALLER) {
  atomic_update(
      address, value, [](double old, double added) { return old + added; }, file, line);
}

}  // namespace cugrb
