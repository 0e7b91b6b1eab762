// The emulated device's primitives: its memory is the host's, so plain loops do.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "cuda/primitives/implementations.h"

namespace cugrb::primitives::on_host {
namespace {

template <class T>
void exclusive_sum_of(const T* in, T* out, uint64_t n) {
  T sum = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const T next = in[i];  // read before the write: in and out may be the same
    out[i] = sum;
    sum = static_cast<T>(sum + next);
  }
  out[n] = sum;
}

template <class T>
uint64_t positions_in(const uint8_t* flags, uint64_t n, T* positions) {
  uint64_t found = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (flags[i] != 0) positions[found++] = static_cast<T>(i);
  }
  return found;
}

template <class Key, class Payload>
void sort_pairs_of(const Key* keys_in, Key* keys_out, const Payload* payload_in, Payload* payload_out,
                   uint64_t n, unsigned key_bits, unsigned first_bit) {
  const Key mask = key_bits == 0 || key_bits >= 8 * sizeof(Key) ? ~Key(0) : (Key(1) << key_bits) - 1;
  const auto compared = [=](Key key) { return Key((key & mask) >> first_bit); };
  std::vector<uint64_t> order(n);
  std::iota(order.begin(), order.end(), uint64_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](uint64_t a, uint64_t b) { return compared(keys_in[a]) < compared(keys_in[b]); });
  for (uint64_t i = 0; i < n; ++i) {
    keys_out[i] = keys_in[order[i]];
    payload_out[i] = payload_in[order[i]];
  }
}

template <class Key, class Offset>
void offsets_of(const Key* keys, uint64_t m, Offset* offsets, uint64_t n, unsigned shift) {
  uint64_t p = 0;
  for (uint64_t i = 0; i <= n; ++i) {
    while (p < m && (keys[p] >> shift) < i) ++p;
    offsets[i] = static_cast<Offset>(p);
  }
}

template <class Key>
void offsets_of(const Key* keys, uint64_t m, Width offset_width, void* offsets, uint64_t n, unsigned shift) {
  if (offset_width == Width::bits32) {
    offsets_of(keys, m, static_cast<uint32_t*>(offsets), n, shift);
  } else {
    offsets_of(keys, m, static_cast<uint64_t*>(offsets), n, shift);
  }
}

}  // namespace

void exclusive_sum(Width width, const void* in, void* out, uint64_t n) {
  if (width == Width::bits32) {
    exclusive_sum_of(static_cast<const uint32_t*>(in), static_cast<uint32_t*>(out), n);
  } else {
    exclusive_sum_of(static_cast<const uint64_t*>(in), static_cast<uint64_t*>(out), n);
  }
}

void positions_of_flags(Width width, const uint8_t* flags, uint64_t n, void* positions, uint64_t* count) {
  *count = width == Width::bits32 ? positions_in(flags, n, static_cast<uint32_t*>(positions))
                                  : positions_in(flags, n, static_cast<uint64_t*>(positions));
}

void select_flagged(size_t element_bytes, const void* in, const uint8_t* flags, uint64_t n, void* out,
                    uint64_t* count) {
  const auto* from = static_cast<const unsigned char*>(in);
  auto* to = static_cast<unsigned char*>(out);
  uint64_t found = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (flags[i] != 0) std::memcpy(to + element_bytes * found++, from + element_bytes * i, element_bytes);
  }
  *count = found;
}

void count_flags(const uint8_t* flags, uint64_t n, uint64_t* count) {
  *count = n - static_cast<uint64_t>(std::count(flags, flags + n, uint8_t(0)));
}

void sort_pairs(Width key_width, const void* keys_in, void* keys_out, Width payload_width,
                const void* payload_in, void* payload_out, uint64_t n, unsigned key_bits,
                unsigned first_bit) {
  sort_by_widths(key_width, keys_in, keys_out, payload_width, payload_in, payload_out,
                 [&](auto... arrays) { sort_pairs_of(arrays..., n, key_bits, first_bit); });
}

void offsets_of_sorted(Width key_width, const void* keys, uint64_t m, Width offset_width, void* offsets,
                       uint64_t n, unsigned shift) {
  if (key_width == Width::bits32) {
    offsets_of(static_cast<const uint32_t*>(keys), m, offset_width, offsets, n, shift);
  } else {
    offsets_of(static_cast<const uint64_t*>(keys), m, offset_width, offsets, n, shift);
  }
}

namespace {

template <class Unit>
void fingerprints_of(const FingerprintKey& key, const void* array, uint64_t bytes, Fingerprint* results) {
  const uint64_t chunks = fingerprint_chunks(bytes, sizeof(Unit));
  for (uint64_t c = 0; c < chunks; ++c) results[c] = fingerprint_of_chunk<Unit>(key, array, bytes, c);
}

}  // namespace

void fingerprints(Width width, const FingerprintKey* key, const void* array, uint64_t bytes,
                  Fingerprint* results) {
  if (width == Width::bits32) {
    fingerprints_of<uint32_t>(*key, array, bytes, results);
  } else {
    fingerprints_of<uint64_t>(*key, array, bytes, results);
  }
}

}  // namespace cugrb::primitives::on_host
