// A Bloom filter of the columns of a tile (B. Bloom, Space/Time Trade-offs in Hash Coding with Allowable
// Errors, CACM 1970).
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

/// A set of columns that says of most others that they are not in it: two bits of one word stand for each.
struct column_filter {
  static constexpr unsigned word_bits = 11, words = 1u << word_bits;
  uint32_t* bits;

  /// In shared memory, once a kernel.
  static CUGRB_DEVICE column_filter shared() {
    CUGRB_SHARED(uint32_t, shared_bits, words);
    return {shared_bits};
  }
  /// Called by all threads of a block, which pass a barrier before the first add().
  CUGRB_DEVICE void clear() const {
#pragma unroll
    for (unsigned w = thread_index(); w < words; w += MergeTile::threads) bits[w] = 0;
  }
  template <class Column>
  CUGRB_DEVICE void add(Column column) const {
    const uint32_t hash = hash_of(column);
    atomic_or(bits + word_of(hash), mask_of(hash));
  }
  template <class Column>
  CUGRB_DEVICE bool may_have(Column column) const {
    const uint32_t hash = hash_of(column), mask = mask_of(hash);
    return (bits[word_of(hash)] & mask) == mask;
  }

 private:
  /// The high bits of a product with 2^32 divided by the golden ratio.
  template <class Column>
  static CUGRB_DEVICE uint32_t hash_of(Column column) {
    return (uint32_t(column) ^ uint32_t(uint64_t(column) >> 32)) * 0x9e3779b1u;
  }
  static CUGRB_DEVICE unsigned word_of(uint32_t hash) { return hash >> (32 - word_bits); }
  static CUGRB_DEVICE uint32_t mask_of(uint32_t hash) {
    return 1u << (hash >> (27 - word_bits) & 31) | 1u << (hash >> (22 - word_bits) & 31);
  }
};

}  // namespace cugrb
