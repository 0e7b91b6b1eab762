#include "src/support/file_size_signal.h"

#include <cerrno>
#include <ctime>

namespace cugrb {
namespace {

sigset_t its_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

WithoutFileSizeSignal::WithoutFileSizeSignal() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  waiting_before_ = sigismember(&pending, SIGXFSZ) == 1;
  const sigset_t set = its_set();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

WithoutFileSizeSignal::~WithoutFileSizeSignal() {
  const int error = errno;  // what the write failed with is the caller's to see
  const sigset_t set = its_set();
  const timespec now = {0, 0};
  if (!waiting_before_) {
    while (sigtimedwait(&set, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace cugrb
