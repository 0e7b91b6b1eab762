// The device-wide primitives against obvious loops over the same data, on whichever device CUGRB_DEVICE
// names.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "cuda/primitives/primitives.h"
#include "cuda/runtime/buffer.h"
#include "cuda/runtime/injection.h"
#include "tests/catch.h"

using namespace cugrb;
using namespace cugrb::primitives;
using runtime::Buffer;

namespace {

const uint64_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 257, 1000, 4097, 100003};

template <class T>
Buffer upload(const std::vector<T>& host) {
  return Buffer::from_host(host.data(), host.size() * sizeof(T));
}

template <class T>
constexpr Width width_of() {
  return sizeof(T) == 4 ? Width::bits32 : Width::bits64;
}

template <class T>
std::vector<T> random_values(uint64_t n, T bound, unsigned seed) {
  std::mt19937_64 generator(seed + n);
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(generator() % bound);
  return values;
}

/// Flags with any non-zero byte meaning true; `of` in 256 of them are set.
std::vector<uint8_t> random_flags(uint64_t n, unsigned of, unsigned seed) {
  std::mt19937 generator(seed + unsigned(n));
  std::vector<uint8_t> flags(n, 0);
  for (uint8_t& flag : flags) {
    if (generator() % 256 < of) flag = static_cast<uint8_t>(1 + generator() % 255);
  }
  return flags;
}

}  // namespace

TEMPLATE_TEST_CASE("exclusive_sum gives every partial sum and the total, in place too", "", uint32_t,
                   uint64_t) {
  for (const uint64_t n : sizes) {
    const auto in = random_values<TestType>(n, 1000, 1);
    std::vector<TestType> expected(n + 1, 0);
    for (uint64_t i = 0; i < n; ++i) expected[i + 1] = expected[i] + in[i];
    const Buffer from = upload(in), to(sizeof(TestType) * (n + 1));
    exclusive_sum(width_of<TestType>(), from.data(), to.data(), n);
    INFO(n);
    CHECK(to.to_host<TestType>(n + 1) == expected);
    if (n > 0) CHECK(from.to_host<TestType>(n) == in);

    Buffer same(sizeof(TestType) * (n + 1));
    if (n > 0) runtime::device().copy_on_device(same.data(), from.data(), n * sizeof(TestType));
    exclusive_sum(width_of<TestType>(), same.data(), same.data(), n);
    CHECK(same.to_host<TestType>(n + 1) == expected);
  }
}

TEMPLATE_TEST_CASE("positions_of_flags lists the non-zero bytes in order", "", uint32_t, uint64_t) {
  for (const uint64_t n : sizes) {
    for (const unsigned density : {0u, 3u, 128u, 256u}) {
      const auto flags = random_flags(n, density, 2);
      std::vector<TestType> expected;
      for (uint64_t i = 0; i < n; ++i) {
        if (flags[i] != 0) expected.push_back(static_cast<TestType>(i));
      }
      const Buffer from = upload(flags), to(sizeof(TestType) * n), count = Buffer(8);
      positions_of_flags(width_of<TestType>(), from.as<uint8_t>(), n, to.data(), count.as<uint64_t>());
      INFO(n << " flags, density " << density);
      REQUIRE(count.read<uint64_t>() == expected.size());
      CHECK(to.to_host<TestType>(expected.size()) == expected);
      const Buffer again(8);
      count_flags(from.as<uint8_t>(), n, again.as<uint64_t>());
      CHECK(again.read<uint64_t>() == expected.size());
    }
  }
}

TEST_CASE("count_flags counts at unaligned addresses") {
  const auto flags = random_flags(5000, 100, 8);
  const Buffer from = upload(flags), count(8);
  for (const size_t shift : {0u, 1u, 15u, 16u, 17u}) {
    count_flags(from.as<uint8_t>() + shift, 5000 - shift, count.as<uint64_t>());
    const auto expected =
        std::count_if(flags.begin() + long(shift), flags.end(), [](uint8_t f) { return f != 0; });
    CHECK(count.read<uint64_t>() == uint64_t(expected));
  }
}

