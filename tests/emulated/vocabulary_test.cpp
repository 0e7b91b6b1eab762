// Every word of the kernel vocabulary on the emulated device, against values worked out on the host.
#include <cstring>
#include <numeric>

#include "tests/catch.h"
#include "tests/emulated/launch.h"

namespace cugrb {

struct Places {
  unsigned *thread, *block, *threads, *blocks, *lane;
  uint64_t *global, *total;
};
CUGRB_KERNEL(64) void places(Places a) {
  const uint64_t g = global_thread();
  a.thread[g] = thread_index();
  a.block[g] = block_index();
  a.threads[g] = block_threads();
  a.blocks[g] = grid_blocks();
  a.lane[g] = lane_index();
  a.global[g] += g + 1;  // runs once
  a.total[g] = global_threads();
}

struct BlockVotes {
  int *any, *none, *count;
};
CUGRB_KERNEL(96) void block_votes(BlockVotes a) {
  const unsigned t = thread_index();
  a.any[t] = sync_block_or(t == 70 ? 8 : 0);
  a.none[t] = sync_block_or(0);
  a.count[t] = sync_block_count(t % 3 == 0);
}

struct WarpVotes {
  unsigned *ballot, *half, *together;
  int *any, *none, *all, *not_all;
};
CUGRB_KERNEL(64) void warp_votes(WarpVotes a) {
  const unsigned t = thread_index(), lane = lane_index();
  a.ballot[t] = ballot(full_warp, lane % 5 == t / 32);
  if (lane < 16) {
    a.half[t] = ballot(0x0000ffffu, lane & 1);
  } else {
    a.half[t] = ballot(0xffff0000u, lane & 2);
  }
  a.together[t] = or_of_warp(t % 3 == 0 ? 1u << lane : 0u);
  a.any[t] = any_lane(full_warp, t == 40);
  a.none[t] = any_lane(full_warp, 0);
  a.all[t] = all_lanes(full_warp, 7);
  a.not_all[t] = all_lanes(full_warp, t != 3);
}

/// 12 bytes: no power of two, and no multiple of 8.
struct Triple {
  int a, b, c;
  friend bool operator==(const Triple& x, const Triple& y) { return x.a == y.a && x.b == y.b && x.c == y.c; }
};
template <class T>
CUGRB_DEVICE T made(unsigned lane);
template <>
CUGRB_DEVICE Triple made(unsigned lane) {
  return {int(lane), int(lane * 7 + 1), -int(lane)};
}
template <>
CUGRB_DEVICE double made(unsigned lane) {
  return lane * 0.25 - 3;
}
template <>
CUGRB_DEVICE uint8_t made(unsigned lane) {
  return uint8_t(lane * 3 + 1);
}

template <class T>
struct Shuffles {
  T *direct, *down, *up, *exchanged;
  int source, delta, width;
};
template <class T>
CUGRB_KERNEL(32)
void shuffles(Shuffles<T> a) {
  const unsigned lane = lane_index();
  const T value = made<T>(lane);
  a.direct[lane] = shuffle(full_warp, value, a.source, a.width);
  a.down[lane] = shuffle_down(full_warp, value, unsigned(a.delta), a.width);
  a.up[lane] = shuffle_up(full_warp, value, unsigned(a.delta), a.width);
  a.exchanged[lane] = shuffle_xor(full_warp, value, a.delta, a.width);
}

struct PartialShuffle {
  unsigned* out;
};
CUGRB_KERNEL(32) void partial_shuffle(PartialShuffle a) {
  const unsigned lane = lane_index();
  if (lane >= 4) return;
  a.out[lane] = shuffle(0xfu, lane + 1, 9);  // lane 9 is not in the mask
}

struct Atomics {
  uint64_t* sum64;
  uint32_t* sum32;
  uint32_t* taken32;
  uint64_t* taken64;
  float* largest;
  uint8_t* bytes;
  int16_t* shorts;
  double* product;
};
CUGRB_KERNEL(128) void atomics(Atomics a) {
  const uint64_t g = global_thread();
  atomic_add(a.sum64, g << 20);
  if (atomic_add(a.sum32, 1u) == 5) atomic_add(a.sum64, uint64_t(1));
  if (atomic_compare_and_swap(a.taken32, 0u, uint32_t(g + 1)) == 0) atomic_add(a.sum64, uint64_t(10));
  if (atomic_compare_and_swap(a.taken64, 0u, g + 1) == 0) atomic_add(a.sum64, uint64_t(100));
  atomic_update(a.largest, float((g * 37) % 251), [](float x, float y) { return x < y ? y : x; });
  atomic_update(a.bytes + g % 7, uint8_t(1), [](uint8_t x, uint8_t y) { return uint8_t(x + y); });
  atomic_update(a.shorts + g % 3, int16_t(-2), [](int16_t x, int16_t y) { return int16_t(x + y); });
  atomic_update(a.product, g % 64 == 0 ? 2.0 : 1.0, [](double x, double y) { return x * y; });
}

struct SharedUse {
  unsigned* out;
  size_t* distance;
};
template <int n>
CUGRB_DEVICE unsigned* scratch() {
  CUGRB_SHARED(unsigned, words, n);
  return words;
}
CUGRB_KERNEL(64) void shared_use(SharedUse a) {
  CUGRB_SHARED(uint8_t, flags, 3);
  CUGRB_SHARED(unsigned, first, 64);
  CUGRB_DYNAMIC_SHARED(unsigned, dynamic);
  const unsigned t = thread_index();
  const uint8_t fresh = flags[t % 3];  // poison: nothing has written it yet
  first[t] = t * t;
  dynamic[t] = t + 1000 * block_index();
  scratch<64>()[t] = fresh;
  sync_block();
  a.out[global_thread()] = first[63 - t] + dynamic[63 - t] + scratch<64>()[t];
  if (global_thread() == 0) *a.distance = size_t(scratch<64>() == scratch<32>());
  static_assert(sizeof(first) == 256, "a shared array is an array");
}

struct Spin {
  unsigned* flag;
  unsigned* order;
};
CUGRB_KERNEL(64) void spin(Spin a) {
  // Thread 0 waits for the block's last thread: only with yields does that end in forward order.
  if (thread_index() == 0) {
    while (relaxed_load(a.flag) == 0) {
    }
    *a.order = 1;
  } else if (thread_index() == 63) {
    relaxed_store(a.flag, 1u);
  }
}

struct Bits {
  int *count, *lowest;
};
CUGRB_KERNEL(32) void bits(Bits a) {
  const unsigned lane = lane_index();
  a.count[lane] = count_bits(0x80000001u << (lane / 2));
  a.lowest[lane] = lowest_bit(0x90000000u >> lane | 1u << 31);
}

CUGRB_EMULATED_ENTRY(run_places, (places))
CUGRB_EMULATED_ENTRY(run_block_votes, (block_votes))
CUGRB_EMULATED_ENTRY(run_warp_votes, (warp_votes))
CUGRB_EMULATED_ENTRY(run_shuffles_triple, (shuffles<Triple>))
CUGRB_EMULATED_ENTRY(run_shuffles_double, (shuffles<double>))
CUGRB_EMULATED_ENTRY(run_shuffles_byte, (shuffles<uint8_t>))
CUGRB_EMULATED_ENTRY(run_partial_shuffle, (partial_shuffle))
CUGRB_EMULATED_ENTRY(run_atomics, (atomics))
CUGRB_EMULATED_ENTRY(run_shared_use, (shared_use))
CUGRB_EMULATED_ENTRY(run_spin, (spin))
CUGRB_EMULATED_ENTRY(run_bits, (bits))

struct Clusters {
  unsigned* out;  ///< a number a thread and round
  unsigned cluster;
};
/// Every thread reads what the same thread of each other block of its cluster has written, twice.
CUGRB_KERNEL(32) void clusters(Clusters a) {
  CUGRB_DYNAMIC_SHARED(unsigned, own);
  const unsigned t = thread_index(), rank = block_index() % a.cluster;
  for (unsigned round = 0; round < 2; ++round) {
    own[t] = 1000 * round + 100 * block_index() + t;
    sync_cluster();
    unsigned sum = 0;
    for (unsigned b = 0; b < a.cluster; ++b) sum += shared_of_block(own, b)[t] * (b + 1);
    a.out[(round * grid_blocks() + block_index()) * 32 + t] = sum + 10000000 * rank;
    sync_cluster();
  }
}
CUGRB_EMULATED_ENTRY(run_clusters, (clusters))

}  // namespace cugrb

