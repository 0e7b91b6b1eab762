// What the JIT costs. Hidden (run: test_jit "[.speed]" -s).
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cuda/runtime/buffer.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;

namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("speed of a cold kernel, a kernel on disk, a kernel in memory, and a launch", "[.speed]") {
  runtime::Device& d = runtime::device();
  jit::kernel(fixture::fresh_probe());  // opens the compiler
  std::vector<double> cold, disk;
  std::vector<jit::Request> requests;
  for (int i = 0; i < 9; ++i) {
    requests.push_back(fixture::fresh_probe());
    cold.push_back(seconds_of([&] { jit::kernel(requests.back()); }));
  }
  jit::forget_kernels();
  for (const jit::Request& request : requests) disk.push_back(seconds_of([&] { jit::kernel(request); }));
  std::sort(cold.begin(), cold.end());
  std::sort(disk.begin(), disk.end());

  constexpr int repeats = 100000;
  jit::Request longer = requests[0];
  longer.preamble = "// " + std::string(300, 'x') + "\n";  // as long as a real template-id
  const runtime::Kernel& kernel = jit::kernel(longer);
  const double hit = seconds_of([&] {
    for (int i = 0; i < repeats; ++i) jit::kernel(longer);
  });
  const runtime::Buffer x = runtime::Buffer::zeroed(4), y = runtime::Buffer::zeroed(4);
  const fixture::ProbeArguments arguments{x.data(), y.data(), 1};
  constexpr int launches = 2000;
  const auto launch_all = [&] {
    for (int i = 0; i < launches; ++i) runtime::launch(d, kernel, {1, 32, 0}, arguments);
  };
  launch_all();
  d.synchronize();
  const double queued = seconds_of(launch_all);
  const double done = queued + seconds_of([&] { d.synchronize(); });
  std::printf(
      "%s: cold %.1f ms (median; worst %.1f), disk %.3f ms, memory %.1f ns, launch %.2f us queued, %.2f us "
      "done\n",
      d.properties().name.c_str(), cold[4] * 1e3, cold.back() * 1e3, disk[4] * 1e3, hit / repeats * 1e9,
      queued / launches * 1e6, done / launches * 1e6);
  if (d.properties().kind == runtime::Kind::cuda) {
    CHECK(cold[4] < 0.2);
    CHECK(hit / repeats < 200e-9);
  }
}
