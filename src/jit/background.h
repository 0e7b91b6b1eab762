// Threads that compile while the program goes on: as many as there are cores, made when there is work for
// them. They hold locks that calls wait for, so that they have the program's priority; the compilers that
// they run have a low one (run_program).
#pragma once
#include <functional>

namespace cugrb::jit {

/// Has `work`, which must not throw, done on one of the threads, in the order of the calls. False when it
/// cannot be: no thread can be made, the process ends, or it is a forked child, which has no threads. At the
/// end of the process what has not begun is left, programs that run are stopped (stop_programs), and the
/// threads are waited for.
bool in_background(std::function<void()> work);

/// Whether the calling thread is one of them.
bool is_background_thread();

/// Waits until all is done.
void wait_for_background();

}  // namespace cugrb::jit
