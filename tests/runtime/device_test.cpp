// runtime::Device's contract, on whichever device CUGRB_DEVICE names.
#include <chrono>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <thread>

#include "cuda/runtime/buffer.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/injection.h"
#include "tests/catch.h"

using namespace cugrb::runtime;

namespace {

std::vector<unsigned char> random_bytes(size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<unsigned char> bytes(count + 8);
  for (size_t i = 0; i < count; i += 8) {
    const uint64_t word = generator();
    std::memcpy(bytes.data() + i, &word, 8);
  }
  bytes.resize(count);
  return bytes;
}

/// Clears the injection at the end of a test, whatever happened in it.
struct Injection {
  explicit Injection(const std::string& text) { injection::reset(text); }
  ~Injection() { injection::reset(""); }
};

}  // namespace

TEST_CASE("allocations are aligned to 256 bytes, distinct, and null for zero bytes") {
  Device& d = device();
  CHECK(d.allocate(0) == nullptr);
  d.release(nullptr);
  std::set<uint64_t> places;
  std::vector<void*> pointers;
  for (const size_t bytes : {1, 2, 255, 256, 257, 4096, 65536, 65537, 1 << 20, (33 << 20) + 1}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      void* p = d.allocate(bytes);
      REQUIRE(p != nullptr);
      CHECK(reinterpret_cast<uint64_t>(p) % 256 == 0);
      CHECK(places.insert(reinterpret_cast<uint64_t>(p)).second);
      pointers.push_back(p);
    }
  }
  for (void* p : pointers) d.release(p);
}

TEST_CASE("an allocation that can grow keeps its place and its content, and its memory is used again") {
  Device& d = device();
  constexpr size_t mega = size_t(1) << 20;
  const std::vector<unsigned char> content = random_bytes(40 * mega, 5);
  for (int repeat = 0; repeat < 3; ++repeat) {
    Buffer buffer = Buffer::growable(content.size(), d);
    CHECK(reinterpret_cast<uint64_t>(buffer.data()) % 256 == 0);
    buffer.write_bytes(0, content.data(), content.size());
    const void* const place = buffer.data();
    for (const size_t bytes : {41 * mega + 3, 41 * mega + 4, 70 * mega, 130 * mega}) {
      if (!buffer.grow(bytes)) {  // a driver without ranges of addresses
        CHECK(buffer.bytes() == content.size());
        break;
      }
      CHECK(buffer.data() == place);
      CHECK(buffer.bytes() == bytes);
      buffer.fill(7, content.size(), bytes - content.size());
      CHECK(buffer.to_host<unsigned char>(content.size()) == content);
      CHECK(buffer.read<unsigned char>(bytes - 1) == 7);
    }
    Buffer shared = buffer;
    CHECK_FALSE(buffer.grow(200 * mega));
  }
  CHECK_FALSE(Buffer().grow(1));
  Buffer plain(100);
  CHECK_FALSE(plain.grow(1000));
  CHECK(plain.bytes() == 100);
}

TEST_CASE("an allocation that has no memory to grow stays as it is") {
  Device& d = device();
  const std::vector<unsigned char> content = random_bytes(40 << 20, 6);
  Buffer buffer = Buffer::growable(content.size(), d);
  buffer.write_bytes(0, content.data(), content.size());
  {
    const Injection injection("allocation:1");
    CHECK_THROWS_AS(buffer.grow(content.size() + 1), OutOfMemory);
  }
  bool grown = false;
  try {
    grown = buffer.grow(d.memory().total_bytes + 1);
  } catch (const OutOfMemory&) {
  }
  CHECK_FALSE(grown);
  CHECK(buffer.bytes() == content.size());
  CHECK(buffer.to_host<unsigned char>(content.size()) == content);
}

TEST_CASE("the peak is the most bytes given out at once since it was last taken") {
  Device& d = device();
  constexpr size_t mega = size_t(1) << 20;
  d.take_peak_bytes();
  const size_t before = d.take_peak_bytes();
  void* kept = d.allocate(4 * mega);
  void* passing = d.allocate(8 * mega);
  d.release(passing);
  passing = d.allocate(2 * mega);
  d.release(passing);
  CHECK(d.take_peak_bytes() - before == 12 * mega);
  CHECK(d.take_peak_bytes() - before == 4 * mega);
  d.release(kept);
  CHECK(d.take_peak_bytes() - before == 4 * mega);
  CHECK(d.take_peak_bytes() == before);
}

