// Every call is counted once, whatever threads come and go.
#include "src/support/forwarded_calls.h"

#include <latch>
#include <thread>
#include <vector>

#include "tests/catch.h"

using cugrb::trace::count_forwarded_call;
using cugrb::trace::forwarded_calls;

namespace {

void count(unsigned calls) {
  for (unsigned n = 0; n < calls; ++n) count_forwarded_call();
}

}  // namespace

TEST_CASE("each thread has counters of its own, and keeps them") {
  cugrb::CountersOfThread* const own = &cugrb::counters_of_thread();
  CHECK(&cugrb::counters_of_thread() == own);
  std::latch all(2);
  const cugrb::CountersOfThread* others[2] = {};
  {
    std::vector<std::jthread> threads;
    for (const auto*& other : others) {
      threads.emplace_back([&all, &other] {
        other = &cugrb::counters_of_thread();
        all.arrive_and_wait();
      });
    }
  }
  CHECK(others[0] != own);
  CHECK(others[1] != own);
  CHECK(others[0] != others[1]);
}

TEST_CASE("forwarded calls of one thread") {
  const uint64_t before = forwarded_calls();
  count(1000);
  CHECK(forwarded_calls() - before == 1000);
}

TEST_CASE("forwarded calls of threads that end, and of those that take their places") {
  const uint64_t before = forwarded_calls();
  for (unsigned round = 0; round < 300; ++round) std::thread(count, 10).join();
  CHECK(forwarded_calls() - before == 3000);
}

TEST_CASE("forwarded calls of more threads at once than there are places") {
  constexpr unsigned most = 300;
  const uint64_t before = forwarded_calls();
  std::latch all(most);
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < most; ++n) {
    threads.emplace_back([&all] {
      count(50);
      all.arrive_and_wait();  // no place is given back before
      count(50);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(forwarded_calls() - before == 100 * most);
}

namespace {

struct CountsAtItsEnd {
  CountsAtItsEnd() {}
  ~CountsAtItsEnd() { count(7); }
};

}  // namespace

TEST_CASE("forwarded calls at the end of a thread") {
  const uint64_t before = forwarded_calls();
  std::thread([] {
    thread_local const CountsAtItsEnd object;  // is destroyed after the thread's hold on its place
    static_cast<void>(&object);
    count(5);
  }).join();
  CHECK(forwarded_calls() - before == 12);
}
