// cugrb precompile: fills the kernel cache, so that programs start warm.
//
// What is compiled is what common programs ask for. common_calls.h runs on a small graph with every call
// offloaded, once with the kernels that the selector chooses there and once with each kernel of products
// forced, since a large graph gets another one. Each specialisation that the JIT meets lands in its cache.
// Instead of running calls, a list that this command or a program (CUGRB_REQUESTS=FILE) wrote can be
// compiled, also for a GPU that is not here.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "src/jit/apart.h"
#include "src/jit/jit.h"
#include "src/jit/kernel_pack.h"
#include "src/operations/multiply/registry.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/common_calls.h"
#include "tools/cugrb/compile_times.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/program.h"
#include "tools/cugrb/progress.h"
#include "tools/cugrb/trace_report.h"

namespace cugrb::command {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct PrecompileOptions {
  Environment environment;
  std::string device = "gpu", write_list, times, pack;
  std::vector<std::string> lists, architectures;
  std::string worker_trace;       // hidden: the child that makes the calls, and where its trace goes
  std::vector<std::string> task;  // hidden: a process that compiles one kernel, and its two files
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What `cugrb info` says of the device and the cache; Failure when the cache is off.
json describe(const PrecompileOptions& options) {
  const Finished info = run_self({"info", "--json"}, options.environment, true);
  const json answer = json::parse(info.output, nullptr, false);
  if (answer.is_discarded()) throw Failure("cugrb info failed");
  if (answer["cache"]["folder"].is_null()) throw Failure("the kernel cache is off: nothing to fill", usage);
  return answer;
}

[[noreturn]] void no_device(const json& described) {
  throw Failure(fmt::format(
      "precompile compiles for the device that is here: {}; --device emulated fills the emulated device's "
      "cache, --list FILE --architecture sm_NN compiles for another GPU",
      described["device"]["unavailable"].get<std::string>()));
}

/// Makes the common calls in a child process under libcugrb; returns the number of kernels compiled. The
/// requests are added to the list.
uint64_t compile_by_calling(const PrecompileOptions& options, const std::string& list,
                            const std::string& forced_kernel) {
  TemporaryFile trace(".json");
  Environment environment = options.environment;
  environment["LD_PRELOAD"] = preload_value(library_path());
  environment["CUGRB_OFFLOAD"] = "always";
  if (!forced_kernel.empty()) environment["CUGRB_FORCE"] = forced_kernel;
  if (!options.write_list.empty()) environment["CUGRB_REQUESTS"] = list;
  const Finished child = run_self({"precompile", "--worker", trace.path()}, environment, false);
  if (child.exit_code != 0) throw Failure(fmt::format("the process ended with code {}", child.exit_code));
  const json summary = summarise_trace(trace.path());
  if (summary.is_null()) throw Failure("no trace was written: was libcugrb.so built for this GraphBLAS?");
  return summary["compiled"].get<uint64_t>();
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int compile_common(const PrecompileOptions& options) {
  const json described = describe(options);
  if (described["device"].contains("unavailable")) no_device(described);
  const TemporaryFile requests;
  OptionalOutput list(options.write_list);
  const auto start = Clock::now();
  ProgressBar bar("compiling");
  uint64_t compiled = compile_by_calling(options, requests.path(), ""), done = 0;
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    bar.update(++done, operations::mxv_kernels().size() + 1);
    if (kernel->role == operations::Role::candidate)
      compiled += compile_by_calling(options, requests.path(), kernel->name);
  }
  if (!options.write_list.empty()) list.write(text_of(requests.path()));
  fmt::print("{} kernels compiled for {} in {:.1f} s, the others were there; cache {}\n", compiled,
             described["device"]["name"].get<std::string>(), seconds_since(start),
             described["cache"]["folder"].get<std::string>());
  return 0;
}

/// Adds the requests of a list, a line of JSON each, that were not `seen` yet.
void read_list(const std::string& path, std::vector<jit::Request>& requests, std::set<std::string>& seen) {
  std::ifstream file(path);
  if (!file) throw Failure(printable(path) + " cannot be opened");
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || !seen.insert(line).second) continue;
    const json entry = json::parse(line, nullptr, false);
    if (entry.is_discarded() || !entry.contains("header") || !entry.contains("name")) {
      throw Failure(fmt::format("{}:{}: expected a kernel request as CUGRB_REQUESTS writes it",
                                printable(path), number));
    }
    requests.push_back(
        {entry["header"].get<std::string>(), entry["name"].get<std::string>(), entry.value("preamble", "")});
  }
}

std::vector<jit::Request> read_lists(const std::vector<std::string>& paths) {
  std::vector<jit::Request> requests;
  std::set<std::string> seen;
  for (const std::string& path : paths) read_list(path, requests, seen);
  return requests;
}

/// What compiling a list for one architecture came to.
struct ListOutcome {
  uint64_t compiled = 0, failures = 0;
  std::vector<CompileTime> times;
};

