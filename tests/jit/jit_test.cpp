// From a request to a running kernel, and every way in which that fails; on whichever device CUGRB_DEVICE
// names.
#include <set>
#include <thread>

#include "cuda/runtime/buffer.h"
#include "cuda/runtime/injection.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
using fixture::ProbeArguments;
using runtime::Buffer;

namespace {

std::string failure_of(const jit::Request& request) {
  try {
    jit::kernel(request);
  } catch (const jit::CompilationFailure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a specialisation is compiled once, runs, and comes from memory afterwards") {
  const jit::Request request = fixture::fresh_probe();
  const jit::Statistics before = jit::statistics();
  const runtime::Kernel& first = jit::kernel(request);
  const runtime::Kernel& second = jit::kernel(request);
  CHECK(&first == &second);
  CHECK(first.name == request.name);
  const jit::Statistics after = jit::statistics();
  CHECK(after.requests == before.requests + 2);
  CHECK(after.memory_hits == before.memory_hits + 1);
  CHECK(after.compiled == before.compiled + 1);
  CHECK(after.compile_seconds > before.compile_seconds);
  CHECK(fixture::run_floats(fixture::probe("add<float, 3>"), {1, 2, 3}) == std::vector<float>{4, 5, 6});
}

TEST_CASE("template-ids may use names that C has as global functions") {
  CHECK(fixture::run_floats(fixture::probe("y0<float>"), {1, 2}) == std::vector<float>{2, 3});
  CHECK(fixture::run_floats(fixture::probe("remainder<float>"), {1, 2}) == std::vector<float>{2, 4});
}

TEST_CASE("a second process finds the kernel on disk and compiles nothing") {
  const jit::Request request = fixture::fresh_probe();
  jit::kernel(request);
  jit::forget_kernels();  // what a new process starts with
  const jit::Statistics before = jit::statistics();
  const uint64_t noted = trace::current().compiled;
  jit::kernel(request);
  const jit::Statistics after = jit::statistics();
  CHECK(after.disk_hits == before.disk_hits + 1);
  CHECK(after.compiled == before.compiled);
  CHECK(trace::current().compiled == noted);
  jit::kernel(fixture::fresh_probe());
  CHECK(trace::current().compiled == noted + 1);
}

TEST_CASE("user-defined operators and types travel in the preamble") {
  const std::string preamble =
      "typedef struct { float re, im; } pair_t;\n"
      "struct my_swap { using type = pair_t;\n"
      "  static CUGRB_DEVICE pair_t apply(pair_t x) { pair_t z; z.re = x.im; z.im = x.re; return z; } };\n";
  const jit::Request request = fixture::probe("my_swap", preamble);
  const std::vector<float> x = {1, 2, 3, 4};
  const Buffer from = Buffer::from_host(x.data(), 16), to(16);
  runtime::launch(runtime::device(), jit::kernel(request), {1, 32, 0},
                  ProbeArguments{from.data(), to.data(), 2});
  CHECK(to.to_host<float>(4) == std::vector<float>{2, 1, 4, 3});
  // The same name with another definition is another kernel.
  const jit::Request other = fixture::probe("my_swap", preamble + "// changed\n");
  CHECK(&jit::kernel(other) != &jit::kernel(request));
}

TEST_CASE("a kernel that does not compile gives the compiler's message, and is not tried again") {
  const jit::Request request{"broken.h", "broken<float>", ""};
  const uint64_t failures = jit::statistics().failures;
  const std::string message = failure_of(request);
  INFO(message);
  CHECK(fixture::contains(message, "undeclared_thing"));
  CHECK(fixture::contains(message, "broken<float>"));
  CHECK(failure_of(request) == message);
  CHECK(jit::statistics().failures == failures + 1);
}

TEST_CASE("a definition that does not compile gives a message that points into the definition") {
  const std::string message =
      failure_of(fixture::probe("mine", "struct mine {\n  using type = nonsense;\n};\n"));
  INFO(message);
  CHECK(fixture::contains(message, "nonsense"));
  CHECK((fixture::contains(message, "definition:2") || fixture::contains(message, "definition(2)")));
}

TEST_CASE("host and kernel agree about the size of the arguments, or the kernel is refused") {
  jit::Request request = fixture::fresh_probe();
  request.argument_bytes = sizeof(ProbeArguments) - 8;
  CHECK(fixture::contains(failure_of(request), "the host passes arguments of another size"));
  request = fixture::fresh_probe();
  request.argument_bytes = sizeof(ProbeArguments);
  CHECK(failure_of(request) == "");
}

TEST_CASE("an unknown family or a malformed template-id is a compilation failure") {
  CHECK(fixture::contains(failure_of({"no_such_family.h", "f<float>", ""}), "no_such_family.h"));
  CHECK_FALSE(failure_of({"probe.h", "probe<", ""}).empty());
  CHECK_FALSE(failure_of({"probe.h", "no_such_kernel<float>", ""}).empty());
  CHECK_FALSE(failure_of({"probe.h", "", ""}).empty());
}

TEST_CASE("an injected compilation failure is reported once and not remembered") {
  const jit::Request request = fixture::fresh_probe(), other = fixture::fresh_probe();
  runtime::injection::reset("compilation:2");
  CHECK_NOTHROW(jit::kernel(other));
  CHECK(fixture::contains(failure_of(request), "injected"));
  CHECK_NOTHROW(jit::kernel(request));
  runtime::injection::reset("");
}

TEST_CASE("where compiling is forbidden kernels come from memory and disk, and a refusal is not remembered") {
  const jit::Request request = fixture::fresh_probe();
  {
    const jit::WhenMissing forbidden(jit::Missing::refuse);
    { const jit::WhenMissing nested(jit::Missing::refuse); }
    CHECK_THROWS_AS(jit::kernel(request), jit::NotCompiled);
    CHECK_THROWS_AS(jit::kernel(request), jit::NotCompiled);
  }
  const uint64_t failures = jit::statistics().failures;
  const runtime::Kernel& compiled = jit::kernel(request);
  const jit::WhenMissing forbidden(jit::Missing::refuse);
  CHECK(&jit::kernel(request) == &compiled);
  jit::forget_kernels();
  CHECK_NOTHROW(jit::kernel(request));
  CHECK(jit::statistics().failures == failures);
}

TEST_CASE("threads that ask for the same kernels get the same ones, each compiled once") {
  std::vector<jit::Request> requests;
  for (int i = 0; i < 3; ++i) requests.push_back(fixture::fresh_probe());
  const uint64_t compiled = jit::statistics().compiled;
  std::vector<std::vector<const runtime::Kernel*>> seen(6);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < requests.size(); ++i)
        seen[t].push_back(&jit::kernel(requests[(i + t) % requests.size()]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<const runtime::Kernel*> distinct;
  for (const auto& kernels : seen) distinct.insert(kernels.begin(), kernels.end());
  CHECK(distinct.size() == requests.size());
  CHECK(jit::statistics().compiled == compiled + requests.size());
}

TEST_CASE("requests_so_far lists each request once, in order") {
  jit::forget_kernels();
  const jit::Request a = fixture::probe("add<float, 1>"), b = fixture::probe("add<float, 2>");
  for (const jit::Request& request : {a, b, a}) jit::kernel(request);
  const std::vector<jit::Request> listed = jit::requests_so_far();
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].name == a.name);
  CHECK(listed[1].name == b.name);
}

TEST_CASE("a launch of no blocks runs nothing, an impossible one fails and leaves the device usable") {
  runtime::Device& d = runtime::device();
  const runtime::Kernel& kernel = jit::kernel(fixture::probe("add<float, 1>"));
  const Buffer y = Buffer::zeroed(8), x = Buffer::zeroed(8);
  const ProbeArguments arguments{x.data(), y.data(), 2};
  runtime::launch(d, kernel, {0, 64, 0}, arguments);
  CHECK(y.read<float>() == 0);
  CHECK_THROWS_AS(runtime::launch(d, kernel, {1, 2048, 0}, arguments), runtime::DeviceFailure);
  CHECK_THROWS_AS(runtime::launch(d, kernel, {1, 64, size_t(1) << 30}, arguments), runtime::DeviceFailure);
  runtime::injection::reset("launch:1");
  CHECK_THROWS_AS(runtime::launch(d, kernel, {1, 64, 0}, arguments), runtime::DeviceFailure);
  runtime::injection::reset("");
  CHECK(y.read<float>() == 0);
  runtime::launch(d, kernel, {1, 64, 0}, arguments);
  CHECK(y.read<float>() == 1);
}

TEST_CASE("a block may use as much dynamic shared memory as the properties promise") {
  runtime::Device& d = runtime::device();
  const uint64_t n = d.properties().shared_bytes_per_block / sizeof(float);
  std::vector<float> x(n);
  for (uint64_t i = 0; i < n; ++i) x[i] = float(i);
  const Buffer from = Buffer::from_host(x.data(), n * 4), to(n * 4);
  const runtime::Kernel& kernel = jit::kernel({"probe.h", "reverse<float>", ""});
  for (const uint64_t count : {uint64_t(100), n}) {
    runtime::launch(d, kernel, {1, 256, count * 4}, ProbeArguments{from.data(), to.data(), count});
    std::vector<float> expected(x.begin(), x.begin() + long(count));
    std::reverse(expected.begin(), expected.end());
    CHECK(to.to_host<float>(count) == expected);
  }
}

TEST_CASE("arguments are copied before launch returns") {
  runtime::Device& d = runtime::device();
  const runtime::Kernel& kernel = jit::kernel(fixture::probe("add<float, 1>"));
  std::vector<float> expected;
  const Buffer x = Buffer::zeroed(4);
  const Buffer y = Buffer::zeroed(400);
  for (int i = 0; i < 100; ++i) {
    ProbeArguments arguments{x.data(), y.as<float>() + i, 1};
    runtime::launch(d, kernel, {1, 32, 0}, arguments);
    arguments = {nullptr, nullptr, 1};
    expected.push_back(1);
  }
  CHECK(y.to_host<float>(100) == expected);
}

TEST_CASE("after a kernel that wrote wild, a GPU refuses everything with the same reason", "[.wild]") {
  runtime::Device& d = runtime::device();
  const Buffer before = Buffer::zeroed(4);
  runtime::launch(d, jit::kernel({"probe.h", "wild<float>", ""}), {1, 32, 0}, ProbeArguments{});
  CHECK_THROWS_AS(d.synchronize(), runtime::DeviceFailure);
  CHECK_THROWS_AS(d.allocate(10), runtime::DeviceFailure);
  CHECK_THROWS_AS(before.read<float>(), runtime::DeviceFailure);
  CHECK_THROWS_AS(d.mark(), runtime::DeviceFailure);
  d.release(d.allocate(0));
  d.trim();
}

TEST_CASE("a sticky CUDA error makes the device unusable, without an abort") {
  if (runtime::device().properties().kind != runtime::Kind::cuda) return;  // only a GPU survives a wild write
  const fixture::Outcome outcome = fixture::run_self("[.wild]", {});
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}
