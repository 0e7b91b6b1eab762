// Writing beyond the limit of a file's size (ulimit -f), or into a pipe that nobody reads, as an error, not
// as a signal that ends the program.
#pragma once
#include <signal.h>

namespace cugrb {

/// While it lives, this thread's writes beyond that limit fail with EFBIG, and those into such a pipe with
/// EPIPE. The program's handlers are not touched, and a SIGXFSZ or SIGPIPE that it had waiting stays so.
class WithoutWriteSignals {
 public:
  WithoutWriteSignals();
  ~WithoutWriteSignals();
  WithoutWriteSignals(const WithoutWriteSignals&) = delete;
  WithoutWriteSignals& operator=(const WithoutWriteSignals&) = delete;

 private:
  sigset_t before_;
  sigset_t ours_;  ///< what was not waiting before: what waits in the end is of our writes
};

}  // namespace cugrb
