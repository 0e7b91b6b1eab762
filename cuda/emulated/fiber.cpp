#include "cuda/emulated/fiber.h"

#include <sys/mman.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <memory>
#include <new>

namespace cugrb::simt {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

// Sanitizers' frames are larger, and their reports are printed on the stack of the thread at fault.
constexpr size_t stack_bytes = with_asan || with_tsan ? 512 * 1024 : 64 * 1024;
constexpr size_t stack_step = 8 * 1024;  // how finely TSan's used part of a stack is known
constexpr size_t spare_identities = 37;  // see FiberPool::identities_
constexpr size_t most_identities =
    512 + 37;  // 0.6 ms and 0.9 MB each; more are made only when all are in use
constexpr size_t most_arena_bytes = size_t(16) << 30, least_arena_bytes = size_t(64) << 20;

struct Start {
  FiberPool* pool;
  void (*body)();
};
Start starting;  // read once by each new fiber

void after_switch(transfer_t from) {
  auto* previous = static_cast<Fiber*>(from.data);
  previous->context = from.fctx;
}

void finish_switch([[maybe_unused]] Fiber& now, [[maybe_unused]] Fiber& previous) {
#if defined(CUGRB_EMULATED_ASAN)
  const void* bottom = nullptr;
  size_t size = 0;
  __sanitizer_finish_switch_fiber(now.fake_stack, &bottom, &size);
  if (previous.stack == nullptr) {  // the scheduler's: the system's stack
    previous.stack = static_cast<char*>(const_cast<void*>(bottom));
    previous.stack_bytes = size;
  }
#endif
}

void first_entry(transfer_t from) {
  after_switch(from);
  Fiber& previous = *static_cast<Fiber*>(from.data);
  finish_switch(*starting.pool->running(), previous);
  starting.body();
}

}  // namespace

namespace {
struct Arena {
  char* begin = nullptr;
  size_t bytes = 0, used = 0;
};

/// Address space only: pages come when they are touched. Takes less where the system does not allow much.
Arena make_arena() {
  for (size_t bytes = most_arena_bytes; bytes >= least_arena_bytes; bytes /= 2) {
    void* p =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) continue;
#if defined(CUGRB_EMULATED_TSAN)
    __tsan_java_init(reinterpret_cast<uintptr_t>(p), bytes);
#endif
    return {static_cast<char*>(p), bytes, 0};
  }
  throw std::bad_alloc();
}
}  // namespace

char* arena_memory(size_t bytes) {
  static Arena arena = make_arena();
  const size_t rounded = (bytes + 4095) / 4096 * 4096;
  if (rounded > arena.bytes - arena.used) throw std::bad_alloc();
  char* memory = arena.begin + arena.used;
  arena.used += rounded;
  return memory;
}

void forget_accesses([[maybe_unused]] void* begin, [[maybe_unused]] size_t bytes) {
#if defined(CUGRB_EMULATED_TSAN)
  // Counts as a fresh allocation made by the calling TSan thread.
  if (bytes > 0) __tsan_java_alloc(reinterpret_cast<uintptr_t>(begin), (bytes + 7) / 8 * 8);
#endif
}

FiberPool::FiberPool(void (*body)()) : body_(body) {}

void FiberPool::enter(Fiber& scheduler) {
  scheduler_ = &scheduler;
  running_ = &scheduler;
#if defined(CUGRB_EMULATED_TSAN)
  scheduler.identity = __tsan_get_current_fiber();
#endif
}

void FiberPool::reserve(size_t fibers) {
  all_.reserve(fibers);
  idle_.reserve(fibers);
  while (all_.size() < fibers) {
    auto fiber = std::make_unique<Fiber>();
    fiber->stack = arena_memory(stack_bytes);
    fiber->stack_bytes = stack_bytes;
    all_.push_back(fiber.get());
    idle_.push_back(fiber.release());
  }
  make_identities(std::min(fibers + spare_identities, most_identities));
}

