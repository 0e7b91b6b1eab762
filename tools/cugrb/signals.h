// Signals that end the command: it leaves nothing behind and takes its worker with it.
#pragma once
#include <sys/types.h>

namespace cugrb::command {

/// INT, TERM and HUP stop the child that run_self() started, remove the temporary files and end the process
/// with code 128 + signal; a signal that is ignored (nohup) stays so. PIPE is ignored: writing to a pipe
/// without a reader is an error like any other.
void handle_signals();

/// As the process found them, for a program that takes its place.
void restore_signals();

/// Starts a process; in the child signals have their default meanings, and it is told when this process dies.
/// Like fork(): 0 in the child, negative when there is none.
pid_t fork_watched();

/// Waits for the child of fork_watched(): its exit code, 128 + signal when a signal ended it.
int wait_for(pid_t child);

}  // namespace cugrb::command
