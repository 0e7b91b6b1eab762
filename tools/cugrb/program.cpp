#include "tools/cugrb/program.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tools/cugrb/command.h"
#include "tools/cugrb/executable.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/signals.h"

namespace cugrb::command {

namespace {

std::vector<std::string> in_each_folder_of_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  std::vector<std::string> candidates;
  for (size_t begin = 0; begin <= rest.size();) {
    const size_t end = std::min(rest.find(':', begin), rest.size());
    const std::string folder = rest.substr(begin, end - begin);
    candidates.push_back((folder.empty() ? "." : folder) + "/" + name);
    begin = end + 1;
  }
  return candidates;
}

constexpr const char* not_there_text = "is not there";
constexpr const char* not_executable_text = "is not executable";

/// "is a directory", "is not there", ...; empty when the file could be run.
std::string why_not_runnable(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return missing ? not_there_text : std::string("cannot be reached: ") + std::strerror(errno);
  }
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (!S_ISREG(status.st_mode)) return "is no regular file";
  return access(path.c_str(), X_OK) == 0 ? "" : not_executable_text;
}

/// Why the system could not start a program with libcugrb.so in front; empty when it can.
std::string why_not_preloadable(const std::string& path, const Executable& program) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0 && geteuid() != 0)
    return "it is set-user-ID or set-group-ID, for which the system ignores LD_PRELOAD";
  if (program.kind == Executable::Kind::other)
    return "it is neither an ELF program nor a script that begins with #! and its interpreter";
  if (program.kind == Executable::Kind::elf) {
    if (!program.is_64_bit) return "it is not a 64-bit program";
    if (!program.is_native) return "it is a program for another kind of processor";
    if (program.interpreter.empty()) {
      return "it is statically linked, so that no library can be put in front of its GraphBLAS; link it "
             "dynamically";
    }
  }
  if (program.interpreter.empty()) return "no interpreter stands behind #!";
  const std::string obstacle = why_not_runnable(program.interpreter);
  return obstacle.empty() ? "" : "its interpreter " + printable(program.interpreter) + " " + obstacle;
}

std::vector<char*> pointers(std::vector<std::string>& arguments) {
  std::vector<char*> list;
  for (std::string& argument : arguments) list.push_back(argument.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

std::string find_program(const std::string& name) {
  const bool in_path = name.find('/') == std::string::npos;
  std::string unusable;
  for (const std::string& candidate : in_path ? in_each_folder_of_path(name) : std::vector{name}) {
    const std::string obstacle = why_not_runnable(candidate);
    if (obstacle.empty()) return candidate;
    const bool counts = in_path ? obstacle == not_executable_text : obstacle != not_there_text;
    if (counts && unusable.empty()) unusable = printable(candidate) + " " + obstacle;
  }
  if (!unusable.empty()) throw Failure(unusable, not_executable);
  throw Failure(fmt::format("the program '{}' {}{}", printable(name), not_there_text,
                            in_path ? " (looked in PATH)" : ""),
                not_found);
}

void check_preloadable(const std::string& path) {
  std::string program = path;
  for (int scripts = 0;; ++scripts) {
    const Executable executable = read_executable(program);
    std::string obstacle = why_not_preloadable(program, executable);
    if (obstacle.empty() && scripts == 4) obstacle = "its interpreter is a script of a script, and so on";
    if (!obstacle.empty()) {
      throw Failure(
          fmt::format("{} cannot run on cuGrB: {}{}", printable(path),
                      scripts > 0 ? "of its interpreter " + printable(program) + ": " : "", obstacle),
          not_executable);
    }
    if (executable.kind != Executable::Kind::script) return;
    program = executable.interpreter;
  }
}

std::string preload_value(const std::string& library, const std::string& program) {
  Executable executable = read_executable(program);
  if (executable.kind == Executable::Kind::script) executable = read_executable(executable.interpreter);
  std::string value;
  for (const std::string& runtime : sanitizer_runtimes(executable)) value += runtime + ":";
  return value + preload_value(library);
}

void execute(const std::string& path, const std::vector<std::string>& arguments) {
  std::vector<std::string> copy = arguments;
  restore_signals();
  execv(path.c_str(), pointers(copy).data());
  throw Failure(fmt::format("{} cannot be started: {}", printable(path), std::strerror(errno)),
                not_executable);
}

Finished run_file(const std::string& path, const std::vector<std::string>& arguments,
                  const Environment& environment, bool capture) {
  int ends[2] = {-1, -1};
  if (capture && pipe(ends) != 0) throw Failure(fmt::format("no pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t child = fork_watched();
  if (child < 0) throw Failure(fmt::format("no process: {}", std::strerror(errno)));
  if (child == 0) {
    if (capture) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
    }
    apply(environment);
    std::vector<std::string> copy = arguments;
    execv(path.c_str(), pointers(copy).data());
    _exit(not_executable);
  }
  Finished finished{0, ""};
  if (capture) {
    close(ends[1]);
    char block[4096];
    for (ssize_t count; (count = read(ends[0], block, sizeof block)) > 0 || (count < 0 && errno == EINTR);) {
      if (count > 0) finished.output.append(block, static_cast<size_t>(count));
    }
    close(ends[0]);
  }
  finished.exit_code = wait_for(child);
  return finished;
}

Finished run_self(const std::vector<std::string>& arguments, const Environment& environment, bool capture) {
  static_cast<void>(own_executable());  // says in time why it cannot be started
  std::vector<std::string> with_name = arguments;
  with_name.insert(with_name.begin(), "cugrb");
  return run_file("/proc/self/exe", with_name, environment, capture);
}

TemporaryFile::TemporaryFile(const std::string& suffix) {
  const char* named = std::getenv("TMPDIR");
  const std::string folder = named != nullptr && *named != '\0' ? named : "/tmp";
  const int file = path_.create(folder + "/cugrb-", suffix, 0600);
  if (file < 0) {
    const std::string why = std::strerror(errno);
    throw Failure(fmt::format("no temporary file can be made in {}: {}", printable(folder), why));
  }
  close(file);
}

}  // namespace cugrb::command
