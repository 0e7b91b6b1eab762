// The subcommands. Each adds itself to the command line; its callback sets the exit code or throws Failure.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cugrb::command {

/// Exit codes besides 0: a failure while working, a wrong command line or setting, and the shell's own for
/// programs.
enum ExitCode : int { failed = 1, usage = 2, not_executable = 126, not_found = 127 };

/// Ends the command with a message on standard error.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int code = failed)
      : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// `program`: the program and its arguments, which are not parsed; read when exec, operators or info
/// runs.
void add_exec(CLI::App& app, const std::vector<std::string>& program);
void add_run(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, const std::vector<std::string>& program, int& exit_code);
void add_calibrate(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
void add_operators(CLI::App& app, const std::vector<std::string>& program, int& exit_code);
void add_precompile(CLI::App& app, int& exit_code);

}  // namespace cugrb::command
