// Fork: the child has no device (rule 14). It sees every value nevertheless: what only the device has comes
// to the host first, as far as the host has memory for it. Its table's locks are free.
#include <pthread.h>

#include <algorithm>
#include <new>
#include <vector>

#include "src/mirror/registry.h"
#include "src/support/host_memory.h"
#include "src/support/settings.h"

namespace cugrb::mirror {
namespace {

/// The smallest first, so that as many objects as possible come; half of the free memory is left to the child
/// and to what both of them write. An object that is in use (the fork is made by a user's operator) stays.
void bring_home() {
  std::vector<std::pair<uint64_t, std::shared_ptr<Entry>>> away;
  for (auto& entry : Registry::instance().entries()) {
    if (entry->state == State::device && entry->in_use == 0) away.emplace_back(entry->content_bytes(), entry);
  }
  if (away.empty()) return;
  std::sort(away.begin(), away.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  uint64_t room = available_host_bytes() / 2;
  for (const auto& [bytes, entry] : away) {
    if (bytes > room || entry->write_back() != GrB_SUCCESS) return;
    room -= bytes;
  }
}

void before_fork() {
  residency_lock().lock();
  if (settings().fork == ForkPolicy::bring) {
    try {
      bring_home();
    } catch (const std::bad_alloc&) {
      // What did not come stays on the device; reading it in the child is an error that says so.
    }
  }
  Registry::instance().lock_all();
}

void after_fork_in_parent() {
  Registry::instance().unlock_all();
  residency_lock().unlock();
}

void after_fork_in_child() {
  Registry::instance().unlock_all();
  // A recursive mutex knows its owner by thread number, and the child's thread has another one: it is made
  // anew.
  new (&residency_lock()) std::recursive_mutex;
  for (const auto& entry : Registry::instance().entries()) {
    entry->drop_aside();
    // What is only on the device stays marked so: its restoration fails instead of giving stale content.
    if (entry->state == State::both) {
      entry->drop_device();
      entry->set_state(State::host);
    }
  }
}

}  // namespace

void watch_forks() {
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  static_cast<void>(registered);
}

}  // namespace cugrb::mirror
