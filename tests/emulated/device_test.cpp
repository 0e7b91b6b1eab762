// The emulated device behind runtime::Device: memory, guards, limits, loading, launches, failures.
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "cuda/emulated/emulated_device.h"
#include "cuda/runtime/injection.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/emulated/object_arguments.h"

using namespace cugrb;

namespace {

#if defined(CUGRB_SANITIZE)
const bool address_sanitizer = std::string(CUGRB_SANITIZE).find("address") != std::string::npos;
#else
const bool address_sanitizer = false;
#endif

std::unique_ptr<runtime::Device> device_of(size_t limit_bytes) {
  Settings settings;
  settings.memory_limit_bytes = limit_bytes;
  override_settings(settings);
  return emulated::make_device();
}

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const runtime::DeviceFailure& failure) {
    return failure.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("memory is aligned, poisoned, counted, limited") {
  const auto device = device_of(10000);
  REQUIRE(device->properties().kind == runtime::Kind::emulated);
  REQUIRE(device->properties().architecture == "host");
  REQUIRE(device->memory().total_bytes == 10000);
  REQUIRE(device->allocate(0) == nullptr);
  device->release(nullptr);
  void* first = device->allocate(6000);
  REQUIRE(reinterpret_cast<uintptr_t>(first) % 256 == 0);
  std::vector<unsigned char> host(6000);
  device->copy_to_host(host.data(), first, 6000);
  REQUIRE(host == std::vector<unsigned char>(6000, 0xCB));
  REQUIRE(device->memory().free_bytes == 4000);
  REQUIRE_THROWS_AS(device->allocate(4001), runtime::OutOfMemory);
  void* second = device->allocate(4000);
  REQUIRE(device->memory().free_bytes == 0);
  device->release(first);
  device->release(second);
  REQUIRE(device->memory().free_bytes == 10000);
}

TEST_CASE("copies and fills arrive, and must stay inside one allocation") {
  const auto device = device_of(0);
  const std::vector<int> numbers = {1, 2, 3, 4};
  void* a = device->allocate(16);
  void* b = device->allocate(16);
  device->copy_to_device(a, numbers.data(), 16);
  device->copy_on_device(b, a, 16);
  device->fill_bytes(static_cast<char*>(b) + 4, 0, 4);
  std::vector<int> back(4);
  device->copy_to_host(back.data(), b, 16);
  REQUIRE(back == std::vector<int>{1, 0, 3, 4});
  REQUIRE(
      contains(failure_of([&] { device->fill_bytes(static_cast<char*>(b) + 4, 0, 13); }), "one allocation"));
  REQUIRE(
      contains(failure_of([&] { device->copy_to_host(back.data(), back.data(), 16); }), "one allocation"));
  device->release(a);
  REQUIRE(contains(failure_of([&] { device->copy_to_device(a, numbers.data(), 16); }), "one allocation"));
  device->release(b);
}

TEST_CASE("a kernel object is loaded, bound and run; no blocks is no launch") {
  const auto device = device_of(0);
  const auto kernel = device->load(KERNEL_OBJECT, "scale_double");
  std::vector<double> host = {1, 2, 3};
  void* values = device->allocate(24);
  device->copy_to_device(values, host.data(), 24);
  const ScaleArguments arguments{values, 3, 2.5, 0};
  runtime::launch(*device, *kernel, {1, 128, 0}, arguments);
  runtime::launch(*device, *kernel, {0, 128, 0}, arguments);
  device->synchronize();
  device->copy_to_host(host.data(), values, 24);
  REQUIRE(host == std::vector<double>{2.5, 5, 7.5});
  device->release(values);
  REQUIRE(failure_of([&] { device->load(KERNEL_OBJECT, "no_such_symbol"); }) != "");
  REQUIRE(failure_of([&] { device->load("/no/such/object.so", "scale_double"); }) != "");
}

TEST_CASE("a launch that may overlap with the one before it runs a kernel that waits, and no other") {
  const auto device = device_of(0);
  const auto scale = device->load(KERNEL_OBJECT, "scale_double");
  const auto waits = device->load(KERNEL_OBJECT, "waits");
  std::vector<double> host = {1, 2, 3};
  void* values = device->allocate(24);
  device->copy_to_device(values, host.data(), 24);
  const ScaleArguments arguments{values, 3, 2, 0};
  runtime::LaunchShape shape{1, 128, 0};
  runtime::launch(*device, *waits, shape, arguments);
  shape.overlaps = true;
  runtime::launch(*device, *waits, shape, arguments);
  REQUIRE(contains(failure_of([&] { runtime::launch(*device, *scale, shape, arguments); }),
                   "did not wait for earlier kernels"));
  device->copy_to_host(host.data(), values, 24);
  REQUIRE(host == std::vector<double>{8, 16, 24});
  device->release(values);
}

TEST_CASE("launches that break a rule fail with the text, and the device goes on") {
  const auto device = device_of(0);
  const auto scale = device->load(KERNEL_OBJECT, "scale_double");
  const auto diverges = device->load(KERNEL_OBJECT, "diverges");
  void* values = device->allocate(80);
  device->fill_bytes(values, 0, 80);
  ScaleArguments arguments{values, 10, 1, 0};
  const std::string divergent = failure_of([&] {
    runtime::launch(*device, *diverges, {1, 128, 0}, arguments);
  });
  REQUIRE(contains(divergent, "not all threads of the block reach the barrier"));
  REQUIRE(contains(divergent, "kernel_object.cpp:"));
  REQUIRE(contains(failure_of([&] {
                     device->launch(*scale, {1, 128, 0}, &arguments, 8);
                   }),
                   "argument bytes"));
  REQUIRE(contains(failure_of([&] { runtime::launch(*device, *scale, {1, 2000, 0}, arguments); }), "1024"));
  if (!address_sanitizer) {
    arguments.overrun = 1;
    const std::string overrun = failure_of([&] { runtime::launch(*device, *scale, {1, 128, 0}, arguments); });
    REQUIRE(contains(overrun, "past the end of an allocation of 80 bytes"));
    arguments.overrun = 0;
  }
  REQUIRE(failure_of([&] { runtime::launch(*device, *scale, {1, 128, 0}, arguments); }) == "");
  device->release(values);
}

TEST_CASE("the n-th allocation and the n-th launch can be made to fail") {
  const auto device = device_of(0);
  runtime::injection::reset("allocation:2");
  void* first = device->allocate(8);
  REQUIRE_THROWS_AS(device->allocate(8), runtime::OutOfMemory);
  void* third = device->allocate(8);
  runtime::injection::reset("launch:1");
  const auto kernel = device->load(KERNEL_OBJECT, "scale_double");
  const ScaleArguments arguments{first, 1, 1, 0};
  REQUIRE(contains(failure_of([&] {
                     runtime::launch(*device, *kernel, {1, 32, 0}, arguments);
                   }),
                   "injected"));
  runtime::launch(*device, *kernel, {1, 32, 0}, arguments);
  runtime::injection::reset("");
  device->release(first);
  device->release(third);
}

TEST_CASE("a schedule that is none means no device") {
  setenv("CUGRB_EMULATED_SCHEDULE", "sideways", 1);
  REQUIRE_THROWS_AS(device_of(0), runtime::NoDevice);
  unsetenv("CUGRB_EMULATED_SCHEDULE");
  REQUIRE(device_of(0) != nullptr);
}

TEST_CASE("marks measure time") {
  const auto device = device_of(0);
  const uint64_t first = device->mark();
  const uint64_t second = device->mark();
  const double seconds = device->seconds_between(first, second);
  REQUIRE(seconds >= 0);
  REQUIRE(seconds < 60);
}
