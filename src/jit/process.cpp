#include "src/jit/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>

#include "src/jit/background.h"
#include "src/jit/jit.h"
#include "src/support/environment.h"
#include "src/support/write_signals.h"

extern char** environ;

namespace cugrb::jit {
namespace {

std::vector<char*> environment_without_preload() {
  std::vector<char*> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0) result.push_back(*entry);
  }
  result.push_back(nullptr);
  return result;
}

/// Runs $6... with at most $1 seconds and $2 kilobytes, and with $4 as LD_PRELOAD. Descriptor 3 is a pipe
/// whose other end this process alone has: when it ends, reading gives nothing more, and the shell's process
/// group, which is its own, is stopped before the folder $3 is removed. The watcher itself outlives the
/// signal that it sends.
///
/// With $5 the program has what nobody else wants of the cores (SCHED_IDLE): a program of any nice value
/// keeps its core for a tick when one of OpenMP's threads wakes up there, and the whole team waits for that
/// one. Where all cores are busy it would not end; so it begins anew after $5 seconds, at nice value 19.
const char* const guard = R"(
ulimit -S -c 0
[ -n "$1" ] && ulimit -S -t "$1"
[ -n "$2" ] && ulimit -S -v "$2"
folder=$3
preload=$4
patience=$5
shift 5
(
  trap '' TERM
  read _ <&3
  kill -TERM 0
  [ -n "$folder" ] && rm -rf "$folder"
) >/dev/null 2>&1 &
watcher=$!
status=124
if [ -n "$patience" ]; then
  timeout --foreground "$patience" chrt --idle 0 env LD_PRELOAD="$preload" "$@" 3<&-
  status=$?
  # Not the watcher: it is to end the program at once.
  case $status in 12[4-7]) renice -n 19 -p $$ >/dev/null 2>&1; status=124 ;; esac
fi
if [ $status = 124 ]; then
  LD_PRELOAD=$preload "$@" 3<&-
  status=$?
fi
exec >/dev/null 2>&1
kill -KILL $watcher
exit $status
)";
const char* const seconds_with_idle_cores = "1";
/// What the shell ends with when it cannot run the program, or finds none.
constexpr int not_executable = 126, not_found = 127;

/// The smaller of a limit of ours and this process's own; 0: no limit.
uint64_t least_of(uint64_t ours, __rlimit_resource_t resource, uint64_t unit) {
  rlimit own = {};
  if (ours == 0) return 0;
  if (getrlimit(resource, &own) != 0 || own.rlim_cur == RLIM_INFINITY) return ours;
  return std::min<uint64_t>(ours, own.rlim_cur / unit);
}

double seconds_of(const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); }

std::string number_or_nothing(uint64_t number) { return number == 0 ? "" : std::to_string(number); }

/// The shell of `words`, in a process group of its own, with no signal blocked and SIGCHLD as usual. Not
/// positive when there is none.
pid_t spawn(std::vector<std::string>& words, const std::string& output_file, int watched) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> environment = environment_without_preload();
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_adddup2(&actions, watched, 3);  // first: it may be one of those that follow
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGCHLD);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/bin/sh", &actions, &attributes, argv.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

/// The pipes of the programs that run. A line in its pipe ends a program as the pipe's end does, also where a
/// forked child holds that end open.
class RunningPrograms {
 public:
  /// Never destroyed: threads may wait for programs until the process ends.
  static RunningPrograms& instance() {
    static auto* const programs = new RunningPrograms;
    return *programs;
  }
  void add(int pipe) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pipes_.insert(pipe);
    if (stopped_) stop(pipe);
  }
  void close(int pipe) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pipes_.erase(pipe);
    ::close(pipe);
  }
  void stop_all() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    for (const int pipe : pipes_) stop(pipe);
  }

 private:
  static void stop(int pipe) {
    const WithoutWriteSignals without_signal;
    // Where it fails the program has ended.
    static_cast<void>(!write(pipe, "\n", 1));
  }
  std::mutex mutex_;
  std::set<int> pipes_;
  bool stopped_ = false;
};

}  // namespace

void stop_programs() { RunningPrograms::instance().stop_all(); }

ProgramEnd run_program(const std::vector<std::string>& arguments, const std::string& output_file,
                       const ProgramLimits& limits, const std::string& folder, const std::string& preload) {
  const uint64_t seconds = least_of(limits.seconds, RLIMIT_CPU, 1);
  std::vector<std::string> words = {"sh",
                                    "-c",
                                    guard,
                                    "sh",
                                    number_or_nothing(seconds),
                                    number_or_nothing(least_of(limits.kilobytes, RLIMIT_AS, 1024)),
                                    folder,
                                    preload,
                                    is_background_thread() ? seconds_with_idle_cores : ""};
  words.insert(words.end(), arguments.begin(), arguments.end());
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = spawn(words, output_file, ends[0]);
  close(ends[0]);
  RunningPrograms::instance().add(ends[1]);
  rusage used = {};
  int status = 0;
  bool known = child > 0;
  while (known && wait4(child, &status, 0, &used) < 0) {
    // A program that ignores SIGCHLD leaves no status (ECHILD): whether the output exists then decides.
    if (errno != EINTR) known = false;
  }
  RunningPrograms::instance().close(ends[1]);
  if (child <= 0) return {};
  if (!known) return {0, false};
  const double taken = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  ProgramEnd end;
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  // The limit counts ticks, also such as another machine on these cores took; the times do not.
  end.out_of_time = end.status != 0 && seconds > 0 && taken > 0.5 * double(seconds);
  if (end.status == not_found || end.status == not_executable) end.status = -1;
  return end;
}

TemporaryDirectory::TemporaryDirectory() {
  const char* base = environment_variable("TMPDIR");
  std::string pattern = std::string(base == nullptr || *base == '\0' ? "/tmp" : base) + "/cugrb-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw CompilationFailure("cannot make the directory " + pattern + ": " + std::strerror(errno));
  }
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  const WithoutWriteSignals without_signal;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw CompilationFailure("cannot write " + path.string() + ": " + std::strerror(errno));
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CompilationFailure("cannot read " + path.string() + ": " + std::strerror(errno));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace cugrb::jit
