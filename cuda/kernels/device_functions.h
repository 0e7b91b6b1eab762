// The vocabulary of cuda/kernels/base.h on a real GPU. cuda/emulated/device_functions.h defines the same
// names.
#pragma once
#include "cuda/views/integers.h"
#include "cuda/views/l2_policy.h"

#if defined(__CUDACC_RTC__)
#define __builtin_memcpy memcpy  // NVRTC knows it by its plain name only
#endif

#define CUGRB_KERNEL(threads) __global__ __launch_bounds__(threads)
/// A kernel whose blocks fill a multiprocessor `blocks` at a time: registers are what that leaves. (Without
/// the number the compiler leaves room for 2048 threads, which costs a block of 1024 half of its registers.)
/// The numbers were measured on Hopper; code for later GPUs takes some registers more and would spill.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define CUGRB_KERNEL_RESIDENT(threads, blocks) __global__ __launch_bounds__(threads, 3 * (blocks) / 4)
#else
#define CUGRB_KERNEL_RESIDENT(threads, blocks) __global__ __launch_bounds__(threads, blocks)
#endif
#define CUGRB_DEVICE __device__ __forceinline__
/// A static array of `n` elements shared by the block. T must be trivial.
#define CUGRB_SHARED(T, name, n) __shared__ T name[n]
/// The block's dynamic shared memory, as a T*; its size is the launch's `shared_bytes`.
#define CUGRB_DYNAMIC_SHARED(T, name)                                   \
  extern __shared__ __align__(16) unsigned char cugrb_dynamic_shared[]; \
  T* name = reinterpret_cast<T*>(cugrb_dynamic_shared)

namespace cugrb {

CUGRB_DEVICE unsigned thread_index() { return threadIdx.x; }
CUGRB_DEVICE unsigned block_index() { return blockIdx.x; }
CUGRB_DEVICE unsigned block_threads() { return blockDim.x; }
CUGRB_DEVICE unsigned grid_blocks() { return gridDim.x; }
CUGRB_DEVICE uint64_t global_thread() { return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
CUGRB_DEVICE uint64_t global_threads() { return uint64_t(gridDim.x) * blockDim.x; }
CUGRB_DEVICE unsigned lane_index() { return threadIdx.x & 31u; }

CUGRB_DEVICE void sync_block() { __syncthreads(); }
CUGRB_DEVICE int sync_block_or(int predicate) { return __syncthreads_or(predicate); }
CUGRB_DEVICE int sync_block_count(int predicate) { return __syncthreads_count(predicate); }
CUGRB_DEVICE void sync_warp(unsigned mask) { __syncwarp(mask); }
CUGRB_DEVICE unsigned ballot(unsigned mask, int predicate) { return __ballot_sync(mask, predicate); }
CUGRB_DEVICE int any_lane(unsigned mask, int predicate) { return __any_sync(mask, predicate); }
CUGRB_DEVICE int all_lanes(unsigned mask, int predicate) { return __all_sync(mask, predicate); }
/// The union of all lanes' bits; every lane of the warp takes part.
CUGRB_DEVICE unsigned or_of_warp(unsigned bits) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(0xffffffffu, bits);
#else
  for (int lanes = 16; lanes > 0; lanes /= 2) bits |= __shfl_xor_sync(0xffffffffu, bits, lanes);
  return bits;
#endif
}
CUGRB_DEVICE int count_bits(unsigned bits) { return __popc(bits); }
/// Index of the lowest set bit, 0 to 31; `bits` is not 0.
CUGRB_DEVICE int lowest_bit(unsigned bits) { return __ffs(int(bits)) - 1; }
/// Index of the highest set bit; `bits` is not 0.
CUGRB_DEVICE int highest_bit(unsigned bits) {
  int place;  // one instruction, where 31 - __clz takes two
  asm("bfind.u32 %0, %1;" : "=r"(place) : "r"(bits));
  return place;
}
CUGRB_DEVICE void memory_fence() { __threadfence(); }
/// Before memory is asked again for what another block has not stored.
CUGRB_DEVICE void let_others_run() { __nanosleep(200); }
/// The same where the host reads, too.
CUGRB_DEVICE void memory_fence_of_host() { __threadfence_system(); }

/// Waits for all threads of the block's cluster (LaunchShape::cluster consecutive blocks), which see then
/// what was written to the shared memory of any of them.
CUGRB_DEVICE void sync_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#else
  __syncthreads();  // of one block
#endif
}
/// What stands at this address of the own dynamic shared memory in that of the cluster's block `rank`. That
/// block has to be there still: a cluster's blocks meet before they end.
template <class T>
CUGRB_DEVICE const T* shared_of_block(const T* address, unsigned rank) {
#if __CUDA_ARCH__ >= 900
  uint64_t there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
  return reinterpret_cast<const T*>(there);
#else
  return address;
#endif
}

