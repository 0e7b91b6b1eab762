// What a program's file says about how the system starts it.
#pragma once
#include <string>
#include <vector>

namespace cugrb::command {

/// The head of an executable file.
struct Executable {
  enum class Kind { elf, script, other } kind = Kind::other;
  std::string
      interpreter;  ///< a script's, behind #!; an ELF program's loader, empty when it is statically linked
  std::string argument;             ///< a script's, behind the interpreter; "python3" behind env
  bool is_64_bit = true;            ///< ELF
  bool is_native = true;            ///< ELF: for this machine's processor
  std::vector<std::string> needed;  ///< ELF: libraries by name, in the order in which they are loaded
};
Executable read_executable(const std::string& path);

/// Of the libraries that a program needs, the runtimes of sanitizers that insist on being first:
/// libasan.so.8, libclang_rt.asan-x86_64.so, ...
std::vector<std::string> sanitizer_runtimes(const Executable& program);

}  // namespace cugrb::command
