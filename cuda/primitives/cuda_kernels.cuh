// The plain kernels among the GPU's primitives, and their launches.
#pragma once
#include <algorithm>

#include "cuda/primitives/primitives.h"

namespace cugrb::primitives::on_gpu {

constexpr unsigned threads_per_block = 256;
constexpr uint64_t most_blocks = 132 * 16;  // grid-stride loops: enough for any GPU to be full

inline unsigned blocks_for(uint64_t items) {
  return static_cast<unsigned>(
      std::clamp<uint64_t>((items + threads_per_block - 1) / threads_per_block, 1, most_blocks));
}

/// out[p] = in[positions[p]], p in [0, *count), elements of `words` Words.
template <class Word, class Position>
__global__ void gather_kernel(const Word* in, uint64_t words, const Position* positions,
                              const uint64_t* count, Word* out) {
  const uint64_t total = *count * words;
  for (uint64_t w = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; w < total;
       w += uint64_t(gridDim.x) * blockDim.x) {
    const uint64_t element = words == 1 ? w : w / words;
    out[w] = in[uint64_t(positions[element]) * words + (w - element * words)];
  }
}

template <class Word>
void gather_words(Width width, size_t element_bytes, const void* in, const void* positions,
                  const uint64_t* count, uint64_t n, void* out, cudaStream_t stream) {
  const uint64_t words = element_bytes / sizeof(Word);
  const unsigned blocks = blocks_for(n * words);
  const auto* from = static_cast<const Word*>(in);
  auto* to = static_cast<Word*>(out);
  if (width == Width::bits32) {
    gather_kernel<<<blocks, threads_per_block, 0, stream>>>(
        from, words, static_cast<const uint32_t*>(positions), count, to);
  } else {
    gather_kernel<<<blocks, threads_per_block, 0, stream>>>(
        from, words, static_cast<const uint64_t*>(positions), count, to);
  }
}

/// Moves elements in the widest words that their size and the arrays' alignment allow.
inline void gather_elements(Width width, size_t element_bytes, const void* in, const void* positions,
                            const uint64_t* count, uint64_t n, void* out, cudaStream_t stream) {
  const uint64_t granularity =
      element_bytes | reinterpret_cast<uint64_t>(in) | reinterpret_cast<uint64_t>(out);
  if (granularity % 8 == 0) {
    gather_words<uint64_t>(width, element_bytes, in, positions, count, n, out, stream);
  } else if (granularity % 4 == 0) {
    gather_words<uint32_t>(width, element_bytes, in, positions, count, n, out, stream);
  } else {
    gather_words<uint8_t>(width, element_bytes, in, positions, count, n, out, stream);
  }
}

/// *count += number of non-zero bytes; 16 bytes a load where `flags` is aligned for it.
static __global__ void count_kernel(const uint8_t* flags, uint64_t n, uint64_t* count) {
  const uint64_t thread = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const uint64_t threads = uint64_t(gridDim.x) * blockDim.x;
  const uint64_t vectors = reinterpret_cast<uint64_t>(flags) % 16 == 0 ? n / 16 : 0;
  unsigned long long found = 0;
  for (uint64_t v = thread; v < vectors; v += threads) {
    const uint4 word = reinterpret_cast<const uint4*>(flags)[v];
    // __vcmpne4 gives 0xff for each byte that differs: 8 bits a flag.
    found += (__popc(__vcmpne4(word.x, 0)) + __popc(__vcmpne4(word.y, 0)) + __popc(__vcmpne4(word.z, 0)) +
              __popc(__vcmpne4(word.w, 0))) /
             8;
  }
  for (uint64_t i = vectors * 16 + thread; i < n; i += threads) found += flags[i] != 0;
  for (int delta = 16; delta > 0; delta /= 2) found += __shfl_down_sync(0xffffffffu, found, delta);
  if (threadIdx.x % 32 == 0 && found != 0) atomicAdd(reinterpret_cast<unsigned long long*>(count), found);
}

inline void count_nonzero_bytes(const uint8_t* flags, uint64_t n, uint64_t* count, cudaStream_t stream) {
  count_kernel<<<blocks_for(n / 16 + 1), threads_per_block, 0, stream>>>(flags, n, count);
}

/// The offsets that are wanted: n + 1, of keys that are shifted by so many bits.
struct OffsetsWanted {
  uint64_t n;
  unsigned shift;
};

/// offsets[i] = first p in [0, m] with p == m or keys[p] >> shift >= i. Neighbouring threads search
/// neighbouring values, so that all but the last steps hit the cache.
template <class Key, class Offset>
__global__ void lower_bound_kernel(const Key* keys, uint64_t m, Offset* offsets, OffsetsWanted wanted) {
  for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i <= wanted.n;
       i += uint64_t(gridDim.x) * blockDim.x) {
    uint64_t low = 0, high = m;
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      if (uint64_t(keys[middle]) >> wanted.shift < i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    offsets[i] = Offset(low);
  }
}

/// The same without a search: key p is the first that is not below i for each i behind the key before it. A
/// thread a key, and one for what is behind the last; a warp for each gap that is too long for a thread.
template <class Key, class Offset>
__global__ void boundaries_kernel(const Key* keys, uint64_t m, Offset* offsets, OffsetsWanted wanted) {
  constexpr uint64_t short_gap = 8;
  const uint64_t p = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  uint64_t low = 1, high = 0;  // [low, high] is what begins here: nothing
  if (p <= m) {
    low = p == 0 ? 0 : (uint64_t(keys[p - 1]) >> wanted.shift) + 1;
    const uint64_t key = p == m ? wanted.n : uint64_t(keys[p]) >> wanted.shift;
    high = key < wanted.n ? key : wanted.n;
  }
  const bool is_long = low + short_gap <= high;
  if (!is_long) {
    for (uint64_t i = low; i <= high; ++i) offsets[i] = Offset(p);
  }
  for (unsigned rest = __ballot_sync(~0u, is_long); rest != 0; rest &= rest - 1) {
    const int lane = __ffs(int(rest)) - 1;
    const uint64_t last = __shfl_sync(~0u, high, lane), position = __shfl_sync(~0u, p, lane);
    for (uint64_t i = __shfl_sync(~0u, low, lane) + threadIdx.x % 32; i <= last; i += 32)
      offsets[i] = Offset(position);
  }
}

template <class Key, class Offset>
void lower_bounds_of(const Key* keys, uint64_t m, Offset* offsets, OffsetsWanted wanted,
                     cudaStream_t stream) {
  // A search takes some 27 loads, most of them from caches; the other way reads all keys.
  constexpr uint64_t keys_worth_a_search = 32;
  if (wanted.n > m || m / keys_worth_a_search > wanted.n || m >> 38 != 0) {
    lower_bound_kernel<<<blocks_for(wanted.n + 1), threads_per_block, 0, stream>>>(keys, m, offsets, wanted);
  } else {
    const auto blocks = static_cast<unsigned>(m / threads_per_block + 1);
    boundaries_kernel<<<blocks, threads_per_block, 0, stream>>>(keys, m, offsets, wanted);
  }
}

template <class Key>
void lower_bounds_of(const Key* keys, uint64_t m, Width offset_width, void* offsets, OffsetsWanted wanted,
                     cudaStream_t stream) {
  if (offset_width == Width::bits32) {
    lower_bounds_of(keys, m, static_cast<uint32_t*>(offsets), wanted, stream);
  } else {
    lower_bounds_of(keys, m, static_cast<uint64_t*>(offsets), wanted, stream);
  }
}

inline void lower_bounds(Width key_width, const void* keys, uint64_t m, Width offset_width, void* offsets,
                         OffsetsWanted wanted, cudaStream_t stream) {
  if (key_width == Width::bits32) {
    lower_bounds_of(static_cast<const uint32_t*>(keys), m, offset_width, offsets, wanted, stream);
  } else {
    lower_bounds_of(static_cast<const uint64_t*>(keys), m, offset_width, offsets, wanted, stream);
  }
}

/// The sums of all lanes, in lane 0.
__device__ inline FingerprintSums sums_of_warp(FingerprintSums sums) {
  const auto from_lane = [](unsigned __int128 value, unsigned distance) {
    const uint64_t low = __shfl_down_sync(~0u, static_cast<uint64_t>(value), distance);
    const uint64_t high = __shfl_down_sync(~0u, static_cast<uint64_t>(value >> 64), distance);
    return (static_cast<unsigned __int128>(high) << 64) | low;
  };
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const unsigned __int128 first = from_lane(sums.first, distance);
    const unsigned __int128 second = from_lane(sums.second, distance);
    sums.first += first;
    sums.second += second;
  }
  return sums;
}

