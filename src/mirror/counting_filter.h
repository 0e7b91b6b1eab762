// Sets of handles that are asked on the way of every forwarded call.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cugrb::mirror {

/// Counts handles by a hash of their value: no count, no such handle, for the price of two loads. While there
/// is no handle at all it is one, always of the same place.
class CountingFilter {
 public:
  [[gnu::always_inline]] bool may_have(const void* handle) const noexcept {
    return handles_.load(std::memory_order_acquire) != 0 && slot(handle).load(std::memory_order_acquire) != 0;
  }
  void add(const void* handle) {
    handles_.fetch_add(1, std::memory_order_acq_rel);
    slot(handle).fetch_add(1, std::memory_order_acq_rel);
  }
  void remove(const void* handle) {
    slot(handle).fetch_sub(1, std::memory_order_acq_rel);
    handles_.fetch_sub(1, std::memory_order_acq_rel);
  }

 private:
  static constexpr unsigned slot_bits = 15;
  std::atomic<uint32_t>& slot(const void* handle) const {
    return counts_[hash_of(handle) >> (64 - slot_bits)];
  }
  static uint64_t hash_of(const void* handle) {
    // Objects are at least 16 bytes apart: the low bits say nothing.
    return (reinterpret_cast<uintptr_t>(handle) >> 4) * 0x9E3779B97F4A7C15ull;
  }
  std::atomic<uint64_t> handles_{0};
  mutable std::array<std::atomic<uint32_t>, size_t(1) << slot_bits> counts_{};
};

}  // namespace cugrb::mirror
