// cugrb run NAME GRAPH: an algorithm on a graph, on the GPU, the CPU, or
// both beside each other.
//
// Each backend works in a process of its own: this command again, with or without libcugrb.so in front of
// GraphBLAS (a hidden option tells it to measure and where to put the result).
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>

#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/numbers.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/program.h"
#include "tools/cugrb/report.h"
#include "tools/cugrb/trace_report.h"
#include "tools/cugrb/worker.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

struct RunOptions {
  Workload workload;
  Environment environment;
  std::string backend = "auto", json_file, device;
  bool summary = false;
  std::string worker_request;  // hidden
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// CUGRB_DEVICE for a backend: which GPU, or none, is the user's to say.
std::string device_of(const std::string& backend) {
  if (backend == "emulated") return backend;
  const std::string named = variable("CUGRB_DEVICE");
  return named == "none" || named.rfind("gpu", 0) == 0 ? named : "gpu";
}

/// The device as `cugrb info` describes it: {"name", …} or {"unavailable": why}. Asked in a child process, so
/// that no CUDA context stays here.
json describe_device(const std::string& backend, const Environment& environment) {
  Environment asked = environment;
  asked["CUGRB_DEVICE"] = device_of(backend);
  const Finished info = run_self({"info", "--json"}, asked, true);
  const json answer = json::parse(info.output, nullptr, false);
  if (answer.is_discarded() || !answer.contains("device")) return {{"unavailable", "cugrb info failed"}};
  return answer["device"];
}

std::vector<std::string> backends(const RunOptions& options) {
  if (options.backend == "cpu" || options.backend == "emulated") return {options.backend};
  if (options.backend == "auto" && variable("CUGRB_DEVICE") == "emulated") return {"emulated"};
  const std::string obstacle = describe_device("gpu", options.environment).value("unavailable", "");
  if (options.backend == "gpu" && !obstacle.empty()) throw Failure("--backend gpu: " + obstacle);
  if (options.backend == "both" && !obstacle.empty()) fmt::print("No GPU here ({}): CPU only.\n", obstacle);
  if (!obstacle.empty()) return {"cpu"};
  if (options.backend == "both") return {"cpu", "gpu"};
  return {"gpu"};
}

/// One backend's report.
json measure_on(const std::string& backend, const RunOptions& options, const std::string& values_file) {
  TemporaryFile request, answer, trace(".json");
  const bool traced = backend != "cpu" && (options.summary || !options.json_file.empty());
  json asked = {{"workload", to_json(options.workload)},
                {"backend", backend},
                {"answer", answer.path()},
                {"files", {{"values", values_file}, {"trace", traced ? trace.path() : ""}}}};
  write_message(request.path(), asked);
  Environment environment = options.environment;
  if (backend == "cpu") {
    environment["LD_PRELOAD"] = preload_without_cugrb();
  } else {
    environment["LD_PRELOAD"] = preload_value(library_path());
    environment["CUGRB_DEVICE"] = device_of(backend);
    if (backend == "emulated" && variable("CUGRB_OFFLOAD").empty()) environment["CUGRB_OFFLOAD"] = "always";
  }
  const Finished child =
      run_self({"run", options.workload.algorithm, "--worker", request.path()}, environment, false);
  if (child.exit_code != 0)
    throw Failure(fmt::format("backend {}: the process ended with code {}", backend, child.exit_code),
                  child.exit_code == usage ? usage : failed);
  json report = read_message(answer.path());
  if (report.is_discarded()) throw Failure(fmt::format("backend {}: the process gave no answer", backend));
  report["backend"] = backend;
  if (backend != "cpu") report["device"] = describe_device(backend, options.environment);
  if (traced) report["trace"] = summarise_trace(trace.path());
  return report;
}

/// The largest difference between two files of values, relative to the largest value; infinite where one has
/// a number and the other one none.
double difference(const std::string& path_a, const std::string& path_b) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::ifstream a(path_a, std::ios::binary), b(path_b, std::ios::binary);
  double x = 0, y = 0, largest = 0, difference = 0;
  while (true) {
    const bool in_a = bool(a.read(reinterpret_cast<char*>(&x), sizeof x)),
               in_b = bool(b.read(reinterpret_cast<char*>(&y), sizeof y));
    if (in_a != in_b) return infinite;
    if (!in_a) return largest > 0 ? difference / largest : difference;
    if (std::isnan(x) != std::isnan(y)) return infinite;
    if (std::isnan(x) || x == y) continue;
    difference = std::max(difference, std::abs(x - y));
    largest = std::max(largest, std::abs(x));
  }
}

