// Programs that the JIT starts: their limits, their end, and that they do not outlive this process.
#include "src/jit/process.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "src/jit/background.h"
#include "src/jit/disk_cache.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

std::string shell(const std::string& script, const jit::ProgramLimits& limits = {}) {
  const std::string log = fixture::new_directory() + "/log";
  const jit::ProgramEnd end = jit::run_program({"sh", "-c", script}, log, limits);
  return std::to_string(end.status) + ": " + jit::read_file(log);
}

/// Waits up to a minute.
template <class Condition>
bool comes_true(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

/// Whether the process runs: it is there, and not merely waited for by nobody.
bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  file >> number >> name >> state;
  return !state.empty() && state != "Z" && state != "X";
}

}  // namespace

TEST_CASE("a program's end and output come back") {
  CHECK(shell("echo out; echo err >&2; exit 3") == "3: out\nerr\n");
  CHECK(shell("kill -SEGV $$").rfind("139: ", 0) == 0);
  CHECK(shell("cat") == "0: ");  // its input is empty
  CHECK(jit::run_program({"/nonexistent/program"}, fixture::new_directory() + "/log").status == -1);
}

TEST_CASE("a program has the limits that it is given, and this process's own where they are less") {
  CHECK(shell("ulimit -t; ulimit -v", {17, 1234567}) == "0: 17\n1234567\n");
  CHECK(shell("ulimit -t; ulimit -c", {17, 0}) == "0: 17\n0\n");
  rlimit before = {};
  REQUIRE(getrlimit(RLIMIT_CPU, &before) == 0);
  const rlimit less = {5000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_CPU, &less) == 0);
  CHECK(shell("ulimit -t", {6000, 0}) == "0: 5000\n");
  CHECK(shell("ulimit -t") == "0: 5000\n");
  REQUIRE(setrlimit(RLIMIT_CPU, &before) == 0);
}

TEST_CASE("in the background a program has idle cores only, and a low priority where that takes too long") {
  const std::string asks = "chrt --pid $$ | sed -n 's/.*policy: //p'; nice";
  const auto in_background = [](const std::string& script) {
    std::string said;
    REQUIRE(jit::in_background([&] { said = shell(script); }));
    jit::wait_for_background();
    return said;
  };
  CHECK(shell(asks) == "0: SCHED_OTHER\n0\n");
  // Where other programs keep all cores busy it may get none in its second; not each time.
  CHECK(comes_true([&] { return in_background(asks) == "0: SCHED_IDLE\n0\n"; }));
  CHECK(in_background("exit 7") == "7: ");
  // It sleeps wherever it is idle, as one that gets no core does. What it has started may outlive it.
  const std::string twice = asks + "; [ \"$(chrt --pid $$ 2>/dev/null | grep -c IDLE)\" = 0 ] || sleep 60";
  CHECK(comes_true([&] { return in_background(twice) == "0: SCHED_IDLE\n0\nSCHED_OTHER\n19\n"; }));
}

TEST_CASE("a program that is out of time is told from one that failed") {
  const std::string log = fixture::new_directory() + "/log";
  const jit::ProgramEnd end = jit::run_program({"sh", "-c", "while :; do :; done"}, log, {1, 0});
  CHECK(end.status == 128 + SIGXCPU);
  CHECK(end.out_of_time);
  CHECK_FALSE(jit::run_program({"sh", "-c", "exit 1"}, log, {1, 0}).out_of_time);
}

TEST_CASE("a program and what it started end with the process that wanted them, and its folder goes") {
  const std::string directory = fixture::new_directory(), folder = directory + "/folder";
  fs::create_directory(folder);
  const std::string script = "sleep 1000 & echo $! $$ >" + directory + "/numbers; mv " + directory +
                             "/numbers " + directory + "/done; wait";
  const pid_t wanting = fork();
  if (wanting == 0) {
    jit::run_program({"sh", "-c", script}, directory + "/log", {}, folder);
    _exit(0);
  }
  REQUIRE(comes_true([&] { return fs::exists(directory + "/done"); }));
  pid_t inner = 0, outer = 0;
  std::ifstream(directory + "/done") >> inner >> outer;
  CHECK(runs(inner));
  CHECK(runs(outer));
  CHECK(fs::exists(folder));
  REQUIRE(kill(wanting, SIGKILL) == 0);
  REQUIRE(waitpid(wanting, nullptr, 0) == wanting);
  CHECK(comes_true([&] { return !runs(inner) && !runs(outer) && !fs::exists(folder); }));
}

namespace {

/// Why the kernel whose compilation does not end cannot be had.
std::string endless_failure() {
  try {
    jit::compile(fixture::probe("endless", fixture::exponential), "host");
  } catch (const jit::CompilationFailure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("asks for a kernel whose compilation does not end", "[.endless]") {
  const std::string said = endless_failure();
  INFO(said);
  CHECK(fixture::contains(said, "was stopped at its limit of processor time: probe<endless>"));
}

TEST_CASE("asks for a kernel whose compilation takes all memory", "[.greedy]") {
  const std::string said = endless_failure();
  INFO(said);
  CHECK(fixture::contains(said, "was stopped at its limit of memory: probe<endless>"));
}

TEST_CASE("a compilation beyond its limit of memory is declined") {
  const std::string log = fixture::new_directory() + "/log";
  const std::string program = fs::canonical("/proc/self/exe");
  const jit::ProgramEnd end = jit::run_program({program, "[.greedy]"}, log, {0, uint64_t(400) << 10});
  INFO(jit::read_file(log));
  CHECK(end.status == 0);
}

TEST_CASE("a compilation beyond its limit of time is declined") {
  const std::string log = fixture::new_directory() + "/log";
  const std::string program = fs::canonical("/proc/self/exe");
  const jit::ProgramEnd end = jit::run_program({program, "[.endless]"}, log, {3, 0});
  INFO(jit::read_file(log));
  CHECK(end.status == 0);
}

TEST_CASE(
    "beyond the limit of a file's size the cache and the compiler's files fail, and the process lives") {
  const std::string directory = fixture::new_directory();
  const pid_t child = fork();
  if (child == 0) {
    const rlimit small = {4096, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &small);
    jit::DiskCache cache(directory);
    const bool stored = cache.store("host", "key", {std::string(100000, 'x'), "", ""});
    bool written = true;
    try {
      jit::write_file(directory + "/source", std::string(100000, 'x'));
    } catch (const jit::CompilationFailure&) {
      written = false;
    }
    const bool said = fixture::contains(cache.unavailable_reason(), "File too large");
    _exit(!stored && !written && said ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
