// Programs: finding them as a shell does, telling whether LD_PRELOAD can work on them, starting them.
#pragma once
#include <string>
#include <vector>

#include "tools/cugrb/environment.h"

namespace cugrb::command {

/// The file that `name` means: itself when it has a slash, otherwise found in PATH. Failure (127, 126) when
/// there is none or it is not executable.
std::string find_program(const std::string& name);

/// Why LD_PRELOAD has no effect on a program (statically linked, set-user-ID, 32-bit); empty when it has.
std::string why_not_preloadable(const std::string& path);

/// Replaces this process. Returns only by throwing Failure.
[[noreturn]] void execute(const std::string& path, const std::vector<std::string>& arguments);

/// Starts this command again with other arguments and an environment on top of this one's, waits, and returns
/// what it wrote on standard output (when `capture`; else that goes to ours) and its exit code (128 + signal
/// when killed).
struct Finished {
  int exit_code;
  std::string output;
};
Finished run_self(const std::vector<std::string>& arguments, const Environment& environment, bool capture);

/// A file's name for a result that a child process leaves behind; the file is deleted at the end of scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& suffix = "");
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace cugrb::command
