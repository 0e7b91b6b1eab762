// Writing beyond the limit of a file's size (ulimit -f) as an error, not as a signal that ends the program.
#pragma once
#include <signal.h>

namespace cugrb {

/// While it lives, this thread's writes beyond that limit fail with EFBIG. The program's handlers are not
/// touched, and a SIGXFSZ that the program had waiting stays so.
class WithoutFileSizeSignal {
 public:
  WithoutFileSizeSignal();
  ~WithoutFileSizeSignal();
  WithoutFileSizeSignal(const WithoutFileSizeSignal&) = delete;
  WithoutFileSizeSignal& operator=(const WithoutFileSizeSignal&) = delete;

 private:
  sigset_t before_;
  bool waiting_before_ = false;
};

}  // namespace cugrb
