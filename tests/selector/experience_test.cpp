// What calls took corrects the predictions.
#include "src/selector/experience.h"

#include <chrono>
#include <thread>

#include "tests/catch.h"

using namespace cugrb;
using selector::HostCall;
using selector::Kind;

namespace {

void host_call(const Kind& kind, double predicted, double takes) {
  HostCall::expect(kind, predicted);
  HostCall::begin();
  std::this_thread::sleep_for(std::chrono::duration<double>(takes));
  HostCall::end();
}

}  // namespace

TEST_CASE("calls on the CPU that take longer than predicted raise the factor of their kind alone") {
  const Kind slow{"a slow operation", false, 0}, other{"a slow operation", true, 0};
  CHECK(selector::host_factor(slow) == 1);
  double before = 1;
  for (int i = 0; i < 10; ++i) {
    host_call(slow, 1e-4, 2e-3);
    CHECK(selector::host_factor(slow) > before);
    before = selector::host_factor(slow);
  }
  CHECK(before > 5);
  CHECK(selector::host_factor(other) == 1);
  const Kind longer{"a slow operation", false, selector::magnitude_of(1e-3)};
  CHECK(selector::host_factor(longer) == 1);
}

TEST_CASE("the magnitude of a time") {
  CHECK(selector::magnitude_of(0) == 0);
  CHECK(selector::magnitude_of(9e-6) == 0);
  CHECK(selector::magnitude_of(11e-6) == 1);
  CHECK(selector::magnitude_of(0.9e-3) == 2);
  CHECK(selector::magnitude_of(1.1e-3) == 3);
  CHECK(selector::magnitude_of(20e-3) == 4);
  CHECK(selector::magnitude_of(20) == 4);
}

TEST_CASE("a call that nobody expected, or that did not begin, is not measured") {
  const Kind kind{"an unexpected operation", false, 0};
  HostCall::begin();
  HostCall::end();
  HostCall::expect(kind, 1e-9);
  HostCall::end();
  CHECK(selector::host_factor(kind) == 1);
  // The device has done the first call; the second one, which begins, is another.
  HostCall::expect(kind, 1e-9);
  HostCall::forget();
  HostCall::begin();
  HostCall::end();
  CHECK(selector::host_factor(kind) == 1);
  // One that began and came to no end is not what the next one is measured by.
  HostCall::expect(kind, 1e-9);
  HostCall::begin();
  HostCall::begin();
  HostCall::end();
  CHECK(selector::host_factor(kind) == 1);
}

TEST_CASE("factors stay within bounds") {
  const Kind kind{"an operation predicted far too short", false, 0};
  for (int i = 0; i < 40; ++i) host_call(kind, 1e-9, 1e-3);
  CHECK(selector::host_factor(kind) == Approx(50));
}

TEST_CASE("a call on the device costs what the shorter ones have taken, and no less than assumed") {
  const Kind kind{"an operation on the device", true, 0};
  CHECK(selector::device_call_seconds(kind, 60e-6) == 60e-6);
  for (int i = 0; i < 20; ++i) selector::ran_on_device(kind, 60e-6, 30e-6, true);
  CHECK(selector::device_call_seconds(kind, 60e-6) == 60e-6);
  for (int i = 0; i < 24; ++i) selector::ran_on_device(kind, 60e-6, 90e-6, true);
  CHECK(selector::device_call_seconds(kind, 60e-6) > 80e-6);
  CHECK(selector::device_call_seconds(kind, 60e-6) < 90e-6);
  // One that has compiled a kernel hardly counts.
  selector::ran_on_device(kind, 60e-6, 0.5, false);
  CHECK(selector::device_call_seconds(kind, 60e-6) < 93e-6);
}

TEST_CASE("calls on the device let the CPU's factor fade") {
  const Kind kind{"an operation whose host was busy once", false, 0};
  for (int i = 0; i < 10; ++i) host_call(kind, 1e-4, 2e-3);
  const double then = selector::host_factor(kind);
  for (int i = 0; i < 1000; ++i) selector::ran_on_device(kind, 10e-6, 10e-6, true);
  CHECK(selector::host_factor(kind) < 0.3 * then);
}