/// A block takes a chunk, a warp every eighth of its blocks of words.
template <class Unit>
__global__ void fingerprint_kernel(const FingerprintKey* key, const void* array, uint64_t bytes,
                                   Fingerprint* results) {
  constexpr unsigned warps = threads_per_block / 32;
  __shared__ uint64_t of_words[FingerprintKey::block_words + 2];
  __shared__ Fingerprint of_warps[warps];
  for (unsigned i = threadIdx.x; i < FingerprintKey::block_words + 2; i += threads_per_block)
    of_words[i] = key->of_words[i];
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  FingerprintSums sums;
  for (unsigned block = warp; block < FingerprintKey::chunk_blocks; block += warps) {
    const uint64_t begin = blockIdx.x * chunk_words + uint64_t(block) * FingerprintKey::block_words;
    FingerprintSums digest;
#pragma unroll
    for (unsigned i = 2 * lane; i < FingerprintKey::block_words; i += 64) {
      digest.add(word_of<Unit>(array, bytes, begin + i), word_of<Unit>(array, bytes, begin + i + 1),
                 of_words + i);
    }
    digest = sums_of_warp(digest);
    if (lane == 0) sums.add_digest(digest, *key, block);
  }
  if (lane == 0) of_warps[warp] = sums.result();
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned other = 1; other < warps; ++other) {
    const auto whole = [&](unsigned half) {
      const uint64_t* const words = of_warps[other].words + 2 * half;
      return (static_cast<unsigned __int128>(words[1]) << 64) | words[0];
    };
    sums.first += whole(0);
    sums.second += whole(1);
  }
  results[blockIdx.x] = sums.result();
}

inline void fingerprint_chunks_of(Width width, const FingerprintKey* key, const void* array, uint64_t bytes,
                                  Fingerprint* results, cudaStream_t stream) {
  if (width == Width::bits32) {
    const auto chunks = static_cast<unsigned>(fingerprint_chunks(bytes, 4));
    fingerprint_kernel<uint32_t><<<chunks, threads_per_block, 0, stream>>>(key, array, bytes, results);
  } else {
    const auto chunks = static_cast<unsigned>(fingerprint_chunks(bytes, 8));
    fingerprint_kernel<uint64_t><<<chunks, threads_per_block, 0, stream>>>(key, array, bytes, results);
  }
}

}  // namespace cugrb::primitives::on_gpu