/// For kernels that are launched with LaunchShape::overlaps (cuda/runtime/device.h), which may start while
/// the kernel before is still running: waits until everything queued earlier is done and can be seen, then
/// lets the next such kernel start. All threads call it before they touch anything that an earlier kernel may
/// write, and before they write anything. Before Hopper kernels start when they may run, and nothing waits.
CUGRB_DEVICE void wait_for_earlier_kernels() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

namespace detail {
/// Moves a value of any trivially copyable type through 32-bit shuffles.
template <class T, class Shuffle>
CUGRB_DEVICE T shuffle_words(const T& value, Shuffle shuffle) {
  constexpr int words = int((sizeof(T) + 3) / 4);
  unsigned buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) buffer[w] = shuffle(buffer[w]);
  T result;
  __builtin_memcpy(&result, buffer, sizeof(T));
  return result;
}
}  // namespace detail

/// Shuffles within groups of `width` lanes (a power of two up to 32), any trivially copyable T.
template <class T>
CUGRB_DEVICE T shuffle(unsigned mask, const T& value, int source_lane, int width = 32) {
  return detail::shuffle_words(value, [=](unsigned w) { return __shfl_sync(mask, w, source_lane, width); });
}
template <class T>
CUGRB_DEVICE T shuffle_down(unsigned mask, const T& value, unsigned delta, int width = 32) {
  return detail::shuffle_words(value, [=](unsigned w) { return __shfl_down_sync(mask, w, delta, width); });
}
template <class T>
CUGRB_DEVICE T shuffle_up(unsigned mask, const T& value, unsigned delta, int width = 32) {
  return detail::shuffle_words(value, [=](unsigned w) { return __shfl_up_sync(mask, w, delta, width); });
}
template <class T>
CUGRB_DEVICE T shuffle_xor(unsigned mask, const T& value, int lanes, int width = 32) {
  return detail::shuffle_words(value, [=](unsigned w) { return __shfl_xor_sync(mask, w, lanes, width); });
}

/// Loads and stores that may race on purpose (1, 2, 4 or 8 bytes; never torn, never ordered).
template <class T>
CUGRB_DEVICE T relaxed_load(const T* address) {
  return *reinterpret_cast<const volatile T*>(address);
}
template <class T>
CUGRB_DEVICE void relaxed_store(T* address, T value) {
  *reinterpret_cast<volatile T*>(address) = value;
}
namespace detail {
template <int bytes>
struct word_of;
template <>
struct word_of<1> {
  using type = uint8_t;
};
template <>
struct word_of<2> {
  using type = uint16_t;
};
template <>
struct word_of<4> {
  using type = uint32_t;
};
template <>
struct word_of<8> {
  using type = uint64_t;
};

/// Loads a T of 1, 2, 4 or 8 bytes as one word (so that bool and small structs work too); others plainly.
template <class T, class Load>
CUGRB_DEVICE T load_as_word(const T* address, Load load) {
  if constexpr (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) {
    using Word = typename word_of<int(sizeof(T))>::type;
    const Word word = load(reinterpret_cast<const Word*>(address));
    T value;
    __builtin_memcpy(&value, &word, sizeof(T));
    return value;
  } else {
    return *address;
  }
}
/// Loads consecutive values by words as wide as their bytes allow. The address is a multiple of `count`
/// values from an aligned array's start.
template <class T, int count, class Load>
CUGRB_DEVICE void load_together(const T* address, T (&values)[count], Load load) {
  constexpr int bytes = int(count * sizeof(T));
  if constexpr (bytes % 16 == 0) {
    uint4 words[bytes / 16];
#pragma unroll
    for (int w = 0; w < bytes / 16; ++w) words[w] = load(reinterpret_cast<const uint4*>(address) + w);
    __builtin_memcpy(values, words, bytes);
  } else if constexpr (bytes == 8 || bytes == 4) {
    using Word = typename word_of<bytes>::type;
    const Word word = load(reinterpret_cast<const Word*>(address));
    __builtin_memcpy(values, &word, bytes);
  } else {
#pragma unroll
    for (int j = 0; j < count; ++j) values[j] = load_as_word(address + j, load);
  }
}
}  // namespace detail

#if __CUDA_ARCH__ >= 900
constexpr bool copies_parts = true;  ///< copy_part() is there
namespace detail {
CUGRB_DEVICE unsigned shared_address(const void* address) {
  return unsigned(__cvta_generic_to_shared(address));
}
}  // namespace detail

