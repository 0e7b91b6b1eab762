// Nobody waits for a compiler: kernels that arrive later, those that never do, and a process that forks or
// ends meanwhile.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cuda/runtime/injection.h"
#include "src/jit/background.h"
#include "src/jit/compiler.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
using jit::Missing;
using jit::WhenMissing;

namespace {

std::string refusal_of(const jit::Request& request) {
  try {
    jit::kernel(request);
  } catch (const jit::NotCompiled& refusal) {
    return refusal.what();
  }
  return "";
}

/// A kernel whose compilation takes as long as a test needs, and no longer than the process.
jit::Request endless() { return fixture::probe("endless", fixture::exponential); }

}  // namespace

TEST_CASE("a kernel that is compiled in the background arrives later, and is the same") {
  const jit::Request request = fixture::fresh_probe();
  const std::vector<float> x = {1, 2, 3};
  std::vector<float> later;
  {
    const WhenMissing background(Missing::background);
    const jit::Statistics before = jit::statistics();
    CHECK(refusal_of(request) == "a kernel is being compiled: probe");
    jit::wait_for_background();
    later = fixture::run_floats(request, x);
    const jit::Statistics after = jit::statistics();
    CHECK(after.refused == before.refused + 1);
    CHECK(after.compiled == before.compiled + 1);
  }
  jit::forget_kernels();
  CHECK(fixture::run_floats(request, x) == later);
}

TEST_CASE("in the background, too, kernels come from memory and disk first") {
  const jit::Request request = fixture::fresh_probe();
  jit::kernel(request);
  const WhenMissing background(Missing::background);
  CHECK_NOTHROW(jit::kernel(request));
  jit::forget_kernels();
  const jit::Statistics before = jit::statistics();
  CHECK_NOTHROW(jit::kernel(request));
  CHECK(jit::statistics().disk_hits == before.disk_hits + 1);
  CHECK(jit::statistics().compiled == before.compiled);
}

TEST_CASE("a thread that waits gets the kernel that is being compiled in the background") {
  std::vector<jit::Request> requests;
  for (int i = 0; i < 4; ++i) requests.push_back(fixture::fresh_probe());
  const uint64_t compiled = jit::statistics().compiled;
  {
    const WhenMissing background(Missing::background);
    for (const jit::Request& request : requests) CHECK_FALSE(refusal_of(request).empty());
  }
  for (const jit::Request& request : requests) CHECK_NOTHROW(jit::kernel(request));
  jit::wait_for_background();
  // On a busy machine a thread does not wait for the background's compiler longer than its own would take.
  CHECK(jit::statistics().compiled >= compiled + requests.size());
  CHECK(jit::statistics().compiled <= compiled + 2 * requests.size());
}

