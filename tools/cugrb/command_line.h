// The command line: all subcommands with their options.
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace cugrb::command {

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Reads the words behind the command's name and does what they ask for; once. Failure when they are wrong;
  /// CLI::Success when they ask for help or the version.
  void parse(std::vector<std::string> words);
  int exit_code() const { return exit_code_; }
  CLI::App& app() { return app_; }

 private:
  CLI::App app_;
  int exit_code_ = 0;
  std::vector<std::string> program_;  ///< what exec starts
};

}  // namespace cugrb::command