using namespace cugrb;
using cugrb::tests::launch;

TEST_CASE("indices: every CUDA thread runs once and knows its place") {
  for (const std::string& schedule : tests::schedules()) {
    constexpr unsigned grid = 5, block = 40, n = grid * block;
    std::vector<unsigned> thread(n), in_block(n), threads(n), blocks(n), lane(n);
    std::vector<uint64_t> global(n, 0), total(n);
    const Places a{thread.data(), in_block.data(), threads.data(), blocks.data(),
                   lane.data(),   global.data(),   total.data()};
    launch(run_places, a, grid, block, schedule);
    for (unsigned g = 0; g < n; ++g) {
      REQUIRE(thread[g] == g % block);
      REQUIRE(in_block[g] == g / block);
      REQUIRE(threads[g] == block);
      REQUIRE(blocks[g] == grid);
      REQUIRE(lane[g] == g % block % 32);
      REQUIRE(global[g] == g + 1);
      REQUIRE(total[g] == n);
    }
  }
}

TEST_CASE("a grid of no blocks is no launch") {
  std::vector<unsigned> untouched(1, 7);
  Places a{};
  a.thread = untouched.data();
  launch(run_places, a, 0, 32);
  REQUIRE(untouched[0] == 7);
}

TEST_CASE("block votes: or and count reach every thread of the block") {
  for (const std::string& schedule : tests::schedules()) {
    std::vector<int> any(96), none(96), count(96);
    launch(run_block_votes, BlockVotes{any.data(), none.data(), count.data()}, 1, 96, schedule);
    REQUIRE(any == std::vector<int>(96, 1));
    REQUIRE(none == std::vector<int>(96, 0));
    REQUIRE(count == std::vector<int>(96, 32));
  }
}

