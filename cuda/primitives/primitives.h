// Device-wide primitives behind one small interface: CUB compiled ahead by nvcc (primitives_cuda.cu) or plain
// host loops for the emulated device (primitives_emulated.cpp). Pointers are device memory; calls are
// stream-ordered. Every function allocates its own workspace from the device's pool and throws
// runtime::OutOfMemory.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cuda/primitives/fingerprint.h"

namespace cugrb::primitives {

/// Width of an index or offset array, in bits.
enum class Width : uint8_t { bits32, bits64 };

/// out[i] = sum of in[0..i), for i in [0, n]: n + 1 results, the last one is the total. in and out may be the
/// same.
void exclusive_sum(Width width, const void* in, void* out, uint64_t n);

/// Positions i in [0, n) with flags[i] != 0, ascending, into `positions`; their number into *count (device
/// memory).
void positions_of_flags(Width width, const uint8_t* flags, uint64_t n, void* positions, uint64_t* count);

/// Elements in[i] of `element_bytes` (any size >= 1) with flags[i] != 0, in order; the number into *count
/// (device).
void select_flagged(size_t element_bytes, const void* in, const uint8_t* flags, uint64_t n, void* out,
                    uint64_t* count);

/// Number of non-zero bytes in flags[0..n) into *count (device memory).
void count_flags(const uint8_t* flags, uint64_t n, uint64_t* count);

/// Stable sort of n (key, payload) pairs by key, ascending; in and out do not overlap. Only the lowest
/// `key_bits` of a key are compared (0: all of them), and of these those from `first_bit` on: a caller that
/// knows a bound on the keys, or an order that they have, saves passes.
void sort_pairs(Width key_width, const void* keys_in, void* keys_out, Width payload_width,
                const void* payload_in, void* payload_out, uint64_t n, unsigned key_bits,
                unsigned first_bit = 0);
inline void sort_pairs(Width key_width, const void* keys_in, void* keys_out, const uint64_t* payload_in,
                       uint64_t* payload_out, uint64_t n, unsigned key_bits = 0) {
  sort_pairs(key_width, keys_in, keys_out, Width::bits64, payload_in, payload_out, n, key_bits);
}

/// offsets[i] = number of positions p in [0, m) with keys[p] >> shift < i, for i in [0, n]: offsets of sorted
/// keys (n + 1 results).
void offsets_of_sorted(Width key_width, const void* keys, uint64_t m, Width offset_width, void* offsets,
                       uint64_t n, unsigned shift = 0);

/// results[c] = fingerprint of chunk c of an array of `bytes` bytes, whose words are units of that width
/// (cuda/primitives/fingerprint.h). `key` and `results`, fingerprint_chunks(bytes, 4 or 8) of them, are
/// device memory like the array, which is aligned to 8 bytes.
void fingerprints(Width width, const FingerprintKey* key, const void* array, uint64_t bytes,
                  Fingerprint* results);

}  // namespace cugrb::primitives
