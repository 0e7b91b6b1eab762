// Work that a device's user has put off, because what comes next may be done in the same launch
// (src/formats/joined.h). It goes ahead of everything else that the device is asked for, so that nobody sees
// that it was put off: what is queued keeps its order, and so do memory's uses.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/runtime/device.h"
#include "cuda/runtime/shortage.h"

namespace cugrb::runtime {

/// Of one device. Thread-safe.
class PutOff {
 public:
  /// One or more launches.
  class Work {
   public:
    virtual ~Work() = default;
    /// Launches all of it.
    virtual void submit() = 0;
    /// Whether it will write to some of these bytes.
    virtual bool writes(const void* memory, size_t bytes) const = 0;
  };

  /// That of the device at this place among the process's (Properties::place). Never destroyed.
  static PutOff& of(unsigned place);

  /// What has been put off is launched. A few nanoseconds where nothing has. Throws DeviceFailure when that
  /// fails, and ever after: contents are lost then.
  void settle() {
    if (waits_.load(std::memory_order_acquire)) settle_now();
  }
  /// The same before somebody reads these bytes: work that leaves them as they are goes on waiting.
  void settle_for(const void* memory, size_t bytes) {
    if (waits_.load(std::memory_order_acquire)) settle_for_now(memory, bytes);
  }
  /// Whether the calling thread is launching what was put off.
  bool is_submitting() const { return submitting_by_this_thread; }
  /// The device is to release this memory, which the work may use still: true when that is done after it.
  bool release_later(Device& device, void* memory) noexcept {
    return waits_.load(std::memory_order_acquire) && keep(device, memory);
  }
  /// Runs `allocate` again without what waits, and what it holds, where there was not enough memory.
  template <class Allocate>
  void* allocated(Allocate allocate) {
    void* memory = nullptr;
    const auto settled = [&] {
      const bool waited = waits_.load(std::memory_order_acquire);
      settle();
      return waited;
    };
    relieved([&] { memory = allocate(); }, settled);
    return memory;
  }

  /// While it lives no other thread settles, or puts off.
  class Hold {
   public:
    explicit Hold(PutOff& put_off) : put_off_(put_off), lock_(put_off.mutex_) {}
    /// What waits; null for nothing.
    Work* work() const { return put_off_.work_.get(); }
    /// Puts off. Nothing waits yet.
    void put(std::unique_ptr<Work> work);
    void settle() { put_off_.settle(); }

   private:
    PutOff& put_off_;
    const std::lock_guard<std::recursive_mutex> lock_;
  };

 private:
  void settle_now();
  void settle_for_now(const void* memory, size_t bytes);
  bool keep(Device& device, void* memory) noexcept;
  void submit();

  struct Kept {
    Device* device;
    void* memory;
  };
  static thread_local bool submitting_by_this_thread;

  std::atomic<bool> waits_{false};
  std::recursive_mutex mutex_;  ///< guards what follows
  std::unique_ptr<Work> work_;
  std::vector<Kept> kept_;  ///< released while the work waits
  std::string failure_;
};

}  // namespace cugrb::runtime