TEST_CASE("warp votes: ballot, any, all; also in halves of a warp that has diverged") {
  for (const std::string& schedule : tests::schedules()) {
    std::vector<unsigned> ballots(64), half(64), together(64);
    std::vector<int> any(64), none(64), all(64), not_all(64);
    launch(run_warp_votes,
           WarpVotes{ballots.data(), half.data(), together.data(), any.data(), none.data(), all.data(),
                     not_all.data()},
           1, 64, schedule);
    for (unsigned t = 0; t < 64; ++t) {
      unsigned expected = 0;
      for (unsigned lane = 0; lane < 32; ++lane) expected |= unsigned(lane % 5 == t / 32) << lane;
      REQUIRE(ballots[t] == expected);
      REQUIRE(half[t] == (t % 32 < 16 ? 0x0000aaaau : 0xccccu << 16));
      REQUIRE(together[t] == (t < 32 ? 0x49249249u : 0x92492492u));
      REQUIRE(any[t] == (t >= 32));
      REQUIRE(none[t] == 0);
      REQUIRE(all[t] == 1);
      REQUIRE(not_all[t] == (t >= 32));
    }
  }
}

template <class T>
void check_shuffles(simt::Entry entry) {
  for (int width : {1, 2, 8, 32}) {
    for (int delta : {0, 1, 3, 8, 17, 31}) {
      std::vector<T> direct(32), down(32), up(32), exchanged(32);
      const int source = delta * 5 % 37;
      launch(entry,
             Shuffles<T>{direct.data(), down.data(), up.data(), exchanged.data(), source, delta, width}, 1,
             32, delta % 2 == 0 ? "forward" : "random:9");
      for (int lane = 0; lane < 32; ++lane) {
        const int begin = lane / width * width, end = begin + width;
        REQUIRE((direct[lane] == made<T>(unsigned(begin + source % width))));
        REQUIRE((down[lane] == made<T>(unsigned(lane + delta < end ? lane + delta : lane))));
        REQUIRE((up[lane] == made<T>(unsigned(lane - delta >= begin ? lane - delta : lane))));
        const int partner = lane ^ delta;
        REQUIRE((exchanged[lane] == made<T>(unsigned(partner < end ? partner : lane))));
      }
    }
  }
}
TEST_CASE("shuffles move values of 1, 8 and 12 bytes within groups of every width") {
  check_shuffles<Triple>(run_shuffles_triple);
  check_shuffles<double>(run_shuffles_double);
  check_shuffles<uint8_t>(run_shuffles_byte);
}

