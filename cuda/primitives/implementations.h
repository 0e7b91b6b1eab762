// The two implementations behind primitives.h, same contracts. primitives.cpp picks by the device's kind.
#pragma once
#include "cuda/primitives/primitives.h"

#define CUGRB_DECLARE_PRIMITIVES                                                                            \
  void exclusive_sum(Width width, const void* in, void* out, uint64_t n);                                   \
  void positions_of_flags(Width width, const uint8_t* flags, uint64_t n, void* positions, uint64_t* count); \
  void select_flagged(size_t element_bytes, const void* in, const uint8_t* flags, uint64_t n, void* out,    \
                      uint64_t* count);                                                                     \
  void count_flags(const uint8_t* flags, uint64_t n, uint64_t* count);                                      \
  void sort_pairs(Width key_width, const void* keys_in, void* keys_out, Width payload_width,                \
                  const void* payload_in, void* payload_out, uint64_t n, unsigned key_bits,                 \
                  unsigned first_bit);                                                                      \
  void offsets_of_sorted(Width key_width, const void* keys, uint64_t m, Width offset_width, void* offsets,  \
                         uint64_t n, unsigned shift);                                                       \
  void fingerprints(Width width, const FingerprintKey* key, const void* array, uint64_t bytes,              \
                    Fingerprint* results)

namespace cugrb::primitives {

/// sort(keys, sorted keys, payload, sorted payload): the arrays as those of the types that have these widths.
template <class Sort>
void sort_by_widths(Width key_width, const void* keys, void* sorted_keys, Width payload_width,
                    const void* payload, void* sorted_payload, const Sort& sort) {
  const auto with_types = [&](auto key, auto moved) {
    using Key = decltype(key);
    using Payload = decltype(moved);
    sort(static_cast<const Key*>(keys), static_cast<Key*>(sorted_keys), static_cast<const Payload*>(payload),
         static_cast<Payload*>(sorted_payload));
  };
  const auto with_key = [&](auto key) {
    payload_width == Width::bits32 ? with_types(key, uint32_t()) : with_types(key, uint64_t());
  };
  key_width == Width::bits32 ? with_key(uint32_t()) : with_key(uint64_t());
}

namespace on_host {
CUGRB_DECLARE_PRIMITIVES;
}
namespace on_gpu {  // CUDA builds only
CUGRB_DECLARE_PRIMITIVES;
}
}  // namespace cugrb::primitives
