#include "src/support/forwarded_calls.h"

#include <array>

namespace cugrb::trace {

namespace {

struct alignas(64) Place {
  std::atomic<uint64_t> calls{0};
  std::atomic<bool> is_taken{false};
};

/// A place keeps its count when its thread ends, and goes on with that of the next one.
constinit std::array<Place, 256> places;
/// Of threads that have no place.
constinit std::atomic<uint64_t> elsewhere{0};

/// The thread's hold on a place, until its end.
class Hold {
 public:
  Hold() {
    for (Place& place : places) {
      bool is_taken = false;
      if (!place.is_taken.compare_exchange_strong(is_taken, true, std::memory_order_acquire)) continue;
      held_ = &place;
      counters_of_thread().forwarded_calls = &place.calls;
      return;
    }
  }
  ~Hold() {
    counters_of_thread().forwarded_calls = nullptr;
    if (held_ != nullptr) held_->is_taken.store(false, std::memory_order_release);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Place* held_ = nullptr;
};

}  // namespace

void detail::count_elsewhere() noexcept {
  thread_local const Hold hold;
  elsewhere.fetch_add(1, std::memory_order_relaxed);
}

uint64_t forwarded_calls() noexcept {
  uint64_t sum = elsewhere.load(std::memory_order_relaxed);
  for (const Place& place : places) sum += place.calls.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace cugrb::trace
