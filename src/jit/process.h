// Running a program (the host compiler) and files of a private temporary directory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cugrb::jit {

/// What a program may take: each of its processes so much processor time and address space.
struct ProgramLimits {
  uint64_t seconds = 0;    ///< 0: what this process may
  uint64_t kilobytes = 0;  ///< 0: what this process may
};
struct ProgramEnd {
  int status = -1;           ///< exit status, 128 + signal, or -1 when it could not be started
  bool out_of_time = false;  ///< it was stopped at its limit of processor time
};
/// Runs `arguments[0]` (looked up in PATH) with stdout and stderr to `output_file`; LD_PRELOAD is not passed
/// on, because the child is no GraphBLAS program, but set to `preload` where that is not empty. When this
/// process ends, however it does, the program and what it has started end, too, and then `folder`, when it is
/// named, is removed. On a thread of background.h it has the cores that nobody else wants for a second;
/// where they are too few it begins anew, and has a sixtieth of a core that somebody else wants.
ProgramEnd run_program(const std::vector<std::string>& arguments, const std::string& output_file,
                       const ProgramLimits& limits = {}, const std::string& folder = "",
                       const std::string& preload = "");

/// For the end of this process: ends all that run_program() has started and still waits for. What is started
/// later is ended at once.
void stop_programs();

/// A new directory, only this user's, under $TMPDIR or /tmp; removed with its content by the destructor.
class TemporaryDirectory {
 public:
  /// Throws CompilationFailure when none can be made.
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Both throw CompilationFailure naming the file and the system's reason.
void write_file(const std::filesystem::path& path, const std::string& content);
std::string read_file(const std::filesystem::path& path);

}  // namespace cugrb::jit
