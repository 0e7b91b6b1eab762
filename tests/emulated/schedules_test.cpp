// Schedules really change the order of blocks and threads, and a seed really fixes it.
#include <algorithm>
#include <numeric>

#include "tests/catch.h"
#include "tests/emulated/launch.h"

namespace cugrb {

struct Log {
  uint64_t* places;
  uint32_t* next;
};
CUGRB_KERNEL(64) void log_start(Log a) { a.places[atomic_add(a.next, 1u)] = global_thread(); }
CUGRB_KERNEL(64) void log_after_barrier(Log a) {
  sync_block();
  a.places[atomic_add(a.next, 1u)] = global_thread();
}
CUGRB_EMULATED_ENTRY(run_log_start, (log_start))
CUGRB_EMULATED_ENTRY(run_log_after_barrier, (log_after_barrier))

}  // namespace cugrb

using namespace cugrb;

namespace {
constexpr unsigned grid = 4, block = 64, n = grid * block;

std::vector<uint64_t> order_of(simt::Entry entry, const std::string& schedule) {
  std::vector<uint64_t> places(n);
  uint32_t next = 0;
  tests::launch(entry, Log{places.data(), &next}, grid, block, schedule);
  REQUIRE(next == n);
  return places;
}
std::vector<uint64_t> ascending() {
  std::vector<uint64_t> places(n);
  std::iota(places.begin(), places.end(), uint64_t(0));
  return places;
}
}  // namespace

TEST_CASE("forward is ascending, reverse is descending, also after a barrier") {
  const std::vector<uint64_t> up = ascending();
  const std::vector<uint64_t> down(up.rbegin(), up.rend());
  for (simt::Entry entry : {run_log_start, run_log_after_barrier}) {
    REQUIRE(order_of(entry, "forward") == up);
    REQUIRE(order_of(entry, "reverse") == down);
    REQUIRE(order_of(entry, "") == up);
  }
}

TEST_CASE("random is a permutation that its seed decides, and interleaves blocks") {
  for (simt::Entry entry : {run_log_start, run_log_after_barrier}) {
    const std::vector<uint64_t> one = order_of(entry, "random:1");
    REQUIRE(order_of(entry, "random:1") == one);
    REQUIRE(order_of(entry, "random") == one);
    REQUIRE(order_of(entry, "random:2") != one);
    std::vector<uint64_t> sorted = one;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted == ascending());
    unsigned changes = 0;
    for (unsigned i = 1; i < n; ++i) changes += one[i] / block != one[i - 1] / block;
    REQUIRE(changes > grid);
  }
}

TEST_CASE("a schedule that is none is refused") {
  for (const char* text :
       {"sideways", "random:", "random:x", "random:1x", "random:-1", "forward:1", "Random"}) {
    REQUIRE_THROWS_AS(simt::parse_schedule(text), std::invalid_argument);
  }
  REQUIRE(simt::parse_schedule("random:12").seed == 12);
}
