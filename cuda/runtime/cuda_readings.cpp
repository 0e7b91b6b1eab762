#include "cuda/runtime/cuda_readings.h"

#include <cstring>

#include "cuda/runtime/cuda_post.h"
#include "cuda/runtime/cuda_staging.h"

namespace cugrb::runtime {

static_assert(most_reading_bytes <= most_posted_bytes);

class CudaReadings::Posted : public Reading {
 public:
  Posted(CudaReadings& owner, Slot& slot) : owner_(owner), slot_(slot) {}
  Posted(const Posted&) = delete;
  Posted& operator=(const Posted&) = delete;
  ~Posted() override { owner_.give_back(slot_); }

  bool arrived() override {
    if (has_arrived(slot_.arrived, slot_.number)) return true;
    owner_.context_.require_usable();
    return false;
  }
  const void* bytes() override {
    if (!has_arrived(slot_.arrived, slot_.number)) {
      owner_.context_.require_usable();
      const CurrentGpu current(owner_.context_);
      const cudaError_t error =
          await_post(slot_.arrived, slot_.number, [this] { return cudaEventQuery(slot_.posted); });
      owner_.context_.check(error, "reading from the GPU");
    }
    return slot_.memory;
  }

 private:
  CudaReadings& owner_;
  Slot& slot_;
};

bool CudaReadings::have_slots() {
  if (tried_) return have_;
  tried_ = true;
  char* next = static_cast<char*>(pinned_memory(slot_count * (most_reading_bytes + sizeof(uint64_t))));
  if (next == nullptr) return false;
  auto* numbers = reinterpret_cast<uint64_t*>(next + slot_count * most_reading_bytes);
  std::memset(numbers, 0, slot_count * sizeof(uint64_t));
  for (Slot& slot : slots_) {
    slot.memory = next;
    slot.arrived = numbers++;
    slot.posted = new_event();
    if (slot.posted == nullptr) return false;
    next += most_reading_bytes;
  }
  return have_ = true;
}

/// One that nobody holds. What was given back before it had arrived is still to be written there: a kernel's
/// later post to the same place comes after it, in the order of the stream.
CudaReadings::Slot* CudaReadings::take_slot() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!have_slots()) return nullptr;
  for (Slot& slot : slots_) {
    if (slot.taken) continue;
    slot.taken = true;
    return &slot;
  }
  return nullptr;
}

void CudaReadings::give_back(Slot& slot) {
  const std::lock_guard<std::mutex> lock(mutex_);
  slot.taken = false;
}

std::unique_ptr<Reading> CudaReadings::start(const void* device, size_t bytes) {
  Slot* const slot = take_slot();
  if (slot == nullptr) return nullptr;
  auto reading = std::make_unique<Posted>(*this, *slot);
  const char* const doing = "reading from the GPU";
  context_.check(post_to_host(slot->memory, device, bytes, slot->arrived, ++slot->number, context_.stream()),
                 doing);
  context_.check(cudaEventRecord(slot->posted, context_.stream()), doing);
  return reading;
}

}  // namespace cugrb::runtime