TEST_CASE("select_flagged keeps flagged elements of any size, in order") {
  for (const size_t element : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 100u}) {
    for (const uint64_t n : {uint64_t(0), uint64_t(1), uint64_t(33), uint64_t(5000)}) {
      const auto flags = random_flags(n, 90, 4);
      const auto in = random_values<uint8_t>(n * element, 251, 5);
      std::vector<uint8_t> expected;
      for (uint64_t i = 0; i < n; ++i) {
        if (flags[i] != 0) expected.insert(expected.end(), &in[i * element], &in[i * element] + element);
      }
      const Buffer values = upload(in), marks = upload(flags), to(n * element), count(8);
      select_flagged(element, values.data(), marks.as<uint8_t>(), n, to.data(), count.as<uint64_t>());
      INFO(n << " elements of " << element << " bytes");
      REQUIRE(count.read<uint64_t>() * element == expected.size());
      CHECK(to.to_host<uint8_t>(expected.size()) == expected);
    }
  }
}

TEMPLATE_TEST_CASE("sort_pairs sorts by key and keeps the order of equal keys", "", uint32_t, uint64_t) {
  for (const uint64_t n : sizes) {
    for (const TestType bound : {TestType(1), TestType(17), TestType(~TestType(0))}) {
      const auto keys = random_values<TestType>(n, bound, 6);
      std::vector<uint64_t> payload(n);
      for (uint64_t i = 0; i < n; ++i) payload[i] = i;
      std::vector<uint64_t> order = payload;
      std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return keys[a] < keys[b]; });
      const Buffer keys_in = upload(keys), payload_in = upload(payload), keys_out(sizeof(TestType) * n),
                   payload_out(8 * n);
      const unsigned key_bits = bound <= 32 ? 5 : 0;
      sort_pairs(width_of<TestType>(), keys_in.data(), keys_out.data(), payload_in.as<uint64_t>(),
                 payload_out.as<uint64_t>(), n, key_bits);
      INFO(n << " keys below " << bound);
      CHECK(payload_out.to_host<uint64_t>(n) == order);
      const auto sorted = keys_out.to_host<TestType>(n);
      bool right = true;
      for (uint64_t i = 0; i < n; ++i) right = right && sorted[i] == keys[order[i]];
      CHECK(right);
    }
  }
}

TEST_CASE("sort_pairs compares only the bits that it is told to") {
  const std::vector<uint32_t> keys = {0x105, 0x203, 0x304, 0x003};
  const std::vector<uint64_t> payload = {0, 1, 2, 3};
  const Buffer keys_in = upload(keys), payload_in = upload(payload), keys_out(16), payload_out(32);
  sort_pairs(Width::bits32, keys_in.data(), keys_out.data(), payload_in.as<uint64_t>(),
             payload_out.as<uint64_t>(), 4, 8);
  CHECK(payload_out.to_host<uint64_t>(4) == std::vector<uint64_t>{1, 3, 2, 0});
  CHECK(keys_out.to_host<uint32_t>(4) == std::vector<uint32_t>{0x203, 0x003, 0x304, 0x105});
}

TEST_CASE("sort_pairs takes payloads of 32 bits, and leaves the lowest bits out that it is told to") {
  const std::vector<uint64_t> keys = {0x205, 0x103, 0x204, 0x003, 0x1009};
  const std::vector<uint32_t> payload = {0, 1, 2, 3, 4};
  const Buffer keys_in = upload(keys), payload_in = upload(payload), keys_out(40), payload_out(20);
  sort_pairs(Width::bits64, keys_in.data(), keys_out.data(), Width::bits32, payload_in.data(),
             payload_out.data(), 5, /*key_bits=*/12, /*first_bit=*/8);
  CHECK(payload_out.to_host<uint32_t>(5) == std::vector<uint32_t>{3, 4, 1, 0, 2});
  CHECK(keys_out.to_host<uint64_t>(5) == std::vector<uint64_t>{0x003, 0x1009, 0x103, 0x205, 0x204});
  const Buffer narrow = upload(std::vector<uint32_t>{9, 3, 7}), narrow_out(12);
  sort_pairs(Width::bits32, narrow.data(), narrow_out.data(), Width::bits32, payload_in.data(),
             payload_out.data(), 3, 0);
  CHECK(payload_out.to_host<uint32_t>(3) == std::vector<uint32_t>{1, 2, 0});
}

