// Which device a setting gives, the reasons when there is none, and the memory limit.
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/runtime/device_choice.h"
#include "src/support/settings.h"
#include "tests/catch.h"

using namespace cugrb;
using namespace cugrb::runtime;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Settings for one scope.
struct WithSettings {
  explicit WithSettings(const Settings& changed) : before(settings()) { override_settings(changed); }
  ~WithSettings() { override_settings(before); }
  const Settings before;
};

}  // namespace

TEST_CASE("every setting gives a device or a reason, never both and never neither") {
  for (const char* setting : {"auto", "gpu", "gpu:0", "gpu:99", "gpu:123456789012", "gpu:", "gpu:x",
                              "emulated", "none", "", "cpu"}) {
    INFO(setting);
    const Choice choice = choose_device(setting);
    CHECK((choice.device != nullptr) == choice.reason.empty());
  }
}

TEST_CASE("reasons say in words why there is no device") {
  CHECK(contains(choose_device("none").reason, "CUGRB_DEVICE=none"));
  CHECK(contains(choose_device("cpu").reason, "CUGRB_DEVICE=cpu"));
  const std::string missing = choose_device("gpu:99").reason;
  INFO(missing);
  CHECK((contains(missing, "no GPU 99") || contains(missing, "no NVIDIA") || contains(missing, "too old") ||
         contains(missing, "has no CUDA device")));
}

TEST_CASE("a GPU before compute capability 7.5 is refused with its name and number, later ones are not") {
  const std::string reason = too_old_reason("GPU 0 (Tesla P100)", 6, 0);
  CHECK(contains(reason, "GPU 0 (Tesla P100)"));
  CHECK(contains(reason, "6.0"));
  CHECK(contains(reason, "7.5"));
  CHECK_FALSE(too_old_reason("", 7, 0).empty());
  CHECK_FALSE(too_old_reason("", 3, 7).empty());
  for (const auto& [major, minor] : {std::pair{7, 5}, {8, 0}, {8, 9}, {9, 0}, {10, 0}, {12, 1}}) {
    CHECK(too_old_reason("", major, minor).empty());
  }
}

TEST_CASE("auto takes a GPU or nothing, never the emulated device") {
  const Choice choice = choose_device("auto");
  if (choice.device != nullptr) {
    CHECK(choice.device->properties().kind == Kind::cuda);
  } else {
    INFO(choice.reason);
    CHECK_FALSE(choice.reason.empty());
    CHECK(choose_device("gpu").reason == choice.reason);
    // Without a driver's device file the reason names the driver (or the build).
    if (access("/dev/nvidiactl", F_OK) != 0) {
      CHECK((contains(choice.reason, "driver") || contains(choice.reason, "no NVIDIA") ||
             contains(choice.reason, "has no CUDA device")));
    }
  }
}

TEST_CASE("the memory limit is kept: beyond it OutOfMemory, after a release there is room again") {
  Settings limited = settings();
  limited.memory_limit_bytes = size_t(16) << 20;
  const WithSettings scope(limited);
  const Choice choice = choose_device(limited.device);
  REQUIRE(choice.device != nullptr);
  Device& d = *choice.device;
  CHECK(d.memory().total_bytes <= limited.memory_limit_bytes);
  void* first = d.allocate(size_t(9) << 20);
  CHECK_THROWS_AS(d.allocate(size_t(9) << 20), OutOfMemory);
  CHECK_THROWS_AS(d.allocate(SIZE_MAX / 2 + 1), OutOfMemory);
  CHECK_THROWS_AS(d.allocate(SIZE_MAX), OutOfMemory);
  void* small = d.allocate(1000);
  d.release(first);
  void* second =
      d.allocate(size_t(12) << 20);  // does not fit beside the first one's memory if that were kept
  CHECK(second != nullptr);
  d.release(small);
  d.release(second);
}

TEST_CASE("a forked child has no device, and says why") {
  REQUIRE(available());
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    mark_forked();
    bool threw = false;
    try {
      device();
    } catch (const NoDevice&) {
      threw = true;
    }
    _exit(threw && !available() && contains(unavailable_reason(), "fork") ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(available());
}
