#include "cuda/emulated/engine.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace cugrb::simt {

bool same(const Site& a, const Site& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

Engine& Engine::instance() {
  static Engine* engine = new Engine;  // never destroyed: fibers keep pointing at it
  return *engine;
}

Engine::Engine() : pool_(&Engine::fiber_body) {
  interface_.block_barrier = [](Collective kind, int predicate, const char* file, int line) {
    return instance().block_barrier(kind, predicate, {file, line});
  };
  interface_.cluster_barrier = [](const char* file, int line) { instance().cluster_barrier({file, line}); };
  interface_.shared_of_block = [](const void* address, unsigned rank, const char* file, int line) {
    return instance().shared_of_block(address, rank, {file, line});
  };
  interface_.warp_vote = [](Collective kind, unsigned mask, int predicate, const char* file, int line) {
    return instance().warp_vote(kind, mask, predicate, {file, line});
  };
  interface_.warp_shuffle = [](Collective kind, unsigned mask, const void* value, void* result,
                               unsigned bytes, unsigned source, const char* file, int line) {
    instance().warp_shuffle({kind, {file, line}, mask, 0, value, result, bytes, source});
  };
  interface_.shared_array = [](const void* site, size_t bytes, size_t alignment, const char* file, int line) {
    return instance().shared_array(site, bytes, alignment, {file, line});
  };
  interface_.dynamic_shared = [] { return instance().current_->block->shared.dynamic(); };
  interface_.fence = [] { instance().fence(); };
  interface_.yield = [](const char* file, int line) { instance().yield({file, line}); };
  interface_.fail = [](const char* text, const char* file, int line) { instance().fail(text, {file, line}); };
}

void Engine::run(Entry entry, const void* arguments, const Shape& shape, const Options& options) {
  const uint64_t grid = shape.blocks;
  const unsigned block = shape.threads, cluster = shape.cluster;
  options_ = options;
  entry_ = entry;
  arguments_ = arguments;
  shared_bytes_ = shape.shared_bytes;
  failure_ = {};
  interface_.grid_blocks = unsigned(grid);
  interface_.block_threads = block;
  interface_.cluster_blocks = cluster;
  interface_table = &interface_;
  // Whole clusters.
  const uint64_t wanted = (std::max(1u, options.resident_blocks) + cluster - 1) / cluster * cluster;
  const size_t resident = size_t(std::min<uint64_t>(wanted, grid));
  blocks_.resize(std::max(blocks_.size(), resident));
  for (size_t b = 0; b < resident; ++b) {
    blocks_[b].threads.assign(block, Thread());
    for (unsigned t = 0; t < block; ++t) {
      blocks_[b].threads[t].index = t;
      blocks_[b].threads[t].block = &blocks_[b];
    }
  }
  Fiber scheduler;
  scheduler_ = &scheduler;
  pool_.enter(scheduler);
  pool_.reserve(resident * block + 1);
  shuffle_clusters(grid / cluster);
  for (uint64_t first = 0; first < grid; first += resident) {
    run_group(first, size_t(std::min<uint64_t>(resident, grid - first)));
  }
  order_acquire(launch_end_);  // only now, so that blocks are not ordered among themselves
}

void Engine::shuffle_clusters(uint64_t clusters) {
  shuffled_clusters_.clear();
  if (options_.schedule != Schedule::random) return;
  shuffled_clusters_.resize(clusters);
  std::iota(shuffled_clusters_.begin(), shuffled_clusters_.end(), uint64_t(0));
  std::mt19937_64 random(options_.seed);
  std::shuffle(shuffled_clusters_.begin(), shuffled_clusters_.end(), random);
}

/// The block that comes at this place of the schedule: a cluster's, its blocks ascending, unless all descend.
uint64_t Engine::block_at(uint64_t place) const {
  const unsigned cluster = interface_.cluster_blocks;
  if (options_.schedule == Schedule::random)
    return shuffled_clusters_[place / cluster] * cluster + place % cluster;
  return options_.schedule == Schedule::reverse ? interface_.grid_blocks - 1 - place : place;
}

void Engine::begin_block(Block& block, uint64_t index) {
  block.index = index;
  block.arrived = block.arrived_of_cluster = 0;
  for (Thread& t : block.threads) t.state = Thread::State::unstarted;
  block.shared.reset(shared_bytes_, options_.shared_limit_bytes);
  if (with_tsan) {
    block.order = std::make_unique<OrderObjects>((block.threads.size() + 31) / 32);
    order_release(block.order->begin);  // the host's writes and the scheduler's, never another block's
  }
}

void Engine::run_group(uint64_t first, size_t count) {
  std::vector<Thread*> fresh;
  fresh.reserve(count * interface_.block_threads);
  for (size_t b = 0; b < count; ++b) {
    begin_block(blocks_[b], block_at(first + b));
    for (Thread& t : blocks_[b].threads) fresh.push_back(&t);
    if (options_.schedule == Schedule::reverse) {
      std::reverse(fresh.end() - std::ptrdiff_t(blocks_[b].threads.size()), fresh.end());
    }
  }
  unfinished_ = fresh.size();
  idle_yields_ = 0;
  queue_.begin(options_, std::move(fresh), options_.seed * 0x9E3779B97F4A7C15u + first);
  run_next(queue_.next());  // comes back when nothing can run any more
  current_ = nullptr;
  if (failure_.text != nullptr) throw_violation(failure_.text, failure_.thread, failure_.site);
  if (unfinished_ > 0) {
    for (size_t b = 0; b < count; ++b) diagnose_stall(blocks_[b]);
    throw_violation("deadlock", nullptr, {});
  }
  for (size_t b = 0; b < count; ++b) end_block(blocks_[b]);
}

void Engine::end_block(Block& block) {
  block.order.reset();
  const SharedMemory::Damage damage = block.shared.damage();
  if (damage.text.empty()) return;
  throw_violation(damage.text + " (block " + std::to_string(block.index) + ")", nullptr,
                  {damage.file, damage.line});
}

void Engine::activate(Thread& thread) {
  current_ = &thread;
  interface_.thread = thread.index;
  interface_.block = unsigned(thread.block->index);
  interface_.steps = queue_.slice();
}

/// Switches from the running fiber, which is busy, to `next`; to the scheduler when there is none.
void Engine::run_next(Thread* next) {
  if (next == nullptr) {
    pool_.switch_to(*scheduler_);
    return;
  }
  const bool fresh = next->state == Thread::State::unstarted;
  next->state = Thread::State::running;
  activate(*next);
  if (fresh) next->fiber = pool_.take();
  if (next->fiber != pool_.running()) pool_.switch_to(*next->fiber);
}

/// The running CUDA thread waits until somebody wakes it.
void Engine::suspend() { run_next(queue_.next()); }

/// The running CUDA thread has finished. Returns when its fiber has been given another one to start.
void Engine::leave() {
  current_->state = Thread::State::finished;
  --unfinished_;
  idle_yields_ = 0;
  Fiber* own = pool_.running();
  Thread* next = queue_.next();
  if (next != nullptr && next->state == Thread::State::unstarted) {
    next->state = Thread::State::running;
    next->fiber = own;
    activate(*next);
    return;
  }
  pool_.give_back(own);
  run_next(next);
}

void Engine::fiber_body() {
  Engine& engine = instance();
  while (true) {
    Fiber& fiber = *engine.pool_.running();
    engine.pool_.begin_thread(fiber,
                              engine.current_->block->order ? engine.current_->block->order->begin : nullptr);
    engine.entry_(engine.arguments_);
    order_release(engine.launch_end_);
    engine.pool_.end_thread(fiber);
    engine.leave();
  }
}

void Engine::fail(const char* text, Site site) {
  failure_ = {text, current_, site};
  pool_.switch_to(*scheduler_);
  __builtin_unreachable();  // abandoned
}

}  // namespace cugrb::simt
