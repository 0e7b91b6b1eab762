// A compilation in a process of its own: where a library compiles and cannot be stopped, the process can.
#pragma once
#include <string>
#include <vector>

#include "src/jit/compiler.h"
#include "src/jit/process.h"

namespace cugrb::jit {

/// What one compilation may take. The largest kernel takes a second under sanitizers, and a definition that
/// takes so much more is not one that pays.
inline constexpr ProgramLimits compilation_limits = {60, uint64_t(4) << 20};

/// All that a compiler is given for one kernel.
struct Task {
  std::string name;  ///< the kernel's, for messages
  std::string text;  ///< the program
  std::vector<std::string> options;
  std::vector<std::string> paths, sources;  ///< files that the text includes, and what they hold
};

/// The `cugrb` command that was installed, or built, with this code; empty when it is not there, or belongs
/// to somebody else.
std::string command_beside_library();

/// A GraphBLAS library for a command that is linked with none, as that of the package of Python: it is put in
/// front of the command where that does not run by itself. Thread-safe.
void lend_to_command(const std::string& library);

/// The command is there, and does not run.
class CommandFailure : public CompilationFailure {
 public:
  using CompilationFailure::CompilationFailure;
};

/// `command precompile --compile TASK IMAGE`, within the limits. Throws CompilationFailure: its message, that
/// it was stopped, or (CommandFailure) that it does not run.
Image compile_apart(const std::string& command, const Task& task);

/// In this process; it cannot be stopped. Throws CompilationFailure with NVRTC's message.
Image compile_by_nvrtc(const Task& task);

/// The other side of compile_apart(): the two files. Throws CompilationFailure.
Task read_task(const std::string& path);
void write_image(const std::string& path, const Image& image);

}  // namespace cugrb::jit
