#include "src/support/write_signals.h"

#include <cerrno>
#include <ctime>
#include <initializer_list>

namespace cugrb {

WithoutWriteSignals::WithoutWriteSignals() {
  sigset_t pending, both;
  sigemptyset(&pending);
  sigemptyset(&both);
  sigemptyset(&ours_);
  sigpending(&pending);
  for (const int number : {SIGXFSZ, SIGPIPE}) {
    sigaddset(&both, number);
    if (sigismember(&pending, number) != 1) sigaddset(&ours_, number);
  }
  pthread_sigmask(SIG_BLOCK, &both, &before_);
}

WithoutWriteSignals::~WithoutWriteSignals() {
  const int error = errno;  // what the write failed with is the caller's to see
  const timespec now = {0, 0};
  while (sigtimedwait(&ours_, nullptr, &now) > 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace cugrb