TEMPLATE_TEST_CASE("offsets_of_sorted looks at keys behind a shift, in rows of every length", "", uint32_t,
                   uint64_t) {
  for (const uint64_t each : {1, 3, 20, 400}) {         // keys a row, of those with any
    for (const uint64_t apart : {1, 2, 7, 9, 40000}) {  // of their rows
      const uint64_t m = 500;
      std::vector<TestType> keys(m);
      for (uint64_t p = 0; p < m; ++p)
        keys[p] = TestType((p / each * apart) << 4 | random_values<TestType>(1, 15, unsigned(p))[0]);
      const uint64_t n = m / each * apart + 3;
      if (n >> 28 != 0) continue;
      std::vector<uint32_t> expected(n + 1);
      for (uint64_t i = 0, p = 0; i <= n; expected[i++] = uint32_t(p)) {
        while (p < m && uint64_t(keys[p] >> 4) < i) ++p;
      }
      const Buffer sorted = upload(keys), offsets(4 * (n + 1));
      offsets_of_sorted(width_of<TestType>(), sorted.data(), m, Width::bits32, offsets.data(), n, 4);
      INFO(each << " keys a row, rows " << apart << " apart");
      CHECK(offsets.to_host<uint32_t>(n + 1) == expected);
    }
  }
}

TEMPLATE_TEST_CASE("offsets_of_sorted counts the keys below each row", "", uint32_t, uint64_t) {
  for (const uint64_t m : sizes) {
    for (const uint64_t n : {uint64_t(0), uint64_t(1), uint64_t(7), uint64_t(1000), uint64_t(300000)}) {
      auto keys = random_values<TestType>(m, static_cast<TestType>(n == 0 ? 1 : n), 9);
      std::sort(keys.begin(), keys.end());
      std::vector<uint64_t> expected(n + 1);
      for (uint64_t i = 0; i <= n; ++i) {
        expected[i] = uint64_t(std::lower_bound(keys.begin(), keys.end(), i) - keys.begin());
      }
      const Buffer sorted = upload(keys), wide(8 * (n + 1)), narrow(4 * (n + 1));
      offsets_of_sorted(width_of<TestType>(), sorted.data(), m, Width::bits64, wide.data(), n);
      offsets_of_sorted(width_of<TestType>(), sorted.data(), m, Width::bits32, narrow.data(), n);
      INFO(m << " keys, " << n << " rows");
      CHECK(wide.to_host<uint64_t>(n + 1) == expected);
      const auto found = narrow.to_host<uint32_t>(n + 1);
      CHECK(std::equal(found.begin(), found.end(), expected.begin()));
    }
  }
}

TEST_CASE("a primitive is a launch that can be made to fail, and the next one works") {
  const Buffer flags = Buffer::zeroed(10), count(8);
  runtime::injection::reset("launch:1");
  CHECK_THROWS_AS(count_flags(flags.as<uint8_t>(), 10, count.as<uint64_t>()), runtime::DeviceFailure);
  CHECK_NOTHROW(count_flags(flags.as<uint8_t>(), 10, count.as<uint64_t>()));
  runtime::injection::reset("");
  CHECK(count.read<uint64_t>() == 0);
}

