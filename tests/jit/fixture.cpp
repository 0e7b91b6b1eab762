#include "tests/jit/fixture.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>

#include "cuda/runtime/buffer.h"
#include "src/jit/process.h"

namespace fixture {
namespace {

using cugrb::jit::Request;

const char* const probe_header = R"(#pragma once
#include "cuda/kernels/base.h"
namespace cugrb {
struct ProbeArguments { const void* x; void* y; uint64_t n; };
/// The names of C's global functions, on purpose: they must not be ambiguous in a template-id.
template <class T> struct y0 { using type = T; static CUGRB_DEVICE T apply(T x) { return x + T(1); } };
template <class T> struct remainder { using type = T; static CUGRB_DEVICE T apply(T x) { return x * T(2); } };
template <class T, int k> struct add { using type = T; static CUGRB_DEVICE T apply(T x) { return x + T(k); } };
template <class Op> CUGRB_KERNEL(256) void probe(ProbeArguments a) {
  using T = typename Op::type;
  for (uint64_t i = global_thread(); i < a.n; i += global_threads()) {
    static_cast<T*>(a.y)[i] = Op::apply(static_cast<const T*>(a.x)[i]);
  }
}
/// y[i] = x[n - 1 - i] through dynamic shared memory; one block, n floats of it.
template <class T> CUGRB_KERNEL(256) void reverse(ProbeArguments a) {
  CUGRB_DYNAMIC_SHARED(T, kept);
  for (uint64_t i = thread_index(); i < a.n; i += block_threads()) kept[i] = static_cast<const T*>(a.x)[i];
  sync_block();
  for (uint64_t i = thread_index(); i < a.n; i += block_threads()) static_cast<T*>(a.y)[i] = kept[a.n - 1 - i];
}
/// Writes where nothing is.
template <class T> CUGRB_KERNEL(256) void wild(ProbeArguments a) {
  *reinterpret_cast<volatile T*>(uint64_t(16)) = T(1);
}
}  // namespace cugrb
)";
const char* const look_back_header = R"(#pragma once
#include "cuda/kernels/look_back.h"
namespace cugrb {
struct LookBackArguments { uint64_t* sums; uint64_t* before; uint64_t tile, own; };
/// What each lane of the tile's first warp learns.
template <class T> CUGRB_KERNEL(32) void look_back(LookBackArguments a) {
  a.before[thread_index()] = T(sum_before_tile(a.sums, a.tile, a.own));
}
}  // namespace cugrb
)";
const char* const broken_header = R"(#pragma once
#include "cuda/kernels/base.h"
namespace cugrb {
template <class T> CUGRB_KERNEL(256) void broken(T* x) { *x = undeclared_thing; }
}
)";

/// Before main(): settings and sources are read at the first use of the library.
struct Environment {
  std::unique_ptr<cugrb::jit::TemporaryDirectory> own = std::make_unique<cugrb::jit::TemporaryDirectory>();
  const cugrb::jit::TemporaryDirectory& directory = *own;
  const pid_t owner = getpid();
  /// A forked child leaves its parent's files alone.
  ~Environment() {
    if (getpid() != owner) static_cast<void>(own.release());
  }
  Environment() {
    cugrb::jit::write_file(directory.path() / "sources/cuda/kernels/probe.h", probe_header);
    cugrb::jit::write_file(directory.path() / "sources/cuda/kernels/look_back_probe.h", look_back_header);
    cugrb::jit::write_file(directory.path() / "sources/cuda/kernels/broken.h", broken_header);
    if (const char* convert = std::getenv("CUGRB_TEST_CONVERT")) {
      cugrb::jit::write_file(directory.path() / "sources/cuda/kernels/convert.h", convert);
    }
    setenv("CUGRB_KERNEL_SOURCES", (directory.path() / "sources").c_str(), 1);
    const char* chosen = std::getenv("CUGRB_TEST_CACHE");
    setenv("CUGRB_CACHE", chosen != nullptr ? chosen : (directory.path() / "cache").c_str(), 1);
  }
};
const Environment environment;

}  // namespace

const char* const exponential =
    "template <int n, int k> struct slow { static constexpr long v = slow<n - 1, 2 * k>::v + "
    "slow<n - 1, 2 * k + 1>::v; };\n"
    "template <int k> struct slow<0, k> { static constexpr long v = 1; };\n"
    "struct endless { using type = float;\n"
    "  static CUGRB_DEVICE float apply(float x) { return x + float(slow<30, 0>::v); } };\n";

Request probe(const std::string& op, const std::string& preamble) {
  return {"probe.h", "probe<" + op + ">", preamble};
}

Request fresh_probe() {
  static std::atomic<int> number{1000};
  return probe("add<float, " + std::to_string(number++) + ">");
}

std::vector<float> run_floats(const Request& request, const std::vector<float>& x) {
  using cugrb::runtime::Buffer;
  const Buffer from = Buffer::from_host(x.data(), x.size() * sizeof(float)), to(x.size() * sizeof(float));
  const ProbeArguments arguments{from.data(), to.data(), x.size()};
  cugrb::runtime::launch(cugrb::runtime::device(), cugrb::jit::kernel(request), {2, 64, 0}, arguments);
  return to.to_host<float>(x.size());
}

std::string new_directory() {
  static std::atomic<int> number{0};
  const auto path = environment.directory.path() / ("directory" + std::to_string(number++));
  std::filesystem::create_directories(path);
  return path;
}

Outcome run_self(const std::string& test, const std::vector<std::pair<std::string, std::string>>& changes) {
  for (const auto& [name, value] : changes) setenv(name.c_str(), value.c_str(), 1);
  const std::string log = new_directory() + "/log";
  const int status =
      cugrb::jit::run_program({std::filesystem::canonical("/proc/self/exe"), test}, log).status;
  for (const auto& change : changes) unsetenv(change.first.c_str());
  return {status, cugrb::jit::read_file(log)};
}

}  // namespace fixture