/// Copies of parts of arrays to shared memory: one thread asks for one, which passes no register. They are
/// counted by `barrier`, a word in shared memory that one thread opens, for so many calls of expect_copies()
/// in a phase. All others pass a barrier of the block before they use it.
CUGRB_DEVICE void open_copies(uint64_t* barrier, unsigned calls) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address(barrier)), "r"(calls)
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// `to`, `from` and `bytes` are multiples of 16, and there are some bytes.
CUGRB_DEVICE void copy_part(void* to, const void* from, unsigned bytes, uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          detail::shared_address(to)),
      "l"(from), "r"(bytes), "r"(detail::shared_address(barrier))
      : "memory");
}
/// So many bytes are copied in this phase, beside what other calls say.
CUGRB_DEVICE void expect_copies(uint64_t* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(detail::shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
/// Until the copies of a phase, counted from 0, have arrived. Called by every thread that looks at them.
CUGRB_DEVICE void wait_for_copies(uint64_t* barrier, unsigned phase) {
  unsigned arrived;
  do {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(arrived)
        : "r"(detail::shared_address(barrier)), "r"(phase & 1)
        : "memory");
  } while (arrived == 0);
}
/// Copies that are asked for from now on come after what the block has done in shared memory before its last
/// barrier.
CUGRB_DEVICE void order_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#else
constexpr bool copies_parts = false;
CUGRB_DEVICE void open_copies(uint64_t* barrier, unsigned calls) {}
CUGRB_DEVICE void copy_part(void* to, const void* from, unsigned bytes, uint64_t* barrier) {}
CUGRB_DEVICE void expect_copies(uint64_t* barrier, unsigned bytes) {}
CUGRB_DEVICE void wait_for_copies(uint64_t* barrier, unsigned phase) {}
CUGRB_DEVICE void order_copies() {}
#endif

/// The address of something in the device's memory, as it is. Compilers add nothing else to it than what is
/// added to it here: an ordinal of 32 bits takes one instruction, where 64 bits take four.
template <class T>
CUGRB_DEVICE T* global_address(T* address) {
  asm("" : "+l"(address));
  __builtin_assume(__isGlobal(address));
  return address;
}

/// A load of memory that no thread writes during the kernel (goes through the read-only cache).
template <class T>
CUGRB_DEVICE T read_only(const T* address) {
  return detail::load_as_word(address, [](const auto* word) { return __ldg(word); });
}

namespace detail {
#if __CUDA_ARCH__ >= 800
CUGRB_DEVICE uint8_t load_once(const uint8_t* address, uint64_t policy) {
  uint32_t word;
  asm volatile("ld.global.cs.L2::cache_hint.u8 %0, [%1], %2;" : "=r"(word) : "l"(address), "l"(policy));
  return uint8_t(word);
}
#define CUGRB_LOAD_ONCE(Word, type, constraint)                       \
  CUGRB_DEVICE Word load_once(const Word* address, uint64_t policy) { \
    Word word;                                                        \
    asm volatile("ld.global.cs.L2::cache_hint." type " %0, [%1], %2;" \
                 : constraint(word)                                   \
                 : "l"(address), "l"(policy));                        \
    return word;                                                      \
  }
CUGRB_LOAD_ONCE(uint16_t, "u16", "=h")
CUGRB_LOAD_ONCE(uint32_t, "u32", "=r")
CUGRB_LOAD_ONCE(uint64_t, "u64", "=l")
#undef CUGRB_LOAD_ONCE
CUGRB_DEVICE uint4 load_once(const uint4* address, uint64_t policy) {
  uint4 word;
  asm volatile("ld.global.cs.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "l"(address), "l"(policy));
  return word;
}
#else
template <class Word>
CUGRB_DEVICE Word load_once(const Word* address, uint64_t) {
  return __ldcs(address);
}
#endif
}  // namespace detail

/// The same of memory that a kernel reads once: it does not push other data out of the caches. It leaves L2
/// before what is there, but for what the policy keeps: that the next kernel which reads it may find there
/// (docs/formats.md, "What L2 keeps").
template <class T>
CUGRB_DEVICE T read_streaming(const T* address, uint64_t policy = l2_evict_first) {
  return detail::load_as_word(address,
                              [policy](const auto* word) { return detail::load_once(word, policy); });
}

/// Four consecutive values that are read once. The address is a multiple of 4 values from an aligned array's
/// start.
template <class T>
CUGRB_DEVICE void read_streaming_four(const T* address, T (&values)[4], uint64_t policy = l2_evict_first) {
  detail::load_together(address, values,
                        [policy](const auto* word) { return detail::load_once(word, policy); });
}

/// `count` consecutive values, which may be in shared memory. The address is a multiple of `count` values
/// from an aligned array's start.
template <class T, int count>
CUGRB_DEVICE void read_together(const T* address, T (&values)[count]) {
  detail::load_together(address, values, [](const auto* word) { return *word; });
}

/// Stores them; the same of the address.
template <class T, int count>
CUGRB_DEVICE void write_together(T* address, const T (&values)[count]) {
  constexpr int bytes = int(count * sizeof(T));
  if constexpr (bytes % 16 == 0) {
    uint4 words[bytes / 16];
    __builtin_memcpy(words, values, bytes);
#pragma unroll
    for (int w = 0; w < bytes / 16; ++w) reinterpret_cast<uint4*>(address)[w] = words[w];
  } else if constexpr (bytes == 8 || bytes == 4) {
    using Word = typename detail::word_of<bytes>::type;
    Word word;
    __builtin_memcpy(&word, values, bytes);
    *reinterpret_cast<Word*>(address) = word;
  } else {
#pragma unroll
    for (int j = 0; j < count; ++j) address[j] = values[j];
  }
}

CUGRB_DEVICE uint64_t atomic_add(uint64_t* address, uint64_t value) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
}
CUGRB_DEVICE uint32_t atomic_add(uint32_t* address, uint32_t value) { return atomicAdd(address, value); }
/// Sets bits; returns what was there.
CUGRB_DEVICE uint32_t atomic_or(uint32_t* address, uint32_t bits) { return atomicOr(address, bits); }

/// Compare-and-swap of 4 or 8 bytes; returns what was there.
CUGRB_DEVICE uint32_t atomic_compare_and_swap(uint32_t* address, uint32_t expected, uint32_t desired) {
  return atomicCAS(address, expected, desired);
}
CUGRB_DEVICE uint64_t atomic_compare_and_swap(uint64_t* address, uint64_t expected, uint64_t desired) {
  return atomicCAS(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(expected),
                   static_cast<unsigned long long>(desired));
}

/// Native additions to shared memory keep subnormal numbers, also those of FP32.
CUGRB_DEVICE void atomic_add_shared(float* address, float value) {
  const unsigned place = unsigned(__cvta_generic_to_shared(address));
  asm volatile("red.shared.add.f32 [%0], %1;" ::"r"(place), "f"(value) : "memory");
}
CUGRB_DEVICE void atomic_add(double* address, double value) { atomicAdd(address, value); }
/// In global memory, where subnormal numbers, added or found or left, count as 0 (PTX, `red.add.f32`).
CUGRB_DEVICE void atomic_add_normal(float* address, float value) { atomicAdd(address, value); }

/// *address = combine(*address, value), atomically, for T of 1, 2, 4 or 8 bytes; `combine` must be pure.
/// One- and two-byte values are updated through the aligned 32-bit word that holds them. (Of other sizes no
/// address is computed: the compiler then still knows that it is one of shared memory.)
template <class T, class Combine>
CUGRB_DEVICE void atomic_update(T* address, T value, Combine combine) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "atomic_update: odd size");
  if constexpr (sizeof(T) >= 4) {
    using Word = typename detail::word_of<int(sizeof(T))>::type;
    auto* word = reinterpret_cast<Word*>(address);
    Word seen = relaxed_load(word);
    while (true) {
      T old;
      __builtin_memcpy(&old, &seen, sizeof(T));
      T next = combine(old, value);
      Word bits;
      __builtin_memcpy(&bits, &next, sizeof(T));
      if (bits == seen) return;
      Word found = atomic_compare_and_swap(word, seen, bits);
      if (found == seen) return;
      seen = found;
    }
  } else {
    const uint64_t place = reinterpret_cast<uint64_t>(address);
    auto* word = reinterpret_cast<uint32_t*>(place & ~uint64_t(3));
    const unsigned shift = unsigned(place & 3) * 8;
    const uint32_t field = (1u << (sizeof(T) * 8 % 32)) - 1u;
    uint32_t seen = relaxed_load(word);
    while (true) {
      const uint32_t old_bits = (seen >> shift) & field;
      T old;
      __builtin_memcpy(&old, &old_bits, sizeof(T));
      T next = combine(old, value);
      uint32_t next_bits = 0;
      __builtin_memcpy(&next_bits, &next, sizeof(T));
      if (next_bits == old_bits) return;
      const uint32_t desired = (seen & ~(field << shift)) | (next_bits << shift);
      const uint32_t found = atomic_compare_and_swap(word, seen, desired);
      if (found == seen) return;
      seen = found;
    }
  }
}

}  // namespace cugrb
