// What the runtime costs. Hidden (run: test_runtime "[.speed]" -s): figures depend on the machine; on a GPU
// the bars are checked.
#include <chrono>
#include <cstdio>

#include "cuda/runtime/buffer.h"
#include "tests/catch.h"

using namespace cugrb::runtime;

namespace {

template <class Work>
double seconds_each(int repeats, const Work& work) {
  work();  // pinned memory, pool growth, page faults
  device().synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) work();
  device().synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeats;
}

}  // namespace

TEST_CASE("speed of copies, allocations and small reads", "[.speed]") {
  Device& d = device();
  const bool on_gpu = d.properties().kind == Kind::cuda;
  std::printf("%s\n", d.properties().name.c_str());
  for (const size_t megabytes : {1, 8, 64, 512}) {
    const size_t bytes = megabytes << 20;
    std::vector<char> host(bytes, 1);
    const Buffer buffer(bytes);
    const double up = seconds_each(5, [&] { d.copy_to_device(buffer.data(), host.data(), bytes); });
    const double down = seconds_each(5, [&] { d.copy_to_host(host.data(), buffer.data(), bytes); });
    std::printf("%4zu MiB: up %6.2f GB/s, down %6.2f GB/s\n", megabytes, double(bytes) / up * 1e-9,
                double(bytes) / down * 1e-9);
    if (on_gpu && megabytes == 512) CHECK(double(bytes) / up > 10e9);
  }
  for (const size_t bytes : {size_t(64), size_t(4096), size_t(16) << 20, size_t(100) << 20}) {
    const int repeats = on_gpu || bytes < 10000 ? 10000 : 20;  // the emulated device poisons what it gives
    const double each = seconds_each(repeats, [&] { d.release(d.allocate(bytes)); });
    std::printf("allocate and release %10zu bytes: %7.1f ns\n", bytes, each * 1e9);
    if (on_gpu) CHECK(each < 2e-6);
  }
  const Buffer small = Buffer::zeroed(4096);
  const double read = seconds_each(2000, [&] { small.read<uint64_t>(); });
  const uint64_t word = 1;
  const double write = seconds_each(2000, [&] { d.copy_to_device(small.data(), &word, 8); });
  const double fill = seconds_each(2000, [&] { d.fill_bytes(small.data(), 0, 4096); });
  std::printf("8 bytes down %.2f us, 8 bytes up %.2f us, fill of 4 KiB %.2f us\n", read * 1e6, write * 1e6,
              fill * 1e6);
  if (on_gpu) CHECK(read < 50e-6);
}
