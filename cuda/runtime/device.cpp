#include "cuda/runtime/device.h"

#include <atomic>
#include <mutex>
#include <sstream>

#include "cuda/emulated/emulated_device.h"
#include "cuda/runtime/device_choice.h"
#include "src/support/settings.h"
#if defined(CUGRB_HAVE_CUDA)
#include "cuda/runtime/cuda_device.h"
#endif

namespace cugrb::runtime {
namespace {

const char* const forked_reason =
    "this process was forked from one that may have used the device; the child runs on the CPU";

/// The process's choice. Never destroyed: buffers held by static objects may be released after main().
struct State {
  std::once_flag once;
  std::atomic<Device*> first{nullptr};
  std::vector<Device*> devices;
  std::string reason;
};
State& state() {
  static State* const instance = new State;
  return *instance;
}
std::atomic<bool> forked{false};
thread_local Device* current = nullptr;

constexpr char no_cuda_reason[] = "this build of cuGrB has no CUDA device";

Choice choose_gpu(int ordinal) noexcept {
#if defined(CUGRB_HAVE_CUDA)
  return make_cuda_device(ordinal);
#else
  static_cast<void>(ordinal);
  return {nullptr, no_cuda_reason};
#endif
}

Choices choose_gpus(const std::vector<int>& ordinals) {
#if defined(CUGRB_HAVE_CUDA)
  return make_cuda_devices(ordinals);
#else
  static_cast<void>(ordinals);
  return {{}, no_cuda_reason};
#endif
}

/// The numbers of CUGRB_DEVICES; none for "all". Throws what std::stoi does.
std::vector<int> numbers_of(const std::string& list) {
  std::vector<int> numbers;
  if (list == "all") return numbers;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');) numbers.push_back(std::stoi(item));
  return numbers;
}

Choices emulated_devices(std::vector<int> numbers) {
  if (numbers.empty()) numbers = {0};
  Choices made;
  for (const int number : numbers) {
    const auto place = unsigned(made.devices.size());
    made.devices.push_back(emulated::make_device(place, number));
  }
  return made;
}

State& chosen() {
  State& s = state();
  std::call_once(s.once, [&s] {
    Choices choices = choose_devices(settings().device, settings().devices);
    s.reason = choices.reason;
    for (std::unique_ptr<Device>& device : choices.devices) s.devices.push_back(device.release());
    if (!s.devices.empty()) s.first.store(s.devices.front(), std::memory_order_release);
  });
  return s;
}

}  // namespace

Choice choose_device(const std::string& setting) noexcept try {
  if (setting == "none") return {nullptr, "CUGRB_DEVICE=none"};
  if (setting == "emulated") return {emulated::make_device(), ""};
  if (setting == "auto" || setting == "gpu") return choose_gpu(-1);
  if (setting.rfind("gpu:", 0) == 0 && setting.size() > 4 && setting.size() < 10 &&
      setting.find_first_not_of("0123456789", 4) == std::string::npos) {
    return choose_gpu(std::stoi(setting.substr(4)));
  }
  return {nullptr,
          "CUGRB_DEVICE=" + setting + " names no device: expected auto, gpu, gpu:N, emulated or none"};
} catch (const std::exception& error) {
  return {nullptr, error.what()};
}

Choices choose_devices(const std::string& setting, const std::string& list) noexcept try {
  Choices choices;
  if (list.empty()) {
    Choice choice = choose_device(setting);
    choices.reason = choice.reason;
    if (choice.device != nullptr) choices.devices.push_back(std::move(choice.device));
    return choices;
  }
  const std::vector<int> numbers = numbers_of(list);
  if (numbers.size() > most_devices) {
    choices.reason = "CUGRB_DEVICES names " + std::to_string(numbers.size()) + " devices, a process has " +
                     std::to_string(most_devices) + " at most";
  } else if (setting == "auto" || setting == "gpu") {
    choices = choose_gpus(numbers);
  } else if (setting == "emulated") {
    choices = emulated_devices(numbers);
  } else {
    choices.reason = "CUGRB_DEVICES=" + list + " does not go with CUGRB_DEVICE=" + setting +
                     ": expected auto, gpu or emulated";
  }
  return choices;
} catch (const std::exception& error) {
  return {{}, error.what()};
}

std::string too_old_reason(const std::string& gpu, int major, int minor) {
  constexpr int oldest_major = 7, oldest_minor = 5;
  if (major > oldest_major || (major == oldest_major && minor >= oldest_minor)) return "";
  return gpu + " is too old: compute capability " + std::to_string(major) + "." + std::to_string(minor) +
         ", needed is " + std::to_string(oldest_major) + "." + std::to_string(oldest_minor);
}

const std::vector<Device*>& devices() {
  if (forked.load(std::memory_order_relaxed)) throw NoDevice(forked_reason);
  const State& s = chosen();
  if (s.devices.empty()) throw NoDevice(s.reason);
  return s.devices;
}

Device& device() {
  if (forked.load(std::memory_order_relaxed)) throw NoDevice(forked_reason);
  if (current != nullptr) return *current;
  Device* const ready = state().first.load(std::memory_order_acquire);
  return ready != nullptr ? *ready : *devices().front();
}

OnDevice::OnDevice(Device& device) noexcept : before_(current) { current = &device; }
OnDevice::~OnDevice() { current = before_; }

bool available() noexcept {
  if (forked.load(std::memory_order_relaxed)) return false;
  return state().first.load(std::memory_order_acquire) != nullptr || !chosen().devices.empty();
}

std::string unavailable_reason() {
  if (forked.load(std::memory_order_relaxed)) return forked_reason;
  return chosen().reason;
}

void mark_forked() noexcept { forked.store(true, std::memory_order_relaxed); }
bool is_forked() noexcept { return forked.load(std::memory_order_relaxed); }

}  // namespace cugrb::runtime
