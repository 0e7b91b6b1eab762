// Without memory: what is tried, how often, and what the caller gets.
#include "src/memory/policy.h"

#include <utility>
#include <vector>

#include "tests/catch.h"

using namespace cugrb;
using runtime::OutOfMemory;

namespace {

struct Range {
  uint64_t first = 0, last = 0;
  uint64_t length() const { return last - first; }
};

using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

/// Work on ranges that finds memory for so many elements at once.
struct Bounded {
  uint64_t most;
  Ranges asked, done;
  auto work() {
    return [this](const Range& range) {
      asked.emplace_back(range.first, range.last);
      if (range.length() > most) throw OutOfMemory("too long");
      done.emplace_back(range.first, range.last);
    };
  }
};

bool gives_nothing() { return false; }

}  // namespace

TEST_CASE("a shortage says what was missing, and other failures are not its own") {
  int done = 0;
  CHECK(memory::shortage([&] { ++done; }) == std::nullopt);
  CHECK(done == 1);
  CHECK(memory::shortage([] { throw OutOfMemory("8 bytes"); }) == "8 bytes");
  CHECK_THROWS_AS(memory::shortage([] { throw runtime::DeviceFailure("lost"); }), runtime::DeviceFailure);
  CHECK_THROWS_AS(memory::shortage([] { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST_CASE("work whose memory is missing is tried once more, where some was given back") {
  int tries = 0, relieved = 0;
  const auto until = [&](int enough) {
    return [&tries, enough] {
      if (++tries < enough) throw OutOfMemory("try " + std::to_string(tries));
    };
  };
  const auto relieve = [&] { return ++relieved > 0; };
  memory::relieved(until(1), relieve);
  CHECK(std::pair(tries, relieved) == std::pair(1, 0));
  tries = 0;
  memory::relieved(until(2), relieve);
  CHECK(std::pair(tries, relieved) == std::pair(2, 1));
  tries = relieved = 0;
  CHECK_THROWS_WITH(memory::relieved(until(9), relieve), "try 2");
  CHECK(std::pair(tries, relieved) == std::pair(2, 1));
  tries = 0;
  CHECK_THROWS_WITH(memory::relieved(until(9), gives_nothing), "try 1");
  CHECK(tries == 1);
}

TEST_CASE("what the first try held is free when memory is given back") {
  int held = 0, held_then = -1;
  struct Holds {
    int& count;
    explicit Holds(int& n) : count(n) { ++count; }
    ~Holds() { --count; }
  };
  bool first = true;
  memory::relieved(
      [&] {
        const Holds holds(held);
        if (std::exchange(first, false)) throw OutOfMemory("none");
      },
      [&] {
        held_then = held;
        return true;
      });
  CHECK(held_then == 0);
}

TEST_CASE("a range is halved until its parts fit, in ascending order, each part once") {
  Bounded bounded{3};
  memory::in_halves(Range{10, 20}, bounded.work(), gives_nothing);
  CHECK(bounded.done == Ranges{{10, 12}, {12, 15}, {15, 17}, {17, 20}});
  CHECK(bounded.asked.size() == 7);
  Bounded none{0};
  CHECK_THROWS_WITH(memory::in_halves(Range{0, 4}, none.work(), gives_nothing), "too long");
  CHECK(none.asked == Ranges{{0, 4}, {0, 2}, {0, 1}});
  CHECK(none.done.empty());
}

TEST_CASE("before a range is halved, what is held for speed goes") {
  Bounded bounded{2};
  int relieved = 0;
  memory::in_halves(Range{0, 8}, bounded.work(), [&] {
    ++relieved;
    bounded.most = 4;
    return relieved == 1;
  });
  CHECK(bounded.done == Ranges{{0, 4}, {4, 8}});
  CHECK(bounded.asked == Ranges{{0, 8}, {0, 8}, {0, 4}, {4, 8}});
}
