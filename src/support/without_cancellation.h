// pthread_cancel takes effect in the program's own code, as it does with SuiteSparse alone.
#pragma once
#include <pthread.h>

namespace cugrb {

/// While it lives, a request to cancel this thread waits. cuGrB writes traces, reads its cache and waits for
/// compilers: all of these are cancellation points, in functions that let no exception out, and a thread that
/// ended there would end the process.
class WithoutCancellation {
 public:
  WithoutCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~WithoutCancellation() { pthread_setcancelstate(before_, nullptr); }
  WithoutCancellation(const WithoutCancellation&) = delete;
  WithoutCancellation& operator=(const WithoutCancellation&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace cugrb
