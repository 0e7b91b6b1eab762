// A 128-bit digest for cache keys and checksums. Not cryptographic: it guards against accidents, not against
// attacks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cugrb::jit {

/// Two multiply-fold chains over the same words with different constants. Fields are length-prefixed, so
/// add("ab"), add("c") differs from add("a"), add("bc").
class Digest {
 public:
  Digest& add(std::string_view text) {
    add_word(text.size());
    const char* p = text.data();
    size_t left = text.size();
    for (; left >= 8; left -= 8, p += 8) add_word(load(p, 8));
    if (left > 0) add_word(load(p, left));
    return *this;
  }
  Digest& add(uint64_t value) {
    add_word(value);
    return *this;
  }

  uint64_t low() const { return fold(low_ ^ 0x8ebc6af09c88c6e3u, 0x589965cc75374cc3u); }
  uint64_t high() const { return fold(high_ ^ 0x1d8e4e27c47d124fu, 0xeb44accab455d165u); }
  /// 32 hexadecimal digits.
  std::string text() const {
    static const char digits[] = "0123456789abcdef";
    std::string result(32, '0');
    const uint64_t words[2] = {high(), low()};
    for (int i = 0; i < 32; ++i) result[size_t(i)] = digits[(words[i / 16] >> (60 - 4 * (i % 16))) & 15];
    return result;
  }
  bool operator==(const Digest& other) const { return low_ == other.low_ && high_ == other.high_; }

 private:
  static uint64_t load(const char* p, size_t bytes) {
    uint64_t word = 0;
    std::memcpy(&word, p, bytes);
    return word;
  }
  static uint64_t fold(uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  void add_word(uint64_t word) {
    // The chain value is added again after the fold: a zero factor must not erase what came before.
    low_ = fold(low_ ^ word, 0x9e3779b97f4a7c15u) + (low_ << 1 | low_ >> 63);
    high_ = fold(high_ ^ (word << 32 | word >> 32), 0xd6e8feb86659fd93u) + (high_ << 3 | high_ >> 61);
  }

  uint64_t low_ = 0xa0761d6478bd642fu, high_ = 0xe7037ed1a0b428dbu;
};

}  // namespace cugrb::jit
