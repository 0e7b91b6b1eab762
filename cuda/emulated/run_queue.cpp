#include <algorithm>

#include "cuda/emulated/engine.h"

namespace cugrb::simt {

namespace {
constexpr int orderly_slice = 1024;
constexpr unsigned random_slice = 32;
}  // namespace

void RunQueue::begin(const Options& options, std::vector<Thread*> fresh, uint64_t seed) {
  schedule_ = options.schedule;
  random_.seed(seed);
  fresh_ = std::move(fresh);
  fresh_next_ = 0;
  patient_.clear();
  patient_.reserve(fresh_.size());
  bag_.clear();
  ring_.assign(fresh_.size(), nullptr);
  ring_begin_ = ring_count_ = 0;
  if (schedule_ == Schedule::random) {
    bag_ = fresh_;
    fresh_.clear();
  }
}

void RunQueue::wake(Thread* thread) {
  if (schedule_ == Schedule::random) {
    bag_.push_back(thread);
    return;
  }
  size_t place = ring_begin_ + ring_count_++;
  if (place >= ring_.size()) place -= ring_.size();
  ring_[place] = thread;
}

void RunQueue::yield(Thread* thread) {
  if (schedule_ == Schedule::random) {
    bag_.push_back(thread);
  } else {
    patient_.push_back(thread);
  }
}

Thread* RunQueue::next() {
  if (schedule_ == Schedule::random) {
    if (bag_.empty()) return nullptr;
    std::swap(bag_[random_() % bag_.size()], bag_.back());
    Thread* thread = bag_.back();
    bag_.pop_back();
    return thread;
  }
  if (ring_count_ == 0) {
    if (fresh_next_ < fresh_.size()) return fresh_[fresh_next_++];
    for (Thread* thread : patient_) wake(thread);
    patient_.clear();
    if (ring_count_ == 0) return nullptr;
  }
  Thread* thread = ring_[ring_begin_];
  if (++ring_begin_ == ring_.size()) ring_begin_ = 0;
  --ring_count_;
  return thread;
}

int RunQueue::slice() {
  return schedule_ == Schedule::random ? 1 + int(random_() % random_slice) : orderly_slice;
}

}  // namespace cugrb::simt
