#include "cuda/runtime/put_off.h"

#include <array>
#include <utility>

namespace cugrb::runtime {

thread_local bool PutOff::submitting_by_this_thread = false;

PutOff& PutOff::of(unsigned place) {
  static auto* const all = new std::array<PutOff, most_devices>;
  return all->at(place);
}

void PutOff::Hold::put(std::unique_ptr<Work> work) {
  put_off_.work_ = std::move(work);
  put_off_.waits_.store(true, std::memory_order_release);
}

void PutOff::submit() {
  submitting_by_this_thread = true;
  try {
    work_->submit();
  } catch (const std::exception& error) {
    failure_ = std::string("work that was put off: ") + error.what();
  }
  submitting_by_this_thread = false;
  work_.reset();
  const std::vector<Kept> kept = std::exchange(kept_, {});
  waits_.store(!failure_.empty(), std::memory_order_release);
  // After the work has been queued: its memory is used again in the stream's order.
  for (const Kept& memory : kept) memory.device->release(memory.memory);
}

void PutOff::settle_now() {
  if (submitting_by_this_thread) return;
  const std::lock_guard<std::recursive_mutex> guard(mutex_);
  if (work_ != nullptr) submit();
  if (!failure_.empty()) throw DeviceFailure(failure_);
}

void PutOff::settle_for_now(const void* memory, size_t bytes) {
  if (submitting_by_this_thread) return;
  const std::lock_guard<std::recursive_mutex> guard(mutex_);
  if (work_ == nullptr || work_->writes(memory, bytes)) settle_now();
}

bool PutOff::keep(Device& device, void* memory) noexcept try {
  if (submitting_by_this_thread) return false;
  const std::lock_guard<std::recursive_mutex> guard(mutex_);
  if (work_ == nullptr) return false;
  kept_.push_back({&device, memory});
  return true;
} catch (const std::exception&) {  // no host memory to remember it: then it must be done with
  try {
    settle_now();
  } catch (const std::exception&) {
    // The device cannot be used any more, and its memory neither.
  }
  return false;
}

}  // namespace cugrb::runtime
