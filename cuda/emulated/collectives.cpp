// Barriers and warp collectives: arrival, completion, and what can be checked on the spot. What cannot
// (threads that never arrive) is found by diagnose_stall when nothing can run any more.
#include "cuda/emulated/engine.h"

namespace cugrb::simt {

int Engine::block_barrier(Collective kind, int predicate, Site site) {
  Thread& self = *current_;
  Block& block = *self.block;
  self.wait = {kind, site, 0, predicate, nullptr, nullptr, 0, 0};
  self.state = Thread::State::at_block;
  char* order = nullptr;
  if (with_tsan) {
    order = block.order->block.phase[block.order->block.current];
    order_release(order);
  }
  if (++block.arrived == block.threads.size()) complete_barrier(block);
  suspend();
  if (with_tsan) order_acquire(order);
  return int(self.answer);
}

void Engine::complete_barrier(Block& block) {
  const Wait& first = block.threads[0].wait;
  unsigned count = 0;
  for (Thread& t : block.threads) {
    if (t.wait.kind != first.kind || !same(t.wait.site, first.site)) {
      fail("threads of one block wait at different barriers", t.wait.site);
    }
    if (t.wait.predicate != 0) ++count;
  }
  block.arrived = 0;
  idle_yields_ = 0;
  if (with_tsan) block.order->block.current ^= 1u;
  wake_all(block, count);
}

void Engine::wake_all(Block& block, unsigned answer) {
  const size_t n = block.threads.size();
  for (size_t i = 0; i < n; ++i) {
    Thread& t = block.threads[options_.schedule == Schedule::reverse ? n - 1 - i : i];
    t.answer = answer;
    t.state = Thread::State::ready;
    queue_.wake(&t);
  }
}

/// The first of the resident blocks of this one's cluster; the others follow it.
Block* Engine::cluster_of(const Block& block) {
  const size_t resident = size_t(&block - blocks_.data());
  return &blocks_[resident - resident % interface_.cluster_blocks];
}

void Engine::cluster_barrier(Site site) {
  Thread& self = *current_;
  Block* const blocks = cluster_of(*self.block);
  self.wait = {Collective::sync_cluster, site, 0, 0, nullptr, nullptr, 0, 0};
  self.state = Thread::State::at_cluster;
  char* order = nullptr;
  if (with_tsan) {
    order = blocks->order->cluster.phase[blocks->order->cluster.current];
    order_release(order);
  }
  const size_t cluster = interface_.cluster_blocks;
  if (++blocks->arrived_of_cluster == cluster * self.block->threads.size()) {
    blocks->arrived_of_cluster = 0;
    idle_yields_ = 0;
    if (with_tsan) blocks->order->cluster.current ^= 1u;
    const bool reverse = options_.schedule == Schedule::reverse;
    for (size_t b = 0; b < cluster; ++b) wake_all(blocks[reverse ? cluster - 1 - b : b], 0);
  }
  suspend();
  if (with_tsan) order_acquire(order);
}

const void* Engine::shared_of_block(const void* address, unsigned rank, Site site) {
  const unsigned cluster = interface_.cluster_blocks;
  if (rank >= cluster) fail("shared_of_block: the cluster has no block of that rank", site);
  // Blocks of a launch are laid out alike, and stay until all of a cluster have ended.
  Block* const blocks = cluster_of(*current_->block);
  const Block& other = blocks[options_.schedule == Schedule::reverse ? cluster - 1 - rank : rank];
  const auto offset =
      static_cast<const char*>(address) - static_cast<const char*>(current_->block->shared.dynamic());
  if (offset < 0 || size_t(offset) > shared_bytes_)
    fail("shared_of_block: an address outside of the dynamic shared memory", site);
  return static_cast<const char*>(other.shared.dynamic()) + offset;
}

bool Engine::joined(const Thread& thread, const Wait& wait) const {
  return thread.state == Thread::State::at_warp && thread.wait.mask == wait.mask &&
         thread.wait.kind == wait.kind && same(thread.wait.site, wait.site);
}

/// The running lane waits until all lanes of its mask stand at the same collective.
unsigned Engine::wait_for_warp(Wait wait) {
  Thread& self = *current_;
  Block& block = *self.block;
  const unsigned lane = self.index % 32, warp = self.index / 32;
  if ((wait.mask >> lane & 1u) == 0) fail("a lane is not in the mask that it names", wait.site);
  const unsigned highest = 31u - unsigned(__builtin_clz(wait.mask));
  if (warp * 32 + highest >= block.threads.size())
    fail("a mask names lanes beyond the end of the block", wait.site);
  self.wait = wait;
  self.state = Thread::State::at_warp;
  Thread* lanes = block.threads.data() + warp * 32;
  char* order = nullptr;
  const bool orders = with_tsan && wait.kind == Collective::sync_warp;
  if (orders) {
    OrderObjects::Pair& pair = block.order->warp[warp * 32 + unsigned(__builtin_ctz(wait.mask))];
    order = pair.phase[pair.current];
    order_release(order);
  }
  bool all = joined(lanes[highest], wait);  // in forward order the highest lane comes last: a quick way out
  for (unsigned m = wait.mask; all && m != 0; m &= m - 1) all = joined(lanes[__builtin_ctz(m)], wait);
  if (all) {
    complete_warp(lanes, wait);
    if (orders) block.order->warp[warp * 32 + unsigned(__builtin_ctz(wait.mask))].current ^= 1u;
  }
  suspend();
  if (orders) order_acquire(order);
  return self.answer;
}

void Engine::complete_warp(Thread* lanes, const Wait& wait) {
  idle_yields_ = 0;
  unsigned ballot = 0;
  for (unsigned m = wait.mask; m != 0; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    const Wait& w = lanes[lane].wait;
    if (w.predicate != 0) ballot |= 1u << lane;
    if (w.result == nullptr) continue;
    if ((wait.mask >> w.source & 1u) != 0 && lanes[w.source].wait.bytes == w.bytes) {
      quiet_copy(w.result, lanes[w.source].wait.value, w.bytes);
    } else {
      quiet_fill(w.result, poison_byte, w.bytes);
    }
  }
  const bool reverse = options_.schedule == Schedule::reverse;
  for (unsigned m = wait.mask; m != 0;) {
    const unsigned lane = reverse ? 31u - unsigned(__builtin_clz(m)) : unsigned(__builtin_ctz(m));
    m &= ~(1u << lane);
    lanes[lane].answer = ballot;
    lanes[lane].state = Thread::State::ready;
    queue_.wake(&lanes[lane]);
  }
}

unsigned Engine::warp_vote(Collective kind, unsigned mask, int predicate, Site site) {
  return wait_for_warp({kind, site, mask, predicate, nullptr, nullptr, 0, 0});
}

void Engine::warp_shuffle(Wait wait) { wait_for_warp(wait); }

void* Engine::shared_array(const void* declaration, size_t bytes, size_t alignment, Site site) {
  void* array = current_->block->shared.array(declaration, bytes, alignment, site.file, site.line);
  if (array == nullptr) fail("the block's static shared memory does not fit", site);
  return array;
}

void Engine::yield(Site site) {
  if (++idle_yields_ > options_.livelock_yields) {
    fail("livelock: threads keep trying and none makes progress", site);
  }
  current_->state = Thread::State::ready;
  queue_.yield(current_);
  suspend();
}

void Engine::fence() {
  // Every fence that runs later sees what came before this one: weaker than a GPU's rules need, never a false
  // alarm.
  order_acquire(fence_);
  order_release(fence_);
}

}  // namespace cugrb::simt
