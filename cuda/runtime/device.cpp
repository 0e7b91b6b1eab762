#include "cuda/runtime/device.h"

#include <atomic>
#include <mutex>

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
  std::atomic<Device*> device{nullptr};
  std::string reason;
};
State& state() {
  static State* const instance = new State;
  return *instance;
}
std::atomic<bool> forked{false};

Choice choose_gpu(int ordinal) noexcept {
#if defined(CUGRB_HAVE_CUDA)
  return make_cuda_device(ordinal);
#else
  static_cast<void>(ordinal);
  return {nullptr, "this build of cuGrB has no CUDA device"};
#endif
}

State& chosen() {
  State& s = state();
  std::call_once(s.once, [&s] {
    Choice choice = choose_device(settings().device);
    s.reason = choice.reason;
    s.device.store(choice.device.release(), std::memory_order_release);
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

std::string too_old_reason(const std::string& gpu, int major, int minor) {
  constexpr int oldest_major = 7, oldest_minor = 5;
  if (major > oldest_major || (major == oldest_major && minor >= oldest_minor)) return "";
  return gpu + " is too old: compute capability " + std::to_string(major) + "." + std::to_string(minor) +
         ", needed is " + std::to_string(oldest_major) + "." + std::to_string(oldest_minor);
}

Device& device() {
  if (forked.load(std::memory_order_relaxed)) throw NoDevice(forked_reason);
  Device* ready = state().device.load(std::memory_order_acquire);
  if (ready != nullptr) return *ready;
  State& s = chosen();
  ready = s.device.load(std::memory_order_acquire);
  if (ready == nullptr) throw NoDevice(s.reason);
  return *ready;
}

bool available() noexcept {
  if (forked.load(std::memory_order_relaxed)) return false;
  return state().device.load(std::memory_order_acquire) != nullptr ||
         chosen().device.load(std::memory_order_acquire) != nullptr;
}

std::string unavailable_reason() {
  if (forked.load(std::memory_order_relaxed)) return forked_reason;
  return chosen().reason;
}

void mark_forked() noexcept { forked.store(true, std::memory_order_relaxed); }
bool is_forked() noexcept { return forked.load(std::memory_order_relaxed); }

}  // namespace cugrb::runtime