TEST_CASE("many threads ask for kernels that are being compiled, and each is compiled once") {
  std::vector<jit::Request> requests;
  for (int i = 0; i < 3; ++i) requests.push_back(fixture::fresh_probe());
  const uint64_t compiled = jit::statistics().compiled;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const WhenMissing background(Missing::background);
      for (size_t there = 0; there < requests.size();) {
        there = 0;
        for (const jit::Request& request : requests) there += refusal_of(request).empty() ? 1 : 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(jit::statistics().compiled == compiled + requests.size());
}

TEST_CASE("a patient call gets the kernel at once, one that is not patient enough does not wait") {
  const jit::Request wanted = fixture::fresh_probe(), other = fixture::fresh_probe();
  {
    const WhenMissing background(Missing::background);
    jit::be_patient(1e-9);
    CHECK_FALSE(refusal_of(other).empty());
    jit::be_patient(300);
    CHECK_NOTHROW(jit::kernel(wanted));
  }
  jit::wait_for_background();
  // It went with its call.
  const WhenMissing background(Missing::background);
  CHECK_FALSE(refusal_of(fixture::fresh_probe()).empty());
  jit::wait_for_background();
}

TEST_CASE("what the compiler refuses in the background is remembered, an injected failure is not") {
  const jit::Request broken{"broken.h", "broken<long>", ""}, injected = fixture::fresh_probe();
  const WhenMissing background(Missing::background);
  CHECK_FALSE(refusal_of(broken).empty());
  jit::wait_for_background();
  const uint64_t failures = jit::statistics().failures;
  for (int i = 0; i < 2; ++i) {
    try {
      jit::kernel(broken);
      FAIL("compiled");
    } catch (const jit::CompilationFailure& failure) {
      CHECK(fixture::contains(failure.what(), "undeclared_thing"));
    }
  }
  CHECK(jit::statistics().failures == failures);
  runtime::injection::reset("compilation:1");
  CHECK_FALSE(refusal_of(injected).empty());
  jit::wait_for_background();
  CHECK(jit::statistics().failures == failures + 1);
  CHECK_FALSE(refusal_of(injected).empty());
  jit::wait_for_background();
  CHECK_NOTHROW(jit::kernel(injected));
  runtime::injection::reset("");
}

TEST_CASE("where nothing may be compiled a kernel is refused, and another one that is there is not") {
  const jit::Request there = fixture::fresh_probe(), missing = fixture::fresh_probe();
  jit::kernel(there);
  const WhenMissing never(Missing::refuse);
  CHECK_NOTHROW(jit::kernel(there));
  CHECK(refusal_of(missing) == "a kernel is not compiled: probe");
  {
    const WhenMissing background(Missing::background);
    CHECK(refusal_of(missing) == "a kernel is being compiled: probe");
  }
  jit::wait_for_background();
  CHECK_NOTHROW(jit::kernel(missing));
}

TEST_CASE("ends while a kernel is being compiled", "[.ends]") {
  const WhenMissing background(Missing::background);
  refusal_of(endless());
  refusal_of(fixture::fresh_probe());
}

TEST_CASE("a process that ends stops its compilations") {
  const auto start = std::chrono::steady_clock::now();
  const fixture::Outcome outcome = fixture::run_self("[.ends]", {});
  INFO(outcome.output);
  CHECK(outcome.status == 0);
  // By far less than the compilation's limit.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

TEST_CASE("forks while a kernel is being compiled", "[.forks]") {
  const WhenMissing background(Missing::background);
  const jit::Request request = fixture::fresh_probe();
  refusal_of(endless());
  refusal_of(request);
  int status = -1;
  const pid_t child = fork();
  if (child == 0) {
    const bool refused = !jit::in_background([] {});
    std::exit(refused ? 0 : 1);
  }
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  // The parent's threads go on.
  for (int tries = 0; tries < 20000 && !refusal_of(request).empty(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK_NOTHROW(jit::kernel(request));
}

TEST_CASE("a forked child ends at once, and its parent's compilations go on") {
  const fixture::Outcome outcome = fixture::run_self("[.forks]", {});
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}

TEST_CASE("in the background NVRTC compiles in a process of its own, as this one may end meanwhile") {
  try {
    if (!jit::compiler_for("sm_90").can_be_stopped()) return;  // the command is not built
  } catch (const jit::CompilationFailure& failure) {
    WARN("skipped: " << failure.what());
    return;
  }
  const auto seconds_of_children = [] {
    rusage used = {};
    getrusage(RUSAGE_CHILDREN, &used);
    return double(used.ru_utime.tv_sec) + 1e-6 * double(used.ru_utime.tv_usec);
  };
  const double before = seconds_of_children();
  const jit::Request request = fixture::fresh_probe();
  std::string image, failure;
  REQUIRE(jit::in_background([&] {
    try {
      image = jit::compile(request, "sm_90").image;
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }));
  jit::wait_for_background();
  CHECK(failure.empty());
  CHECK(image.substr(1, 3) == "ELF");
  CHECK(seconds_of_children() > before);
}
