#include "tools/cugrb/command_line.h"

#include <algorithm>

#include "tools/cugrb/command.h"
#include "tools/cugrb/words.h"

namespace cugrb::command {
namespace {

/// Takes the program and its arguments off the words: what follows "--" behind info and its options, and what
/// follows "--", or the options, behind exec and operators.
std::vector<std::string> take_program(const CLI::App& app, std::vector<std::string>& words) {
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (!words.empty() && words[0] == "info" && separator != words.end()) {
    std::vector<std::string> program(separator + 1, words.end());
    words.erase(separator, words.end());
    if (program.empty()) throw Failure("info -- needs a program: cugrb info -- PROGRAM", usage);
    return program;
  }
  if (words.empty() || (words[0] != "exec" && words[0] != "operators")) {
    if (separator != words.end())
      throw Failure("only exec, operators and info take a program after --", usage);
    return {};
  }
  const auto end = words.begin() + 1 +
                   static_cast<std::ptrdiff_t>(leading_options(*app.get_subcommand(words[0]), words, 1));
  const bool separated = end != words.end() && *end == "--";
  std::vector<std::string> program(end + (separated ? 1 : 0), words.end());
  words.erase(end, words.end());
  return program;
}

}  // namespace

CommandLine::CommandLine()
    : app_("Runs programs written for SuiteSparse:GraphBLAS on the GPU, unchanged.", "cugrb") {
  app_.set_version_flag("--version", std::string("cugrb ") + CUGRB_VERSION);
  app_.require_subcommand(1);
  app_.footer(
      "Examples:\n"
      "  cugrb exec ./my_graphblas_program         your program, on the GPU\n"
      "  cugrb run pagerank graph.mtx.gz           PageRank of a graph file\n"
      "  cugrb run bfs rmat:20:16 --backend both   BFS of a generated graph, GPU beside CPU\n"
      "  cugrb explain graph.mtx.gz --svg g.svg    which kernel multiplies it, and why\n"
      "Exit codes: 0 success, 1 failure, 2 wrong command line or setting, 126 and 127 as a shell gives them, "
      "128 + signal.");
  add_exec(app_, program_);
  add_run(app_, exit_code_);
  add_explain(app_, exit_code_);
  add_calibrate(app_, exit_code_);
  add_info(app_, program_, exit_code_);
  add_operators(app_, program_, exit_code_);
  add_precompile(app_, exit_code_);
  add_generate(app_, exit_code_);
}

void CommandLine::parse(std::vector<std::string> words) {
  program_ = take_program(app_, words);
  check_subcommands(app_, words);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app_.parse(words);
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ExtrasError&) {
    throw Failure(unexpected_words(app_), usage);
  } catch (const CLI::ParseError& error) {
    throw Failure(error.what(), usage);
  }
}

}  // namespace cugrb::command
