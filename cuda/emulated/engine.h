// The emulator's inside: which CUDA thread runs next, and what the waiting ones wait for. See emulator.h.
#pragma once
#include <memory>
#include <random>
#include <vector>

#include "cuda/emulated/emulator.h"
#include "cuda/emulated/fiber.h"
#include "cuda/emulated/shared_memory.h"

namespace cugrb::simt {

struct Block;

/// A line of a kernel.
struct Site {
  const char* file = "";
  int line = 0;
};
bool same(const Site& a, const Site& b);

/// What a CUDA thread brought to the collective at which it waits.
struct Wait {
  Collective kind = Collective::sync_block;
  Site site;
  unsigned mask = 0;
  int predicate = 0;
  const void* value = nullptr;
  void* result = nullptr;
  unsigned bytes = 0;
  unsigned source = 0;
};

struct Thread {
  enum class State : uint8_t { unstarted, ready, running, at_cluster, at_block, at_warp, finished };
  State state = State::unstarted;
  unsigned index = 0;
  Block* block = nullptr;
  Fiber* fiber = nullptr;
  unsigned answer = 0;  ///< of the collective it waited for
  Wait wait;
};

/// Objects whose addresses carry TSan's orderings; fresh ones for each block, so that none orders two blocks.
struct OrderObjects {
  explicit OrderObjects(size_t warps) : warp(warps * 32) {}
  struct Pair {
    char phase[2][8];  ///< alternating: a late waker must not learn what came after its barrier
    unsigned current = 0;
  };
  char begin[8];
  Pair block;
  Pair cluster;            ///< used of the cluster's first block
  std::vector<Pair> warp;  ///< by warp and lowest lane of the mask
};

struct Block {
  uint64_t index = 0;
  std::vector<Thread> threads;
  unsigned arrived = 0;
  unsigned arrived_of_cluster = 0;  ///< threads of all its blocks; counted at the first of them
  SharedMemory shared;
  std::unique_ptr<OrderObjects> order;  ///< TSan only
};

/// Threads that can run, in the order that the schedule wants.
class RunQueue {
 public:
  /// Takes threads that have not started, in their order.
  void begin(const Options& options, std::vector<Thread*> fresh, uint64_t seed);
  /// A thread whose collective is complete.
  void wake(Thread* thread);
  /// A thread that lets all others go first.
  void yield(Thread* thread);
  /// nullptr when nothing can run.
  Thread* next();
  /// Relaxed accesses until the next yield.
  int slice();

 private:
  Schedule schedule_ = Schedule::forward;
  std::mt19937_64 random_;
  std::vector<Thread*> fresh_, patient_, bag_;
  size_t fresh_next_ = 0;
  std::vector<Thread*> ring_;
  size_t ring_begin_ = 0, ring_count_ = 0;
};

class Engine {
 public:
  static Engine& instance();
  void run(Entry entry, const void* arguments, const Shape& shape, const Options& options);
  Interface& interface() { return interface_; }

  // The interface's functions (collectives.cpp).
  int block_barrier(Collective kind, int predicate, Site site);
  void cluster_barrier(Site site);
  const void* shared_of_block(const void* address, unsigned rank, Site site);
  unsigned warp_vote(Collective kind, unsigned mask, int predicate, Site site);
  void warp_shuffle(Wait wait);
  void* shared_array(const void* declaration, size_t bytes, size_t alignment, Site site);
  void yield(Site site);
  void fence();
  /// Ends the launch from inside a CUDA thread.
  [[noreturn]] void fail(const char* text, Site site);

 private:
  Engine();
  static void fiber_body();

  void shuffle_clusters(uint64_t clusters);
  uint64_t block_at(uint64_t place) const;
  void run_group(uint64_t first, size_t count);
  void begin_block(Block& block, uint64_t index);
  void end_block(Block& block);
  [[noreturn]] void throw_violation(std::string text, const Thread* thread, Site site);
  void diagnose_stall(const Block& block);

  void activate(Thread& thread);
  void suspend();
  void leave();
  void run_next(Thread* next);
  void complete_barrier(Block& block);
  Block* cluster_of(const Block& block);
  void wake_all(Block& block, unsigned answer);
  unsigned wait_for_warp(Wait wait);
  bool joined(const Thread& thread, const Wait& wait) const;
  void complete_warp(Thread* lanes, const Wait& wait);

  Interface interface_;
  FiberPool pool_;
  RunQueue queue_;
  std::vector<Block> blocks_;                ///< the resident ones
  std::vector<uint64_t> shuffled_clusters_;  ///< Schedule::random only
  Options options_;
  Entry entry_ = nullptr;
  const void* arguments_ = nullptr;
  size_t shared_bytes_ = 0;
  Thread* current_ = nullptr;
  Fiber* scheduler_ = nullptr;
  uint64_t unfinished_ = 0;
  uint64_t idle_yields_ = 0;
  struct Failure {
    const char* text = nullptr;
    Thread* thread = nullptr;
    Site site;
  } failure_;
  char launch_end_[8] = {}, fence_[8] = {};  // addresses for TSan
};

const char* name(Collective kind);

}  // namespace cugrb::simt
