#include "tools/cugrb/signals.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <iterator>

#include "tools/graph_files/temporary_path.h"

namespace cugrb::command {

namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int ignored_signals[] = {SIGPIPE, SIGXFSZ};
struct sigaction ignored_before[std::size(ignored_signals)];
std::atomic<pid_t> watched{0};

/// Asks the child to end and waits; after two seconds it is killed. What a handler may call, only.
void stop_child(pid_t child) {
  kill(child, SIGTERM);
  for (int k = 0; k < 100; ++k) {
    const pid_t ended = waitpid(child, nullptr, WNOHANG);
    if (ended == child || (ended < 0 && errno == ECHILD)) return;
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

void end(int signal) {
  const pid_t child = watched;
  if (child > 0) stop_child(child);
  graph_files::remove_temporary_paths();
  _exit(128 + signal);
}

}  // namespace

void handle_signals() {
  struct sigaction action {};
  action.sa_handler = end;
  sigemptyset(&action.sa_mask);
  for (const int other : ending_signals) sigaddset(&action.sa_mask, other);
  for (const int signal : ending_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  for (size_t k = 0; k < std::size(ignored_signals); ++k)
    sigaction(ignored_signals[k], &ignored, &ignored_before[k]);
}

void restore_signals() {
  for (size_t k = 0; k < std::size(ignored_signals); ++k)
    sigaction(ignored_signals[k], &ignored_before[k], nullptr);
}

pid_t fork_watched() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);  // until the handler knows the child
  const pid_t parent = getpid(), child = fork();
  if (child > 0) watched = child;
  if (child == 0) {
    for (const int signal : ending_signals) {
      struct sigaction action {};
      sigaction(signal, nullptr, &action);
      if (action.sa_handler == SIG_IGN) continue;
      action.sa_handler = SIG_DFL;
      sigaction(signal, &action, nullptr);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(128 + SIGTERM);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  watched = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace cugrb::command