/// False when it was there already.
bool compile_one(const std::string& architecture, const jit::Request& request, jit::KernelPackWriter* pack) {
  if (pack != nullptr) return jit::add_to_pack(*pack, request, architecture);
  const jit::Compiled kernel = jit::compile(request, architecture);
  return !kernel.from_disk && !kernel.from_pack;
}

/// Each kernel into the cache, and into the pack, where there is one to be made.
ListOutcome compile_for(const std::string& architecture, const std::vector<jit::Request>& requests,
                        jit::KernelPackWriter* pack) {
  ProgressBar bar("compiling for " + architecture);
  ListOutcome outcome;
  uint64_t done = 0;
  for (const jit::Request& request : requests) {
    try {
      const double before = processor_seconds();
      const bool compiled = compile_one(architecture, request, pack);
      // The first one also opens the compiler.
      if (compiled && outcome.compiled++ > 0)
        outcome.times.push_back({request.name, processor_seconds() - before});
    } catch (const jit::CompilationFailure& failure) {
      if (outcome.failures++ == 0)
        fmt::print(stderr, "cugrb: {}: {}\n", printable(request.name), printable_lines(failure.what()));
    }
    bar.update(++done, requests.size());
  }
  return outcome;
}

int compile_lists(const PrecompileOptions& options) {
  const json described = describe(options);
  std::vector<std::string> architectures = options.architectures;
  if (architectures.empty()) {
    if (described["device"].contains("unavailable")) no_device(described);
    architectures = {described["device"]["architecture"].get<std::string>()};
  }
  const std::vector<jit::Request> requests = read_lists(options.lists);
  OptionalOutput times_file(options.times), pack_file(options.pack);
  jit::KernelPackWriter pack;
  uint64_t failures = 0;
  for (const std::string& architecture : architectures) {
    const auto start = Clock::now();
    const ListOutcome outcome = compile_for(architecture, requests, options.pack.empty() ? nullptr : &pack);
    failures += outcome.failures;
    fmt::print("{} of {} kernels compiled for {} in {:.1f} s, {} were there, {} failed; cache {}\n",
               outcome.compiled, requests.size(), architecture, seconds_since(start),
               requests.size() - outcome.compiled - outcome.failures, outcome.failures,
               described["cache"]["folder"].get<std::string>());
    times_file.write(compile_times_text(architecture, outcome.times));
  }
  if (!options.pack.empty()) {
    pack_file.write(pack.content());
    fmt::print("{} kernels in {}\n", pack.size(), printable(options.pack));
  }
  return failures == 0 ? 0 : failed;
}

int run(PrecompileOptions& options) {
  if (!options.task.empty()) {
    jit::write_image(options.task[1], jit::compile_by_nvrtc(jit::read_task(options.task[0])));
    return 0;
  }
  if (!options.worker_trace.empty()) {
    const Trace trace(options.worker_trace);
    make_common_calls();
    return 0;
  }
  options.environment["CUGRB_DEVICE"] = options.device;
  apply(options.environment);
  check_settings();
  if (!options.architectures.empty() && options.lists.empty()) {
    throw Failure("--architecture needs --list: without a device of that kind no calls can be made", usage);
  }
  if (!options.times.empty() && options.lists.empty()) {
    throw Failure("--times needs --list: processes of their own make the calls otherwise", usage);
  }
  if (!options.pack.empty() && options.lists.empty()) throw Failure("--pack needs --list", usage);
  if (!options.times.empty() && options.architectures.size() > 1)
    throw Failure("--times is for one architecture", usage);
  check_outputs({{"--times", options.times}, {"--write-list", options.write_list}, {"--pack", options.pack}},
                options.lists);
  return options.lists.empty() ? compile_common(options) : compile_lists(options);
}

}  // namespace

void add_precompile(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PrecompileOptions>();
  CLI::App* sub = app.add_subcommand("precompile", "Compile the kernels of common programs into the cache");
  if (const char* named = std::getenv("CUGRB_DEVICE"); named != nullptr && *named != '\0')
    options->device = named;
  sub->add_option("--device", options->device, "gpu, gpu:N or emulated")->capture_default_str();
  sub->add_option("--list", options->lists,
                  "compile the kernels of these lists (written by --write-list or CUGRB_REQUESTS)");
  sub->add_option("--architecture", options->architectures,
                  "with --list: sm_NN, or several of them, instead of the device's own");
  sub->add_option("--pack", options->pack,
                  "with --list: also write them to this file, a kernel pack that programs take with "
                  "CUGRB_KERNEL_PACK or find beside libcugrb.so");
  sub->add_option("--times", options->times,
                  "with --list: write the processor time of each kernel's compilations to this file (JSON); "
                  "what the cache has already is not timed");
  sub->add_option("--write-list", options->write_list, "also write the list of kernels to this file");
  sub->add_option_function<std::string>(
      "--cache", [options](const std::string& folder) { options->environment["CUGRB_CACHE"] = folder; },
      "folder of compiled kernels");
  sub->add_option("--worker", options->worker_trace)->group("");
  sub->add_option("--compile", options->task)->expected(2)->group("");
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace cugrb::command