TEST_CASE("live blocks never overlap while others come and go") {
  Device& d = device();
  std::mt19937 generator(7);
  struct Block {
    void* pointer;
    size_t bytes;
    unsigned char tag;
  };
  std::vector<Block> live;
  const auto verify = [&](const Block& block) {
    std::vector<unsigned char> content(block.bytes);
    d.copy_to_host(content.data(), block.pointer, block.bytes);
    return content == std::vector<unsigned char>(block.bytes, block.tag);
  };
  bool intact = true;
  for (int step = 0; step < 600; ++step) {
    if (live.size() > 40 || (!live.empty() && generator() % 3 == 0)) {
      const size_t victim = generator() % live.size();
      intact = intact && verify(live[victim]);
      d.release(live[victim].pointer);
      live.erase(live.begin() + static_cast<long>(victim));
    } else {
      const size_t bytes = size_t(1) << (generator() % 18);
      const size_t odd = bytes + generator() % bytes;
      live.push_back({d.allocate(odd), odd, static_cast<unsigned char>(step)});
      d.fill_bytes(live.back().pointer, live.back().tag, odd);
    }
    if (step % 150 == 0) d.trim();
  }
  for (const Block& block : live) {
    intact = intact && verify(block);
    d.release(block.pointer);
  }
  CHECK(intact);
}

TEST_CASE("copies of every size class come back as they went, at odd addresses too") {
  Device& d = device();
  for (const size_t bytes :
       {1u, 3u, 4095u, 4097u, 40960u, 40961u, 65536u, 65537u, 262144u, 1048577u, 5u << 20, (37u << 20) + 5}) {
    const auto sent = random_bytes(bytes, unsigned(bytes));
    for (const size_t shift : {size_t(0), size_t(1)}) {
      const Buffer buffer(bytes + shift);
      d.copy_to_device(buffer.as<char>() + shift, sent.data(), bytes);
      std::vector<unsigned char> received(bytes, 0);
      d.copy_to_host(received.data(), buffer.as<char>() + shift, bytes);
      INFO(bytes << " bytes at offset " << shift);
      CHECK(received == sent);
    }
  }
}

TEST_CASE("content made while it is copied arrives whole: every element once, of any size") {
  Device& d = device();
  for (const size_t size : {1u, 4u, 12u, 1000u, 100000u}) {
    for (const uint64_t count :
         {0u, 1u, 65536u / unsigned(size), 65537u / unsigned(size) + 1, (9u << 20) / unsigned(size)}) {
      const Buffer buffer(count * size + 1);
      d.fill_bytes(buffer.data(), 0xEE, count * size + 1);
      d.fill_on_device(buffer.data(), count, size, [&](char* out, uint64_t begin, uint64_t end) {
        std::memset(out, 0, (end - begin) * size);
        for (uint64_t k = begin; k < end; ++k, out += size) {
          const uint64_t number = k * 2654435761u;
          std::memcpy(out, &number, std::min(size, sizeof number));
        }
      });
      const auto received = buffer.to_host<unsigned char>(count * size + 1);
      bool right = received[count * size] == 0xEE;
      for (uint64_t k = 0; k < count; ++k) {
        const uint64_t number = k * 2654435761u;
        right = right && std::memcmp(received.data() + k * size, &number, std::min(size, sizeof number)) == 0;
      }
      INFO(count << " elements of " << size << " bytes");
      CHECK(right);
    }
  }
}

TEST_CASE("the host's memory may be reused as soon as a copy to the device returns") {
  Device& d = device();
  constexpr size_t piece = 3000, pieces = 4000;  // many turns of any staging ring
  const Buffer buffer(piece * pieces);
  const auto all = random_bytes(piece * pieces, 3);
  std::vector<unsigned char> host(piece);
  for (size_t i = 0; i < pieces; ++i) {
    std::memcpy(host.data(), all.data() + i * piece, piece);
    d.copy_to_device(buffer.as<char>() + i * piece, host.data(), piece);
    std::memset(host.data(), 0xEE, piece);
  }
  CHECK(buffer.to_host<unsigned char>(piece * pieces) == all);
}

TEST_CASE("copies on the device, fills, and copies of a buffer keep to their bytes") {
  const auto content = random_bytes(1000, 5);
  const Buffer from = Buffer::from_host(content.data(), content.size());
  Buffer to = Buffer::zeroed(1000);
  device().copy_on_device(to.as<char>() + 100, from.as<char>() + 200, 300);
  device().fill_bytes(to.as<char>() + 500, 0xAB, 7);
  std::vector<unsigned char> expected(1000, 0);
  std::memcpy(expected.data() + 100, content.data() + 200, 300);
  std::memset(expected.data() + 500, 0xAB, 7);
  CHECK(to.to_host<unsigned char>(1000) == expected);
  CHECK(to.read<uint8_t>(500) == 0xAB);

  const Buffer shared = to;
  CHECK_FALSE(to.unique());
  const Buffer own = to.clone();
  CHECK(own.unique());
  device().fill_bytes(to.data(), 1, 1000);
  CHECK(shared.read<uint8_t>(0) == 1);
  CHECK(own.to_host<unsigned char>(1000) == expected);
}

