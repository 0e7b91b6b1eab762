// cugrb: run GraphBLAS programs on the GPU.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "tools/cugrb/command.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/signals.h"
#include "tools/cugrb/words.h"

namespace cugrb::command {
namespace {

/// Takes exec's program and its arguments off the words: what follows "--", or exec's options.
std::vector<std::string> take_program(const CLI::App& app, std::vector<std::string>& words) {
  if (words.empty() || words[0] != "exec") {
    if (std::find(words.begin(), words.end(), "--") != words.end())
      throw Failure("only exec takes a program after --", usage);
    return {};
  }
  const auto end =
      words.begin() + 1 + static_cast<std::ptrdiff_t>(leading_options(*app.get_subcommand("exec"), words, 1));
  const bool separated = end != words.end() && *end == "--";
  std::vector<std::string> program(end + (separated ? 1 : 0), words.end());
  words.erase(end, words.end());
  return program;
}

void add_subcommands(CLI::App& app, const std::vector<std::string>& program, int& exit_code) {
  add_exec(app, program);
  add_run(app, exit_code);
  add_explain(app, exit_code);
  add_calibrate(app, exit_code);
  add_info(app, exit_code);
  add_precompile(app, exit_code);
  add_generate(app, exit_code);
}

int work(std::vector<std::string> words) {
  CLI::App app{"Runs programs written for SuiteSparse:GraphBLAS on the GPU, unchanged.", "cugrb"};
  app.set_version_flag("--version", std::string("cugrb ") + CUGRB_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  cugrb exec ./my_graphblas_program         your program, on the GPU\n"
      "  cugrb run pagerank graph.mtx.gz           PageRank of a graph file\n"
      "  cugrb run bfs rmat:20:16 --backend both   BFS of a generated graph, GPU beside CPU\n"
      "  cugrb explain graph.mtx.gz --svg g.svg    which kernel multiplies it, and why\n"
      "Exit codes: 0 success, 1 failure, 2 wrong command line or setting, 126 and 127 as a shell gives them, "
      "128 + signal.");
  int exit_code = 0;
  std::vector<std::string> program;
  add_subcommands(app, program, exit_code);
  program = take_program(app, words);
  check_subcommands(app, words);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app.parse(words);
  } catch (const CLI::Success& asked) {  // help, version
    std::ostringstream text;
    app.exit(asked, text, text);
    fmt::print("{}", text.str());
  } catch (const CLI::ExtrasError&) {
    throw Failure(unexpected_words(app), usage);
  } catch (const CLI::ParseError& error) {
    throw Failure(error.what(), usage);
  }
  flush_standard_output();
  return exit_code;
}

}  // namespace
}  // namespace cugrb::command

int main(int argc, char** argv) {
  using namespace cugrb::command;
  reserve_standard_descriptors();
  handle_signals();
  std::string message;
  int code = failed;
  try {
    return work({argv + std::min(argc, 1), argv + argc});
  } catch (const Failure& failure) {
    message = failure.what();
    code = failure.code();
  } catch (const std::bad_alloc&) {
    message = "out of memory";
  } catch (const std::system_error& error) {  // fmt's, when a line does not go out
    message =
        std::ferror(stdout) ? "standard output cannot be written: " + error.code().message() : error.what();
  } catch (const std::exception& error) {
    message = error.what();
  }
  fmt::print(stderr, "cugrb: {}\n", printable_lines(message));
  return code;
}
