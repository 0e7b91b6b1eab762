#include "src/support/parallel.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace cugrb {

unsigned usable_cores() {
  static const auto cores = static_cast<unsigned>(std::max(1, omp_get_num_procs()));
  return cores;
}

unsigned host_threads() {
  static const unsigned threads =
      std::min(usable_cores(), static_cast<unsigned>(std::max(1, omp_get_max_threads())));
  return threads;
}

void run_on_usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> of_place(size_t(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, of_place.data());
    for (const int core : of_place) {
      if (core >= 0 && core < CPU_SETSIZE) CPU_SET(core, &cores);
    }
  }
  if (CPU_COUNT(&cores) > 0) pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

namespace {

/// One call: what its threads share.
struct Lanes {
  const std::function<void(unsigned)>& work;
  const unsigned count;
  std::atomic<unsigned> next{0};
  char begin = 0, end = 0;  ///< where the caller hands over, and gets back

  __attribute__((noinline)) void take() {
    after(&begin);
    for (unsigned lane = next++; lane < count; lane = next++) work(lane);
    before(&end);
  }

  /// What OpenMP's own library orders, told to ThreadSanitizer, which cannot see into it.
  static void before(void* point) {
#if defined(__SANITIZE_THREAD__)
    __tsan_release(point);
#endif
    (void)point;
  }
  static void after(void* point) {
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(point);
#endif
    (void)point;
  }
};

/// OpenMP's own number, which keeps its team as it is, but for OMP_NUM_THREADS=100000: the system has not so
/// many threads to give, and OpenMP ends the process where one cannot be made.
int team_size() {
  static const int most = static_cast<int>(std::clamp(4 * usable_cores(), 64u, 4096u));
  return std::min(omp_get_max_threads(), most);
}

/// Not looked at by ThreadSanitizer: the pointer goes to the threads by OpenMP's ways.
__attribute__((noinline, no_sanitize("thread"))) void take_by_team(Lanes* lanes) {
  const int threads = team_size();
#pragma omp parallel num_threads(threads)
  lanes->take();
}

/// OpenMP waits in a forked child for threads that are not there.
bool is_forked_child() {
  static std::atomic<bool> forked{false};
  static const int watched = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return watched != 0 || forked;
}

}  // namespace

void on_threads(unsigned lanes, const std::function<void(unsigned)>& work) {
  if (lanes <= 1 || is_forked_child()) {
    for (unsigned lane = 0; lane < lanes; ++lane) work(lane);
    return;
  }
  Lanes shared{work, lanes};
  Lanes::before(&shared.begin);
  take_by_team(&shared);
  Lanes::after(&shared.end);
}

}  // namespace cugrb