namespace {

FingerprintKey key_of(unsigned seed) {
  std::mt19937_64 generator(seed);
  FingerprintKey key;
  for (uint64_t& word : key.of_words) word = generator();
  for (auto& words : key.of_digests) {
    for (uint64_t& word : words) word = generator();
  }
  return key;
}

template <class T>
std::vector<Fingerprint> fingerprints_of(const FingerprintKey& key, const std::vector<T>& host,
                                         size_t bytes) {
  const size_t unit = sizeof(T) == 4 ? 4 : 8;
  const Buffer array = Buffer::from_host(host.data(), bytes);
  const Buffer on_device = Buffer::from_host(&key, sizeof(key));
  const Buffer results(fingerprint_chunks(bytes, unit) * sizeof(Fingerprint));
  fingerprints(unit == 4 ? Width::bits32 : Width::bits64, on_device.as<FingerprintKey>(), array.data(), bytes,
               results.as<Fingerprint>());
  return results.to_host<Fingerprint>(fingerprint_chunks(bytes, unit));
}

/// By the definition, with numbers of 128 bits.
Fingerprint slow_fingerprint(const FingerprintKey& key, std::vector<uint64_t> words) {
  using Wide = unsigned __int128;
  words.resize(chunk_words, 0);
  Wide sums[2] = {0, 0};
  for (uint64_t block = 0; block < FingerprintKey::chunk_blocks; ++block) {
    std::vector<uint64_t> digest;
    for (unsigned pass = 0; pass < 2; ++pass) {
      Wide sum = 0;
      for (uint64_t i = 0; i < FingerprintKey::block_words; i += 2) {
        const uint64_t* const pair = &words[block * FingerprintKey::block_words + i];
        const uint64_t* const k = key.of_words + i + 2 * pass;
        sum += Wide(uint64_t(pair[0] + k[0])) * uint64_t(pair[1] + k[1]);
      }
      digest.push_back(uint64_t(sum));
      digest.push_back(uint64_t(sum >> 64));
    }
    for (unsigned pass = 0; pass < 2; ++pass) {
      const uint64_t* const k = key.of_digests[pass] + 4 * block;
      for (unsigned i = 0; i < 4; i += 2)
        sums[pass] += Wide(uint64_t(digest[i] + k[i])) * uint64_t(digest[i + 1] + k[i + 1]);
    }
  }
  return {{uint64_t(sums[0]), uint64_t(sums[0] >> 64), uint64_t(sums[1]), uint64_t(sums[1] >> 64)}};
}

}  // namespace

TEST_CASE("fingerprints of integers depend on their values, not on their widths") {
  const FingerprintKey key = key_of(1);
  for (const uint64_t n :
       {uint64_t(1), uint64_t(511), uint64_t(512), chunk_words, chunk_words + 1, 2 * chunk_words + 777}) {
    const auto wide = random_values<uint64_t>(n, uint64_t(1) << 32, 5);
    const std::vector<uint32_t> narrow(wide.begin(), wide.end());
    const auto of_wide = fingerprints_of(key, wide, 8 * n), of_narrow = fingerprints_of(key, narrow, 4 * n);
    INFO(n);
    CHECK(of_wide == of_narrow);
    for (uint64_t chunk = 0; chunk < of_wide.size(); ++chunk) {
      const auto begin = wide.begin() + long(chunk * chunk_words);
      const auto end = wide.begin() + long(std::min(n, (chunk + 1) * chunk_words));
      CHECK(of_wide[chunk] == slow_fingerprint(key, {begin, end}));
      CHECK(of_wide[chunk] == fingerprint_of_chunk<uint32_t>(key, narrow.data(), 4 * n, chunk));
    }
  }
}

TEST_CASE("one bit anywhere changes its chunk's fingerprint, and no other") {
  const FingerprintKey key = key_of(2);
  const uint64_t n = 2 * chunk_words + 100;
  auto words = random_values<uint64_t>(n, ~uint64_t(0), 6);
  const auto before = fingerprints_of(key, words, 8 * n);
  for (const uint64_t place : {uint64_t(0), uint64_t(1), chunk_words - 1, chunk_words, n - 1}) {
    for (const unsigned bit : {0u, 31u, 63u}) {
      words[place] ^= uint64_t(1) << bit;
      const auto after = fingerprints_of(key, words, 8 * n);
      words[place] ^= uint64_t(1) << bit;
      for (uint64_t chunk = 0; chunk < before.size(); ++chunk)
        CHECK((after[chunk] == before[chunk]) == (chunk != place / chunk_words));
    }
  }
}

TEST_CASE("bytes behind the last whole word count, those behind the array do not") {
  const FingerprintKey key = key_of(3);
  std::vector<uint64_t> words = random_values<uint64_t>(600, ~uint64_t(0), 7);
  for (uint64_t bytes = 4790; bytes <= 4800; ++bytes) {
    const auto whole = fingerprints_of(key, words, bytes);
    auto* const raw = reinterpret_cast<unsigned char*>(words.data());
    raw[bytes - 1] ^= 1;
    CHECK_FALSE(fingerprints_of(key, words, bytes)[0] == whole[0]);
    raw[bytes - 1] ^= 1;
    if (bytes == 4800) break;
    raw[bytes] ^= 1;
    CHECK(fingerprints_of(key, words, bytes)[0] == whole[0]);
    raw[bytes] ^= 1;
  }
}
