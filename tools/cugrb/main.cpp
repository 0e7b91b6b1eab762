// cugrb: run GraphBLAS programs on the GPU.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>

#include "tools/cugrb/command.h"

int main(int argc, char** argv) {
  using namespace cugrb::command;
  CLI::App app{"Runs programs written for SuiteSparse:GraphBLAS on the GPU, unchanged.", "cugrb"};
  app.set_version_flag("--version", std::string("cugrb ") + CUGRB_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  cugrb exec -- ./my_graphblas_program      your program, on the GPU\n"
      "  cugrb run pagerank graph.mtx.gz           PageRank of a graph file\n"
      "  cugrb run bfs rmat:20:16 --backend both   BFS of a generated graph, GPU beside CPU\n"
      "  cugrb explain graph.mtx.gz --svg g.svg    which kernel multiplies it, and why\n"
      "Exit codes: 0 success, 1 failure, 2 wrong command line or setting, 126 and 127 as a shell gives "
      "them.");
  int exit_code = 0;
  // What follows "--" belongs to the program that exec starts.
  char** const end = argv + argc;
  char** const separator =
      std::find_if(argv, end, [](const char* word) { return std::strcmp(word, "--") == 0; });
  const std::vector<std::string> program(separator == end ? end : separator + 1, end);
  add_exec(app, program);
  add_run(app, exit_code);
  add_explain(app, exit_code);
  add_calibrate(app, exit_code);
  add_info(app, exit_code);
  add_precompile(app, exit_code);
  add_generate(app, exit_code);
  try {
    const bool is_exec = argc > 1 && std::strcmp(argv[1], "exec") == 0;
    if (separator != end && !is_exec) throw Failure("only exec takes a program after --", usage);
    app.parse(static_cast<int>(separator - argv), argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage;
  } catch (const Failure& failure) {
    fmt::print(stderr, "cugrb: {}\n", failure.what());
    return failure.code();
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "cugrb: out of memory\n");
    return failed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cugrb: {}\n", error.what());
    return failed;
  }
  return exit_code;
}
