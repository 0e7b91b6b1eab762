#include "src/support/parallel.h"

#include <pthread.h>

#include <atomic>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace cugrb {
namespace {

/// What OpenMP's own library orders, told to ThreadSanitizer, which cannot see into it.
void before_hand_over(void* point) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(point);
#endif
  (void)point;
}
void after_hand_over(void* point) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(point);
#endif
  (void)point;
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
  std::atomic<unsigned> next{0};
  char begin = 0, end = 0;
  before_hand_over(&begin);
#pragma omp parallel
  {
    after_hand_over(&begin);
    for (unsigned lane = next++; lane < lanes; lane = next++) work(lane);
    before_hand_over(&end);
  }
  after_hand_over(&end);
}

}  // namespace cugrb