Fiber* FiberPool::take() {
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  if (fiber->context == nullptr) {
    allow(fiber->stack, fiber->stack_bytes);  // frames that were abandoned left their poison
    fiber->context = make_fcontext(fiber->stack + fiber->stack_bytes, fiber->stack_bytes, first_entry);
    fiber->fake_stack = nullptr;
  }
  return fiber;
}

void FiberPool::switch_to(Fiber& to) {
  Fiber& from = *running_;
  running_ = &to;
  starting = {this, body_};
#if defined(CUGRB_EMULATED_ASAN)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack, to.stack_bytes);
#endif
#if defined(CUGRB_EMULATED_TSAN)
  // A fiber that has no CUDA thread yet gets its identity in begin_thread.
  Fiber& known = to.identity == nullptr ? *scheduler_ : to;
  __tsan_switch_to_fiber(known.identity, __tsan_switch_to_fiber_no_sync);
#endif
  const transfer_t back = jump_fcontext(static_cast<fcontext_t>(to.context), &from);
  after_switch(back);
  finish_switch(from, *static_cast<Fiber*>(back.data));
}

void FiberPool::abandon_all([[maybe_unused]] void* end) {
  idle_.clear();
  for (Fiber* fiber : all_) {
    fiber->context = nullptr;
#if defined(CUGRB_EMULATED_TSAN)
    if (fiber->identity != nullptr) {
      __tsan_switch_to_fiber(fiber->identity, __tsan_switch_to_fiber_no_sync);
      order_release(end);
      end_thread(*fiber);
    }
    fiber->stack_used = fiber->stack_bytes;
#endif
    idle_.push_back(fiber);
  }
}

#if defined(CUGRB_EMULATED_TSAN)
namespace {
bool touched(const char* begin, size_t bytes) {
  const auto* words = reinterpret_cast<const volatile uint64_t*>(begin);
  for (size_t w = 0; w < bytes / 8; ++w) {
    if (words[w] != 0) return true;
  }
  return false;
}
}  // namespace

void FiberPool::make_identities(size_t count) {
  if (identities_.size() >= count) return;  // all rest: no launch is under way
  std::rotate(identities_.begin(), identities_.begin() + std::ptrdiff_t(first_identity_), identities_.end());
  first_identity_ = 0;
  while (identities_.size() < count) identities_.push_back(__tsan_create_fiber(0));
  resting_identities_ = identities_.size();
}

void FiberPool::rest(void* identity) {
  identities_[(first_identity_ + resting_identities_++) % identities_.size()] = identity;
}

void FiberPool::begin_thread(Fiber& fiber, void* begin) {
  if (resting_identities_ == 0) {
    identities_.push_back(nullptr);
    first_identity_ = identities_.size() - 1;
    rest(__tsan_create_fiber(0));
  }
  fiber.identity = identities_[first_identity_];
  if (++first_identity_ == identities_.size()) first_identity_ = 0;
  --resting_identities_;
  __tsan_switch_to_fiber(fiber.identity, __tsan_switch_to_fiber_no_sync);
  order_acquire(begin);
  // How deep have threads gone so far? The stack is zero where nothing has been.
  while (fiber.stack_used < fiber.stack_bytes &&
         (fiber.stack_used == 0 ||
          touched(fiber.stack + fiber.stack_bytes - fiber.stack_used - stack_step, stack_step))) {
    fiber.stack_used += stack_step;
  }
  forget_accesses(fiber.stack + fiber.stack_bytes - fiber.stack_used, fiber.stack_used);
}

void FiberPool::end_thread(Fiber& fiber) {
  __tsan_switch_to_fiber(scheduler_->identity, __tsan_switch_to_fiber_no_sync);
  rest(fiber.identity);
  fiber.identity = nullptr;
}
#else
void FiberPool::make_identities(size_t) {}
void FiberPool::begin_thread(Fiber&, void*) {}
void FiberPool::end_thread(Fiber&) {}
#endif

}  // namespace cugrb::simt
