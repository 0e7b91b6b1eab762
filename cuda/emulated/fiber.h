// Fibers: stacks of their own for CUDA threads, switched by Boost.Context, announced to the sanitizers.
#pragma once
#include <cstddef>
#include <vector>

#include "cuda/emulated/sanitizers.h"

namespace cugrb::simt {

/// One context of execution. The scheduler's own (the OS thread's stack) has no stack here.
struct Fiber {
  void* context = nullptr;  ///< Boost's; valid while suspended
  char* stack = nullptr;    ///< lowest address
  size_t stack_bytes = 0;
  size_t stack_used = 0;       ///< TSan only: how much of it may carry traces of earlier threads
  void* fake_stack = nullptr;  ///< ASan's, while suspended
  void* identity = nullptr;    ///< TSan's fiber
};

/// All fibers of the process, and the switches between them. Not thread-safe: simt::run holds a lock.
class FiberPool {
 public:
  /// `body` runs on every fiber; it never returns, and starts over its work each time it is switched to when
  /// idle.
  explicit FiberPool(void (*body)());

  /// Enters the pool from this OS thread: `scheduler` becomes the running fiber.
  void enter(Fiber& scheduler);
  /// Makes fibers until there are so many: taking one from a fiber never allocates and never throws (an
  /// exception could not leave the fiber, and TSan would judge the allocation). Throws std::bad_alloc.
  void reserve(size_t fibers);
  Fiber* running() const { return running_; }

  /// An idle fiber: switching to it continues in `body`, just after the switch_to that left it (or at its
  /// begin).
  Fiber* take();
  /// The running fiber becomes idle; it must switch away before anything else takes it.
  void give_back(Fiber* fiber) { idle_.push_back(fiber); }
  void switch_to(Fiber& to);

  /// Forgets what every fiber was doing (after a violation); called on the scheduler's stack. What they did
  /// is released to `end`.
  void abandon_all(void* end);

  /// TSan: from now on the running fiber is a new CUDA thread, ordered after what was released to `begin`.
  void begin_thread(Fiber& fiber, void* begin);
  /// TSan: the CUDA thread ends.
  void end_thread(Fiber& fiber);

 private:
  void make_identities(size_t count);

  void (*body_)();
  Fiber* running_ = nullptr;
  Fiber* scheduler_ = nullptr;
  std::vector<Fiber*> all_;  // never freed: the pool lives as long as the process
  std::vector<Fiber*> idle_;
  // Making a TSan fiber costs 0.3 ms, so CUDA threads take them in turn. Two that share one count as ordered:
  // the number of identities is chosen so that threads of like index in neighbouring blocks never do.
  std::vector<void*> identities_;  ///< a ring; the one that has rested longest is taken first
  size_t first_identity_ = 0, resting_identities_ = 0;
  void rest(void* identity);
};

/// Zeroed, page-aligned memory of the emulator's own arena, never given back. Throws std::bad_alloc.
char* arena_memory(size_t bytes);
/// TSan: what was done to this part of the arena so far is forgotten.
void forget_accesses(void* begin, size_t bytes);

}  // namespace cugrb::simt