TEST_CASE(
    "a reading has what was there when it was started, whoever waits, in whatever order, or nobody does") {
  Device& d = device();
  const auto content = random_bytes(most_reading_bytes, 11);
  const Buffer buffer = Buffer::from_host(content.data(), content.size());
  const std::vector<size_t> sizes = {1, 8, 12, 40, 1000, 8192, most_reading_bytes};
  std::vector<std::unique_ptr<Reading>> readings;
  for (int round = 0; round < 5; ++round) {  // more than any device has places for
    for (const size_t bytes : sizes) readings.push_back(d.start_reading(buffer.data(), bytes));
  }
  d.fill_bytes(buffer.data(), 0, content.size());
  readings[3] = nullptr;
  for (size_t n = readings.size(); n-- > 0;) {
    if (readings[n] == nullptr) continue;
    INFO("reading " << n);
    CHECK(std::memcmp(readings[n]->bytes(), content.data(), sizes[n % sizes.size()]) == 0);
    CHECK(readings[n]->arrived());
  }
  readings.clear();
  const auto later = d.start_reading(buffer.data(), 1000);
  d.synchronize();
  CHECK(later->arrived());
  CHECK(std::memcmp(later->bytes(), std::vector<char>(1000, 0).data(), 1000) == 0);
  CHECK_THROWS_AS(d.start_reading(buffer.data(), most_reading_bytes + 1), DeviceFailure);
}

TEST_CASE("several threads allocate, copy and release at once") {
  std::vector<int> wrong(6, 0);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([t, &wrong] {
      for (unsigned i = 0; i < 60; ++i) {
        const size_t bytes = 1 + (t * 7919 + i * 104729) % 200000;
        const auto sent = random_bytes(bytes, t * 1000 + i);
        const Buffer buffer = Buffer::from_host(sent.data(), bytes);
        if (buffer.to_host<unsigned char>(bytes) != sent) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(6, 0));
}

TEST_CASE("the N-th allocation fails, once, and the next one succeeds") {
  for (uint64_t n = 1; n <= 4; ++n) {
    const Injection armed("allocation:" + std::to_string(n));
    for (uint64_t i = 1; i <= 6; ++i) {
      INFO("allocation " << i << " of injection " << n);
      if (i == n) {
        CHECK_THROWS_AS(Buffer(100), OutOfMemory);
      } else {
        CHECK_NOTHROW(Buffer(100));
      }
    }
    CHECK(injection::count(injection::Point::allocation) == 6);
    CHECK(device().allocate(0) == nullptr);  // nothing to fail: not counted
    CHECK(injection::count(injection::Point::allocation) == 6);
  }
  const Injection armed("allocation:2+");
  CHECK_NOTHROW(Buffer(100));
  CHECK_THROWS_AS(Buffer(100), OutOfMemory);
  CHECK_THROWS_AS(Buffer(100), OutOfMemory);
}

TEST_CASE("a malformed injection is refused") {
  for (const char* text :
       {"allocation", "allocation:", "allocation:0", "allocation:x", "allocation:1x", "copy:1", ":1",
        "launch:-1", "compilation:1 ", "allocation:/call", "allocation:1/calls", "allocation:1/call+"}) {
    INFO(text);
    CHECK_THROWS_AS(injection::reset(text), std::invalid_argument);
  }
  injection::reset("");
}

TEST_CASE("time between two marks is not negative, and work lies between them") {
  Device& d = device();
  const Buffer buffer(size_t(8) << 20);
  const uint64_t first = d.mark();
  for (int i = 0; i < 10; ++i) d.fill_bytes(buffer.data(), 1, buffer.bytes());
  const uint64_t second = d.mark();
  CHECK(d.seconds_between(first, second) > 0);
  CHECK(d.seconds_between(first, second) < 60);
}

TEST_CASE("a device that is held comes to what is queued later, the host does not wait") {
  Device& d = device();
  constexpr double held = 20e-3;
  const auto start = std::chrono::steady_clock::now();
  const uint64_t first = d.mark();
  d.hold(held);
  const uint64_t second = d.mark();
  const std::chrono::duration<double> queued = std::chrono::steady_clock::now() - start;
  const bool on_gpu = d.properties().kind == Kind::cuda;
  CHECK(d.seconds_between(first, second) >= (on_gpu ? held : 0));
  const std::chrono::duration<double> done = std::chrono::steady_clock::now() - start;
  CHECK(done >= queued);
  CHECK((!on_gpu || done.count() >= held));
}

TEST_CASE("properties and memory information are those of a device") {
  Device& d = device();
  CHECK(available());
  CHECK(unavailable_reason().empty());
  CHECK_FALSE(d.properties().name.empty());
  CHECK(d.properties().multiprocessors > 0);
  CHECK(d.properties().shared_bytes_per_block >= 48 * 1024);
  const bool on_gpu = d.properties().kind == Kind::cuda;
  CHECK((d.properties().architecture.rfind("sm_", 0) == 0) == on_gpu);
  bool counted = false;  // in one of ten tries: other processes may give memory back meanwhile
  for (int n = 0; n < 10 && !counted; ++n) {
    const MemoryInfo before = d.memory();
    REQUIRE(before.free_bytes <= before.total_bytes);
    const Buffer buffer(size_t(64) << 20);
    counted = d.memory().free_bytes + (size_t(32) << 20) < before.free_bytes;
  }
  CHECK(counted);
}
