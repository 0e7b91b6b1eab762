// Why can no thread of a block run? Puts the first broken rule into words.
#include "cuda/emulated/engine.h"

namespace cugrb::simt {

const char* name(Collective kind) {
  constexpr const char* names[] = {"sync_cluster", "sync_block",   "sync_block_or", "sync_block_count",
                                   "sync_warp",    "ballot",       "any_lane",      "all_lanes",
                                   "shuffle",      "shuffle_down", "shuffle_up",    "shuffle_xor"};
  return names[size_t(kind)];
}

namespace {

std::string hexadecimal(unsigned value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[value >> shift & 15u];
  return text;
}

std::string place(const Site& site) { return std::string(site.file) + ":" + std::to_string(site.line); }

/// What a thread is doing: "thread 5 waits at ballot(0x000000ff), file:line".
std::string standing(const Thread& t) {
  const std::string who = "thread " + std::to_string(t.index);
  switch (t.state) {
    case Thread::State::finished:
      return who + " has finished";
    case Thread::State::at_block:
    case Thread::State::at_cluster:
      return who + " waits at " + name(t.wait.kind) + ", " + place(t.wait.site);
    case Thread::State::at_warp:
      return who + " waits at " + name(t.wait.kind) + "(" + hexadecimal(t.wait.mask) + "), " +
             place(t.wait.site);
    default:
      return who + " runs";
  }
}

}  // namespace

void Engine::throw_violation(std::string text, const Thread* thread, Site site) {
  if (thread != nullptr) {
    text +=
        " (block " + std::to_string(thread->block->index) + ", thread " + std::to_string(thread->index) + ")";
  }
  pool_.abandon_all(launch_end_);
  for (Block& block : blocks_) block.order.reset();
  order_acquire(launch_end_);
  throw Violation(text, site.file, site.line);
}

/// Returns when the block's threads have all finished: then it is another resident block that stalls.
void Engine::diagnose_stall(const Block& block) {
  const Thread* at_barrier = nullptr;
  const Thread* finished = nullptr;
  for (const Thread& t : block.threads) {
    if (t.state == Thread::State::finished && finished == nullptr) finished = &t;
    const bool waits = t.state == Thread::State::at_block || t.state == Thread::State::at_cluster;
    if (waits && at_barrier == nullptr) at_barrier = &t;
    if (t.state != Thread::State::at_warp) continue;
    const Thread* lanes = block.threads.data() + t.index / 32 * 32;
    for (unsigned m = t.wait.mask; m != 0; m &= m - 1) {
      const Thread& other = lanes[__builtin_ctz(m)];
      if (joined(other, t.wait)) continue;
      const char* rule = "lanes of one mask wait at different places: ";
      if (other.state == Thread::State::finished) rule = "a mask names a lane that has finished: ";
      if (other.state == Thread::State::at_warp && other.wait.kind == t.wait.kind &&
          same(other.wait.site, t.wait.site)) {
        rule = "lanes disagree about the mask: ";
      }
      throw_violation(
          rule + standing(t) + "; " + standing(other) + " (block " + std::to_string(block.index) + ")",
          nullptr, t.wait.site);
    }
  }
  if (at_barrier == nullptr) return;
  const std::string other = finished == nullptr ? "" : "; " + standing(*finished);
  const char* whom = at_barrier->state == Thread::State::at_cluster ? "cluster" : "block";
  throw_violation(std::string("not all threads of the ") + whom + " reach the barrier: " +
                      standing(*at_barrier) + other + " (block " + std::to_string(block.index) + ")",
                  nullptr, at_barrier->wait.site);
}

}  // namespace cugrb::simt