TEST_CASE("a shuffle from a lane outside the mask gives poison") {
  std::vector<unsigned> out(32, 0);
  launch(run_partial_shuffle, PartialShuffle{out.data()}, 1, 32);
  for (unsigned lane = 0; lane < 4; ++lane) REQUIRE(out[lane] == 0xCBCBCBCBu);
  REQUIRE(out[4] == 0);
}

TEST_CASE("atomics of every width lose no update") {
  for (const std::string& schedule : tests::schedules()) {
    constexpr uint64_t n = 6 * 128;
    uint64_t sum64 = 0, taken64 = 0;
    uint32_t sum32 = 0, taken32 = 0;
    float largest = -1;
    std::vector<uint8_t> bytes(8, 0);
    std::vector<int16_t> shorts(4, 100);
    double product = 1;
    launch(run_atomics,
           Atomics{&sum64, &sum32, &taken32, &taken64, &largest, bytes.data(), shorts.data(), &product}, 6,
           128, schedule);
    REQUIRE(sum64 == ((n * (n - 1) / 2) << 20) + 111);  // each of the three was won exactly once
    REQUIRE(sum32 == n);
    REQUIRE(taken32 != 0);
    REQUIRE(taken64 != 0);
    REQUIRE(largest == 250);
    for (uint64_t i = 0; i < 7; ++i) REQUIRE(bytes[i] == (n - i + 6) / 7);
    REQUIRE(bytes[7] == 0);
    for (uint64_t i = 0; i < 3; ++i) REQUIRE(shorts[i] == 100 - 2 * int(n / 3));
    REQUIRE(shorts[3] == 100);
    REQUIRE(product == 4096);
  }
}

TEST_CASE("shared memory: one array a declaration and instantiation, poisoned for each block") {
  for (const std::string& schedule : tests::schedules()) {
    std::vector<unsigned> out(3 * 64);
    size_t same = 7;
    launch(run_shared_use, SharedUse{out.data(), &same}, 3, 64, schedule, 64 * sizeof(unsigned));
    for (unsigned g = 0; g < out.size(); ++g) {
      const unsigned t = 63 - g % 64;
      REQUIRE(out[g] == t * t + t + 1000 * (g / 64) + 0xCB);
    }
    REQUIRE(same == 0);
  }
}

TEST_CASE("clusters: blocks read each other's shared memory between two barriers, whichever comes first") {
  for (const std::string& schedule : tests::schedules()) {
    for (const unsigned cluster : {1u, 2u, 3u, 8u}) {
      CAPTURE(schedule, cluster);
      const unsigned grid = 3 * cluster;
      std::vector<unsigned> out(2 * grid * 32);
      launch(run_clusters, Clusters{out.data(), cluster}, grid, 32, schedule, 32 * sizeof(unsigned), cluster);
      for (unsigned g = 0; g < out.size(); ++g) {
        const unsigned t = g % 32, block = g / 32 % grid, round = g / 32 / grid;
        unsigned sum = 10000000 * (block % cluster);
        for (unsigned b = 0; b < cluster; ++b)
          sum += (1000 * round + 100 * (block / cluster * cluster + b) + t) * (b + 1);
        REQUIRE(out[g] == sum);
      }
    }
  }
}

TEST_CASE("spinning lets the others run, in every order") {
  for (const std::string& schedule : tests::schedules()) {
    unsigned flag = 0, order = 0;
    launch(run_spin, Spin{&flag, &order}, 1, 64, schedule);
    REQUIRE(order == 1);
  }
}

TEST_CASE("bit functions") {
  std::vector<int> count(32), lowest(32);
  launch(run_bits, Bits{count.data(), lowest.data()}, 1, 32);
  for (int lane = 0; lane < 32; ++lane) {
    REQUIRE(count[lane] == (lane < 2 ? 2 : 1));
    int expected = 31;
    for (int bit = 31; bit >= 0; --bit) {
      if (((0x90000000u >> lane) | 0x80000000u) >> bit & 1u) expected = bit;
    }
    REQUIRE(lowest[lane] == expected);
  }
}
