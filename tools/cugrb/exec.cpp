// cugrb exec PROGRAM ARGUMENTS...: the program, with libcugrb.so in front of its GraphBLAS.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "tools/cugrb/command.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/program.h"

namespace cugrb::command {

namespace {

struct ExecOptions {
  Environment environment;
  std::string trace, device;
};

void run(const CLI::App& app, ExecOptions& options, const std::vector<std::string>& program) {
  if (program.empty())
    throw Failure("exec needs a program: cugrb exec [OPTIONS] [--] PROGRAM [ARGUMENTS...]", usage);
  const bool traced = app.get_option("--trace")->count() > 0;
  const std::string& name = program.front();
  if (traced && options.trace.empty() && name.size() > 5 && name.compare(name.size() - 5, 5, ".json") == 0)
    throw Failure("the file of --trace stands behind '=': --trace=" + printable(name), usage);
  if (traced) options.environment["CUGRB_TRACE"] = options.trace.empty() ? "1" : options.trace;
  if (std::getenv("CUGRB_NOTICE") == nullptr) options.environment["CUGRB_NOTICE"] = "1";
  if (!options.device.empty()) options.environment["CUGRB_DEVICE"] = options.device;
  apply(options.environment);
  check_settings();
  const std::string path = find_program(name);
  check_preloadable(path);
  forget_own_graphblas();
  apply({{"LD_PRELOAD", preload_value(library_path(), path)}});
  execute(path, program);
}

}  // namespace

void add_exec(CLI::App& app, const std::vector<std::string>& program) {
  auto options = std::make_shared<ExecOptions>();
  CLI::App* sub = app.add_subcommand(
      "exec", "Run a GraphBLAS program on the GPU: exec [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  sub->add_option("--trace", options->trace,
                  "a line a call on standard error, or with =FILE.json a Chrome trace")
      ->expected(0, 1)
      ->group("Settings");
  sub->add_flag_callback(
         "--summary", [options] { options->environment["CUGRB_SUMMARY"] = "1"; },
         "at exit, what ran where and how much moved")
      ->group("Settings");
  sub->add_option("--device", options->device, "auto, gpu, gpu:N, emulated or none")->group("Settings");
  add_settings(*sub, options->environment);
  sub->footer(
      "Options stand in front of the program; what follows it is the program's own. The settings can also be "
      "given as CUGRB_* variables: see docs/environment.md.");
  sub->callback([sub, options, &program] { run(*sub, *options, program); });
}

}  // namespace cugrb::command
