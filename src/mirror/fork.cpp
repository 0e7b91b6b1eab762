// Fork: the child has no device (rule 14), but a table whose locks are free and whose host content is right.
#include <pthread.h>

#include <new>

#include "src/mirror/registry.h"

namespace cugrb::mirror {
namespace {

void before_fork() {
  residency_lock().lock();
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