/// Whether libcugrb.so stands in front of GraphBLAS here, and does more than pass calls on.
void require_cugrb(const std::string& backend) {
  const auto reason = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "cugrb_forward_only_reason"));
  if (reason == nullptr)
    throw Failure(fmt::format("backend {}: the loader did not put libcugrb.so in front", backend));
  if (*reason() != '\0')
    throw Failure(fmt::format("backend {}: every call is only passed on: {}", backend, reason()));
}

/// In the child process.
void work(const std::string& request_file) {
  const json request = read_message(request_file);
  if (request.is_discarded()) throw Failure("--worker: the file holds no request", usage);
  const json& files = request.at("files");
  const json report = measure(workload_from_json(request.at("workload")),
                              {files.at("values").get<std::string>(), files.at("trace").get<std::string>()});
  const auto backend = request.at("backend").get<std::string>();
  if (backend != "cpu") require_cugrb(backend);
  write_message(request.at("answer").get<std::string>(), report);
}

int run(RunOptions& options) {
  if (!options.worker_request.empty()) {
    work(options.worker_request);
    return 0;
  }
  if (options.workload.graph.empty())
    throw Failure("run needs a graph: a file, or a name such as rmat:16:16", usage);
  if (!options.device.empty()) options.environment["CUGRB_DEVICE"] = options.device;
  apply(options.environment);
  check_settings();
  check_outputs({{"--json", options.json_file}}, {options.workload.graph, options.workload.names});
  OptionalOutput json_output(options.json_file);
  json reports = json::array();
  TemporaryFile first_values, other_values;
  bool agreed = true;
  for (const std::string& backend : backends(options)) {
    const bool first = reports.empty();
    reports.push_back(measure_on(backend, options, (first ? first_values : other_values).path()));
    if (first) continue;
    const double d = difference(first_values.path(), other_values.path());
    const bool same = d <= algorithm(options.workload.algorithm).difference;
    if (std::isfinite(d)) reports.back()["largest_difference"] = d;
    reports.back()["agrees"] = same;
    agreed = agreed && same;
  }
  print_report(reports, options.summary);
  json_output.write(json_text(reports, 2) + "\n");
  if (!agreed) throw Failure("the backends disagree");
  return 0;
}

void add_algorithm(CLI::App& parent, const Algorithm& row, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  Workload& w = options->workload;
  w.algorithm = row.name;
  CLI::App* sub = parent.add_subcommand(row.name, row.help);
  sub->add_option(
      "GRAPH", w.graph,
      "Matrix Market file or edge list (.gz, .xz too), or rmat:SCALE:EDGE_FACTOR, uniform:N:DEGREE, "
      "chung_lu:PRESET, poisson2d:NX:NY, poisson3d:NX:NY:NZ, banded:N:HALF_WIDTH");
  sub->add_option("--backend", options->backend,
                  "gpu, cpu, emulated, both (GPU beside CPU), or auto: the GPU if there is one")
      ->check(CLI::IsMember({"auto", "gpu", "cpu", "emulated", "both"}));
  sub->add_flag("--directed", w.directed, "an edge list's lines are edges in one direction");
  sub->add_option("--names", w.names, "file of vertex names, one a line");
  sub->add_option("--top", w.top, "vertices to print")
      ->transform(whole(0, UINT32_MAX))
      ->capture_default_str();
  sub->add_option("--repeat", w.repeat, "runs to time; the first one is cold")
      ->transform(whole(1, 1000000))
      ->capture_default_str();
  sub->add_option("--json", options->json_file, "write everything as JSON to this file");
  sub->add_flag("--summary", options->summary, "also print where each call ran");
  row.add_options(*sub, w);
  sub->add_option("--device", options->device, "which GPU: gpu, gpu:N")->group("Settings");
  add_settings(*sub, options->environment);
  sub->add_option("--worker", options->worker_request)->group("");
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("run", "Run an algorithm on a graph");
  sub->require_subcommand(1);
  for (const Algorithm& row : algorithms()) add_algorithm(*sub, row, exit_code);
}

}  // namespace cugrb::command
