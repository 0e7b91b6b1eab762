// Fingerprints of arrays: whether an array on the host and one on the device hold the same, without either
// moving. The same code runs on both.
//
// An array is a sequence of words of 64 bits; integers of 32 bits become words of 64, so that the widths of
// the two arrays may differ. It is cut into chunks of chunk_blocks blocks of block_words words; the last one
// is filled up with zeros. Two universal hashes are stacked (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC,
// CRYPTO 1999, section 5):
//
//   digest of a block    NH_k(m) = sum_i (m_2i + k_2i mod 2^64) (m_2i+1 + k_2i+1 mod 2^64) mod 2^128, twice,
//                        the second time with the key shifted by two words (Toeplitz)
//   fingerprint          the same sum over the words of the chunk's digests, twice, with keys of their own
//
// For a key of random words, chunks that differ have one digest with probability 2^-128 at most, and then one
// fingerprint with 2^-128 at most: 2^-127 together. The sums are taken in any order, by any number of
// threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define CUGRB_ON_BOTH_SIDES __host__ __device__
#else
#define CUGRB_ON_BOTH_SIDES
#endif

namespace cugrb::primitives {

struct FingerprintKey {
  static constexpr unsigned block_words = 512, chunk_blocks = 64, digest_words = 4;
  uint64_t of_words[block_words + 2];
  uint64_t of_digests[2][chunk_blocks * digest_words];
};

/// Words of a chunk: 256 KB of 64-bit integers, half as many of 32-bit ones.
constexpr uint64_t chunk_words = uint64_t(FingerprintKey::block_words) * FingerprintKey::chunk_blocks;

struct Fingerprint {
  uint64_t words[4];
  friend bool operator==(const Fingerprint& a, const Fingerprint& b) {
    return a.words[0] == b.words[0] && a.words[1] == b.words[1] && a.words[2] == b.words[2] &&
           a.words[3] == b.words[3];
  }
};

/// Two sums of products, which may be added to those of other words.
struct FingerprintSums {
  unsigned __int128 first = 0, second = 0;

  /// Words 2i and 2i + 1 under the key from its word 2i on, and from word 2i + 2 on.
  CUGRB_ON_BOTH_SIDES void add(uint64_t even, uint64_t odd, const uint64_t* key) {
    first += static_cast<unsigned __int128>(even + key[0]) * (odd + key[1]);
    second += static_cast<unsigned __int128>(even + key[2]) * (odd + key[3]);
  }
  /// The digest of a chunk's block number `block`.
  CUGRB_ON_BOTH_SIDES void add_digest(const FingerprintSums& digest, const FingerprintKey& key,
                                      unsigned block) {
    const auto low = [](unsigned __int128 sum) { return static_cast<uint64_t>(sum); };
    const auto high = [](unsigned __int128 sum) { return static_cast<uint64_t>(sum >> 64); };
    const auto products = [&](const uint64_t* k) {
      return static_cast<unsigned __int128>(low(digest.first) + k[0]) * (high(digest.first) + k[1]) +
             static_cast<unsigned __int128>(low(digest.second) + k[2]) * (high(digest.second) + k[3]);
    };
    first += products(key.of_digests[0] + block * FingerprintKey::digest_words);
    second += products(key.of_digests[1] + block * FingerprintKey::digest_words);
  }
  CUGRB_ON_BOTH_SIDES Fingerprint result() const {
    return {{static_cast<uint64_t>(first), static_cast<uint64_t>(first >> 64), static_cast<uint64_t>(second),
             static_cast<uint64_t>(second >> 64)}};
  }
};

/// Word `word` of an array of `bytes` bytes that is made of Units (uint32_t or uint64_t; the last uint64_t
/// may be incomplete): 0 beyond its end.
template <class Unit>
CUGRB_ON_BOTH_SIDES uint64_t word_of(const void* array, uint64_t bytes, uint64_t word) {
  const uint64_t begin = word * sizeof(Unit);
  if (begin >= bytes) return 0;
  const char* const from = static_cast<const char*>(array) + begin;
  Unit unit = 0;
  if (bytes - begin >= sizeof(Unit)) {
    std::memcpy(&unit, from, sizeof(Unit));
  } else {
    std::memcpy(&unit, from, bytes - begin);
  }
  return unit;
}

/// Chunks of an array of so many bytes, in units of unit_bytes (4 or 8); none where there is no byte.
inline uint64_t fingerprint_chunks(uint64_t bytes, uint64_t unit_bytes) {
  const uint64_t words = (bytes + unit_bytes - 1) / unit_bytes;
  return (words + chunk_words - 1) / chunk_words;
}

/// On the host: the fingerprint of a chunk. O(chunk_words).
template <class Unit>
Fingerprint fingerprint_of_chunk(const FingerprintKey& key, const void* array, uint64_t bytes,
                                 uint64_t chunk) {
  FingerprintSums sums;
  for (unsigned block = 0; block < FingerprintKey::chunk_blocks; ++block) {
    const uint64_t begin = chunk * chunk_words + uint64_t(block) * FingerprintKey::block_words;
    const bool whole = (begin + FingerprintKey::block_words) * sizeof(Unit) <= bytes;
    FingerprintSums digest;
    if (whole) {
      const Unit* const units = static_cast<const Unit*>(array) + begin;
      for (unsigned i = 0; i < FingerprintKey::block_words; i += 2)
        digest.add(units[i], units[i + 1], key.of_words + i);
    } else {
      for (unsigned i = 0; i < FingerprintKey::block_words; i += 2)
        digest.add(word_of<Unit>(array, bytes, begin + i), word_of<Unit>(array, bytes, begin + i + 1),
                   key.of_words + i);
    }
    sums.add_digest(digest, key, block);
  }
  return sums.result();
}

}  // namespace cugrb::primitives
