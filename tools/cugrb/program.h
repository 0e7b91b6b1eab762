// Programs: finding them as a shell does, telling whether LD_PRELOAD can work on them, starting them.
#pragma once
#include <string>
#include <vector>

#include "tools/cugrb/environment.h"
#include "tools/graph_files/temporary_path.h"

namespace cugrb::command {

/// The file that `name` means: itself when it has a slash, otherwise found in PATH. Failure (127, 126) when
/// there is none, or it is a directory or not executable.
std::string find_program(const std::string& name);

/// Failure (126) when the system could not start the program (its interpreter is not there, it is for another
/// machine), or LD_PRELOAD has no effect on it (statically linked, set-user-ID, 32-bit). A script is as its
/// interpreter.
void check_preloadable(const std::string& path);

/// LD_PRELOAD's value for a program: the runtimes of its sanitizers, which have to be first, the library, and
/// what is there. Failure when the loader could not read it.
std::string preload_value(const std::string& library, const std::string& program);

/// Replaces this process. Returns only by throwing Failure.
[[noreturn]] void execute(const std::string& path, const std::vector<std::string>& arguments);

/// What a process wrote on standard output, where that was caught, and its exit code (128 + signal when
/// killed).
struct Finished {
  int exit_code;
  std::string output;
};
/// Starts a file with arguments, of which the first is its name, and an environment on top of this one's, and
/// waits. Standard output is caught (`capture`) or goes to ours.
Finished run_file(const std::string& path, const std::vector<std::string>& arguments,
                  const Environment& environment, bool capture);
/// The same of this command, without its name.
Finished run_self(const std::vector<std::string>& arguments, const Environment& environment, bool capture);

/// A file's name for what processes of the command tell each other; the file is deleted at the end of scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& suffix = "");
  const std::string& path() const { return path_.path(); }

 private:
  graph_files::TemporaryPath path_;
};

}  // namespace cugrb::command
