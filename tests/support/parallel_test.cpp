// Loops on several threads: every element once, whatever else is running.
#include "src/support/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "tests/catch.h"

using namespace cugrb;

namespace {

/// How often each of n elements was visited.
std::vector<int> visits(uint64_t n, uint64_t grain) {
  std::vector<int> count(n, 0);
  parallel_ranges(n, grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t k = begin; k < end; ++k) ++count[k];
  });
  return count;
}

bool all_once(const std::vector<int>& count) {
  for (const int c : count) {
    if (c != 1) return false;
  }
  return true;
}

/// This process's threads.
long threads_here() {
  long count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) count += entry.exists();
  return count;
}

}  // namespace

TEST_CASE("loops have the threads that OMP_NUM_THREADS asks for", "[.one_thread]") {
  CHECK(host_threads() == 1);
}

TEST_CASE("works with as many threads as OMP_NUM_THREADS asks for", "[.many_threads]") {
  CHECK(all_once(visits(100000, 10)));
  CHECK(threads_here() <= std::max(4l * std::thread::hardware_concurrency(), 64l));
}

namespace {

bool passes_with(const char* threads, const char* tag) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("OMP_NUM_THREADS", threads, 1);
    execl("/proc/self/exe", "test_support", tag, static_cast<char*>(nullptr));
    _exit(1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a loop has as many threads as the program asks for, and never more than there are cores") {
  CHECK(host_threads() <= usable_cores());
  CHECK(passes_with("1", "[.one_thread]"));
}

TEST_CASE("more threads than a system has are not asked for") {
  CHECK(passes_with("100000", "[.many_threads]"));
}

TEST_CASE("every lane and every element is worked on once") {
  for (const unsigned lanes : {0u, 1u, 2u, 7u, 33u}) {
    std::vector<std::atomic<int>> count(lanes);
    on_threads(lanes, [&](unsigned lane) { ++count[lane]; });
    for (const std::atomic<int>& c : count) CHECK(c == 1);
  }
  for (const uint64_t n : {0, 1, 2, 63, 64, 65, 1000}) {
    for (const uint64_t grain : {0, 1, 10, 2000}) CHECK(all_once(visits(n, grain)));
  }
}

TEST_CASE("a call inside of a call, and calls of several threads at once, do all of their lanes") {
  std::atomic<int> inner{0};
  on_threads(4, [&](unsigned) { on_threads(4, [&](unsigned) { ++inner; }); });
  CHECK(inner == 16);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 50; ++turn) right += all_once(visits(300, 10));
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 200);
}

TEST_CASE("a forked child does all lanes by itself") {
  CHECK(all_once(visits(100, 1)));
  const pid_t child = fork();
  if (child == 0) _exit(all_once(visits(100, 1)) ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

// Run with OMP_PROC_BIND=true, too, where the first thread has one core.
TEST_CASE("cores are counted, and threads run on all of them, also where OpenMP binds threads to cores") {
  CHECK(usable_cores() >= 1);
  unsigned cores = 0;
  std::thread([&] {
    run_on_usable_cores();
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) == 0)
      cores = unsigned(CPU_COUNT(&allowed));
  }).join();
  CHECK(cores == usable_cores());
  CHECK(usable_cores() >= std::thread::hardware_concurrency());
}
