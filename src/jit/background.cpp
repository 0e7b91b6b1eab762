#include "src/jit/background.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "src/jit/process.h"
#include "src/support/parallel.h"

namespace cugrb::jit {
namespace {

thread_local bool is_one_of_them = false;

/// A thread of ours takes no signal that the program's handlers wait for.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

class Threads {
 public:
  /// Never destroyed. The object of a forked child is its parent's copy: its locks may be taken.
  static Threads& instance() {
    static auto* const threads = new Threads;
    return *threads;
  }
  bool is_of_this_process() const { return getpid() == owner_; }

  bool add(std::function<void()> work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ending_) return false;
    if (waiting_ <= queue_.size() && threads_.size() < most_) start_thread();
    if (threads_.empty()) return false;
    queue_.push_back(std::move(work));
    changed_.notify_one();
    return true;
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return queue_.empty() && waiting_ == threads_.size(); });
  }
  void end() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ending_ = true;
      queue_.clear();
    }
    changed_.notify_all();
    stop_programs();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  Threads() {
    std::atexit([] {
      if (instance().is_of_this_process()) instance().end();
    });
  }
  /// Where the system gives none those that are there do the work.
  void start_thread() {
    const WithoutSignals inherited;
    try {
      threads_.emplace_back([this] { take_work(); });
    } catch (const std::system_error&) {
    }
  }
  void take_work() {
    is_one_of_them = true;
    run_on_usable_cores();
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      ++waiting_;
      if (queue_.empty()) idle_.notify_all();
      changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      --waiting_;
      if (ending_) return;
      const std::function<void()> work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  const pid_t owner_ = getpid();
  const size_t most_ = usable_cores();
  std::mutex mutex_;
  std::condition_variable changed_, idle_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::thread> threads_;
  size_t waiting_ = 0;
  bool ending_ = false;
};

}  // namespace

bool in_background(std::function<void()> work) {
  Threads& threads = Threads::instance();
  return threads.is_of_this_process() && threads.add(std::move(work));
}

bool is_background_thread() { return is_one_of_them; }

void wait_for_background() { Threads::instance().wait(); }

}  // namespace cugrb::jit
