#include "src/support/counters_of_thread.h"

#include "src/support/every_call.h"

namespace cugrb::detail {

// Before the library's initialisation it is null, and no thread's.
CUGRB_READ_BY_EVERY_CALL const void* const loading_thread = __builtin_thread_pointer();
CUGRB_READ_BY_EVERY_CALL constinit CountersOfThread counters_of_loading_thread;

CountersOfThread& counters_of_other_thread() {
  thread_local constinit CountersOfThread counters;
  return counters;
}

}  // namespace cugrb::detail
