// Several devices in one process: how they are chosen, and what lies and is queued where.
#include <numeric>
#include <optional>
#include <thread>

#include "cuda/runtime/buffer.h"
#include "cuda/runtime/device_choice.h"
#include "tests/catch.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using namespace cugrb::runtime;

namespace {

const char* list_of_devices = nullptr;

/// What is wrong with such a CUGRB_DEVICES.
std::string error_of(const char* list) {
  list_of_devices = list;
  return parse_settings([](const char* name) {
           return std::string(name) == "CUGRB_DEVICES" ? list_of_devices : nullptr;
         })
      .error;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("CUGRB_DEVICES gives as many devices as it names, or a reason") {
  for (const char* list : {"0", "0,1", "2,0,1", "all"}) {
    INFO(list);
    const Choices made = choose_devices("emulated", list);
    REQUIRE(made.reason == "");
    CHECK(made.devices.size() == (std::string(list) == "all" ? 1 : (std::string(list).size() + 1) / 2));
    for (size_t n = 0; n < made.devices.size(); ++n) {
      CHECK(made.devices[n]->properties().place == n);
      CHECK(made.devices[n]->properties().kind == Kind::emulated);
    }
  }
  CHECK(choose_devices("emulated", "2,0,1").devices[0]->properties().number == 2);
  CHECK(choose_devices("emulated", "").devices.size() == 1);
  for (const char* setting : {"none", "gpu:0"})
    CHECK(contains(choose_devices(setting, "0,1").reason, setting));
  CHECK(
      contains(choose_devices("emulated", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16").reason, "16 at most"));
  const Choices missing = choose_devices("gpu", "0,99");
  CHECK(missing.devices.empty());
  CHECK_FALSE(missing.reason.empty());
}

TEST_CASE("emulated devices may differ in multiprocessors and memory") {
  setenv("CUGRB_EMULATED_DEVICES", "4:1000000,2:50000", 1);
  const Choices made = choose_devices("emulated", "0,1,2");
  REQUIRE(made.reason == "");
  CHECK(made.devices[0]->properties().multiprocessors == 4);
  CHECK(made.devices[1]->properties().multiprocessors == 2);
  CHECK(made.devices[1]->memory().total_bytes == 50000);
  CHECK_THROWS_AS(made.devices[1]->allocate(60000), OutOfMemory);
  CHECK(made.devices[2]->memory().total_bytes == 1000000);
  for (const char* wrong : {"", "4", "4:", ":5", "0:5", "4:0", "x:5"}) {
    setenv("CUGRB_EMULATED_DEVICES", wrong, 1);
    CHECK(contains(choose_devices("emulated", "0,1").reason, "CUGRB_EMULATED_DEVICES"));
  }
  unsetenv("CUGRB_EMULATED_DEVICES");
}

TEST_CASE("a list of devices that is none is an error of the settings") {
  for (const char* good : {"0", "0,1", "all", "15,3"}) CHECK(error_of(good) == "");
  for (const char* bad : {",", "0,", ",0", "0,0", "x", "0 1", "-1", "gpu:0", "1000"}) {
    INFO(bad);
    CHECK(contains(error_of(bad), "CUGRB_DEVICES"));
  }
}

TEST_CASE("a thread works on the first device, or on that of the innermost scope") {
  Device& first = device();
  CHECK(&first == devices().front());
  Device& last = *devices().back();
  {
    const OnDevice there(last);
    CHECK(&device() == &last);
    CHECK(&Buffer(16).device() == &last);
    {
      const OnDevice back(first);
      CHECK(&device() == &first);
    }
    CHECK(&device() == &last);
    std::thread([&] { CHECK(&device() == &first); }).join();
  }
  CHECK(&device() == &first);
}

TEST_CASE("memory belongs to its device; copies between devices keep the order of what is queued") {
  std::vector<uint32_t> numbers(100000);
  std::iota(numbers.begin(), numbers.end(), 7);
  const Buffer here = Buffer::from_host(numbers.data(), numbers.size() * 4);
  for (Device* target : devices()) {
    const Buffer there = here.copy_on(*target);
    CHECK(&there.device() == target);
    here.device().fill_bytes(here.data(), 0, 400);  // behind the copy
    CHECK(there.to_host<uint32_t>(numbers.size()) == numbers);
    CHECK(&there.clone().device() == target);
    const Buffer back = there.copy_on(device());
    CHECK(back.to_host<uint32_t>(numbers.size()) == numbers);
    here.device().copy_on_device(here.data(), back.data(), numbers.size() * 4);
  }
}

TEST_CASE("an emulated device refuses memory that is another one's") {
  Device& first = device();
  if (first.properties().kind != Kind::emulated) return;
  const Buffer there(64, *devices().back());
  char host[64] = {};
  CHECK_THROWS_AS(first.copy_to_device(there.data(), host, sizeof host), DeviceFailure);
  CHECK_THROWS_AS(first.fill_bytes(there.data(), 0, 64), DeviceFailure);
  const Buffer here(64);
  CHECK_THROWS_AS(first.copy_from_peer(here.data(), first, there.data(), 64), DeviceFailure);
}

TEST_CASE("a copy that was started is there when it has landed, and what comes next does not wait for it") {
  std::vector<uint32_t> numbers(100000);
  std::iota(numbers.begin(), numbers.end(), 7);
  Device& first = device();
  for (Device* target : devices()) {
    const Buffer here = Buffer::from_host(numbers.data(), numbers.size() * 4);
    const Buffer there(numbers.size() * 4, *target), other(400, *target);
    target->follow(first);
    target->beside([&] {
      target->copy_from_peer(there.data(), first, here.data(), numbers.size() * 4);
      target->copy_from_peer(there.data(), first, here.data(), 0);
    });
    target->fill_bytes(other.data(), 1, 400);
    CHECK(other.to_host<uint8_t>(400) == std::vector<uint8_t>(400, 1));
    target->land();
    first.follow(*target);
    first.fill_bytes(here.data(), 0, 400);  // behind the copy
    CHECK(there.to_host<uint32_t>(numbers.size()) == numbers);
    target->land();  // nothing is under way
  }
}

TEST_CASE("an emulated device tells of a started copy whose memory has gone") {
  Device& first = device();
  if (first.properties().kind != Kind::emulated) return;
  const Buffer to(64);
  // Where this thread is held up, the copy is made before the memory goes.
  bool is_told = false;
  for (int tries = 0; tries < 50 && !is_told; ++tries) {
    std::optional<Buffer> from(std::in_place, 64);
    first.beside([&] { first.copy_from_peer(to.data(), first, from->data(), 64); });
    from.reset();
    try {
      first.land();
    } catch (const DeviceFailure&) {
      is_told = true;
    }
  }
  CHECK(is_told);
  first.land();
  const Buffer there(64, *devices().back());
  if (devices().size() > 1)
    CHECK_THROWS_AS(first.beside([&] { first.copy_from_peer(to.data(), first, there.data(), 64); }),
                    DeviceFailure);
  first.land();
}
