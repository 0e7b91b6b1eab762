// cugrb operators PROGRAM ARGUMENTS...: the user-defined operators that a program makes without a definition,
// as the file that CUGRB_OPERATORS takes, each with an empty body.
#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "tools/cugrb/command.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/program.h"

namespace cugrb::command {

namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write_list(const std::string& list, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}", list);
    return;
  }
  std::ofstream file(path);
  file << list << std::flush;
  if (!file) throw Failure(printable(path) + " cannot be written");
}

/// The program's exit code.
int run(const std::vector<std::string>& program, const std::string& output) {
  if (program.empty())
    throw Failure("operators needs a program: cugrb operators [OPTIONS] [--] PROGRAM [ARGUMENTS...]", usage);
  check_settings();
  const std::string path = find_program(program.front());
  check_preloadable(path);
  forget_own_graphblas();
  const TemporaryFile wanted;
  // Operators are noted when they are made: no call needs the device.
  const Finished done = run_file(path, program,
                                 {{"CUGRB_OPERATORS_WANTED", wanted.path()},
                                  {"CUGRB_DEVICE", "none"},
                                  {"CUGRB_NOTICE", "0"},
                                  {"LD_PRELOAD", preload_value(library_path(), path)}},
                                 false);
  const std::string list = contents(wanted.path());
  if (list.empty())
    fmt::print(stderr, "cugrb: every user-defined operator of this run has a definition\n");
  else
    write_list("/* CUGRB_OPERATORS: fill in what the program's functions do. */\n" + list, output);
  return done.exit_code;
}

}  // namespace

void add_operators(CLI::App& app, const std::vector<std::string>& program, int& exit_code) {
  auto output = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("operators",
                                     "List the operators of a program that have no definition: operators "
                                     "[OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  sub->add_option("-o,--output", *output,
                  "the file to write; else standard output, behind the program's own");
  sub->footer(
      "The program runs once, without the device. What is printed is a file for CUGRB_OPERATORS, in which "
      "the "
      "bodies are to be filled in: see docs/environment.md.");
  sub->callback([output, &program, &exit_code] { exit_code = run(program, *output); });
}

}  // namespace cugrb::command
