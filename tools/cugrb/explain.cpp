// cugrb explain GRAPH: how long the rows of a matrix are, what the models make of it, which kernel multiplies
// it by a vector (--mxm: by another matrix), and, with --measure, whether that was the best one.
//
// Each matrix is looked at in a process of its own (this command again, with a hidden option): a matrix that
// does not fit or a device that fails ends one line of a table, not the table.
#include "tools/cugrb/explain.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "semirings/operators.h"
#include "tools/calibration/timing.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/explain_table.h"
#include "tools/cugrb/numbers.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/program.h"
#include "tools/graph_files/format.h"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct ExplainOptions {
  ExplainRequest request;
  Environment environment;
  std::string device, json_file, svg_file, commit;
  std::string worker_request;  // hidden
};

/// Without a GPU the emulated device holds the matrix, and predictions are made for the default hardware
/// profile; times of the emulated device are measured only when it is asked for by name.
void choose_device(ExplainOptions& options) {
  if (!options.device.empty()) options.environment["CUGRB_DEVICE"] = options.device;
  const char* named = std::getenv("CUGRB_DEVICE");
  if (!options.device.empty() || (named != nullptr && std::string(named) != "auto")) return;
  const Finished info = run_self({"info", "--json"}, {{"CUGRB_DEVICE", "gpu"}}, true);
  const json answer = json::parse(info.output, nullptr, false);
  const bool answered = !answer.is_discarded() && answer.contains("device");
  const std::string obstacle = answered ? answer["device"].value("unavailable", "") : "cugrb info failed";
  if (obstacle.empty()) return;
  if (options.request.measure)
    throw Failure("--measure: " + obstacle + "; --device emulated measures the emulated device");
  options.environment["CUGRB_DEVICE"] = "emulated";
  options.request.assumed = true;
}

/// The report on one matrix; {"graph": {"name"}, "failed": exit code} when its process did not succeed (it
/// has said why).
json explain_in_child(const std::string& graph, const ExplainOptions& options) {
  TemporaryFile request_file, answer_file;
  ExplainRequest request = options.request;
  request.graph = graph;
  write_message(request_file.path(), {{"request", to_json(request)}, {"answer", answer_file.path()}});
  const Finished child = run_self({"explain", "--worker", request_file.path()}, options.environment, false);
  json report = read_message(answer_file.path());
  if (child.exit_code == 0 && !report.is_discarded()) return report;
  return {{"graph", {{"name", graph}}}, {"failed", child.exit_code == 0 ? int(failed) : child.exit_code}};
}

/// In the child process.
void work(const std::string& request_file) {
  const json asked = read_message(request_file);
  if (asked.is_discarded()) throw Failure("--worker: the file holds no request", usage);
  write_message(asked.at("answer").get<std::string>(),
                explain(explain_request_from_json(asked.at("request"))));
}

bool is_graph_file(const std::string& name) {
  using graph_files::NameEnding;
  const NameEnding ending = graph_files::name_ending(name);
  return ending == NameEnding::matrix_market || ending == NameEnding::edge_list;
}

/// The graph files of a folder by name, or the one graph.
std::vector<std::string> graphs_of(const std::string& name) {
  if (graph_files::is_generated(name) || !fs::is_directory(name)) return {name};
  std::vector<std::string> graphs;
  for (const fs::directory_entry& entry : fs::directory_iterator(name)) {
    if (is_graph_file(entry.path().filename().string())) graphs.push_back(entry.path().string());
  }
  std::sort(graphs.begin(), graphs.end());
  if (graphs.empty())
    throw Failure(printable(name) + ": no .mtx, .el, .edges, .txt or .csv file (.gz, .xz) in this folder");
  return graphs;
}

void check_semirings(ExplainRequest& request) {
  if (request.semirings.empty()) request.semirings = {"PLUS_TIMES_FP32"};
  for (const std::string& name : request.semirings) {
    if (!catalogue::semiring(name)) {
      throw Failure("--semiring: there is no built-in semiring " + name +
                        "; expected a name such as PLUS_TIMES_FP32, MIN_PLUS_INT32 or ANY_SECONDI_INT64",
                    usage);
    }
  }
}

/// What goes with --mxm only, and what does not.
void check_product(const ExplainOptions& options) {
  const ExplainRequest& r = options.request;
  const bool asked =
      !r.second.empty() || !r.mask.empty() || r.complement || r.transpose_first || r.transpose_second;
  if (!r.mxm && asked) throw Failure("a second matrix, a mask and transposes need --mxm", usage);
  if (r.mxm && r.devices > 0) throw Failure("--devices is for a product with a vector, not --mxm", usage);
  if (r.complement && r.mask.empty()) throw Failure("--complement needs --mask", usage);
  if (r.mxm && !options.svg_file.empty()) throw Failure("--svg draws one matrix, not a product", usage);
}

/// What a table's JSON says of the run: of the device what the first matrix's process has found.
json describe_run(const ExplainOptions& options, const json& reports) {
  json run = {{"command", "explain"}, {"date", calibration::utc_now()}, {"commit", options.commit}};
  const ExplainRequest& request = options.request;
  run.update({{"uses", request.uses}, {"repeat", request.repeat}, {"measured", request.measure}});
  for (const json& report : reports) {
    if (report.contains("failed")) continue;
    run.update(report["device"]);
    run["device"] = run["name"];
    run.erase("name");
    for (const json& product : report["products"]) {
      if (product.contains("measurement")) run["measured"] = product["measurement"]["what"];
    }
    break;
  }
  return run;
}

void check_files(const ExplainOptions& options, std::vector<std::string> inputs) {
  inputs.push_back(options.request.second);
  inputs.push_back(options.request.mask);
  check_outputs({{"--svg", options.svg_file}, {"--json", options.json_file}}, inputs);
}

int run(ExplainOptions& options) {
  if (!options.worker_request.empty()) {
    work(options.worker_request);
    return 0;
  }
  if (options.request.graph.empty())
    throw Failure("explain needs a graph: a file, a folder, or a name such as rmat:16:16", usage);
  check_semirings(options.request);
  check_product(options);
  apply(options.environment);
  check_settings();
  const bool folder =
      !graph_files::is_generated(options.request.graph) && fs::is_directory(options.request.graph);
  if (folder && options.request.mxm) throw Failure("--mxm takes two graphs, not a folder", usage);
  if (folder && !options.svg_file.empty()) throw Failure("--svg draws one graph, not a folder", usage);
  const std::vector<std::string> graphs = graphs_of(options.request.graph);
  check_files(options, graphs);
  OptionalOutput svg_output(options.svg_file), json_output(options.json_file);
  choose_device(options);
  json reports = json::array();
  int exit_code = 0;
  if (folder) print_table_head(options.request.measure);
  for (const std::string& graph : graphs) {
    reports.push_back(explain_in_child(graph, options));
    if (reports.back().contains("failed")) exit_code = reports.back()["failed"].get<int>();
    if (folder) print_table_lines(reports.back(), options.request.measure);
  }
  if (folder) {
    print_table_end(reports);
  } else if (exit_code == 0) {
    (options.request.mxm ? print_mxm : print_explanation)(reports[0]);
    svg_output.write(options.svg_file.empty() ? "" : lengths_svg(reports[0]));
  }
  json_output.write(folder ? table_json(describe_run(options, reports), reports)
                           : json_text(reports, 1) + "\n");
  return exit_code == 0 || exit_code == usage ? exit_code : failed;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* sub = app.add_subcommand(
      "explain", "Why a matrix is multiplied by this kernel: row lengths, predictions, choice");
  ExplainRequest& r = options->request;
  sub->add_option("GRAPH", r.graph,
                  "Matrix Market file or edge list (.gz, .xz too), a folder of them (a line for each), or a "
                  "generated graph: rmat:SCALE:EDGE_FACTOR, uniform:N:DEGREE, poisson2d:NX:NY, ...");
  sub->add_flag("--mxm", r.mxm, "of the matrix product GRAPH * SECOND instead of a product with a vector");
  sub->add_option("SECOND", r.second, "--mxm: the other factor (GRAPH once more when it is left out)");
  sub->add_option("--mask", r.mask, "--mxm: only entries of this matrix are made");
  sub->add_flag("--complement", r.complement, "--mxm: only entries that the mask does not have");
  sub->add_flag("--transpose-first", r.transpose_first, "--mxm: GRAPH' instead of GRAPH");
  sub->add_flag("--transpose-second", r.transpose_second, "--mxm: SECOND' instead of SECOND");
  sub->add_option("--semiring", r.semirings,
                  "built-in semiring, such as PLUS_TIMES_FP32 (the default); may be repeated")
      ->allow_extra_args(false);
  sub->add_option("--uses", r.uses, "products that the conversion to a format is shared out over")
      ->transform(whole(1, uint64_t{1} << 30))
      ->capture_default_str();
  sub->add_option("--devices", r.devices,
                  "the partition over 1 ... so many devices, predicted times and efficiency "
                  "(with --measure and CUGRB_DEVICES: measured ones)")
      ->transform(whole(1, 4096));
  sub->add_flag("--measure", r.measure, "measure every applicable kernel beside its prediction");
  sub->add_option("--repeat", r.repeat,
                  "samples of which the median is taken, at most; twice as many rounds in turns")
      ->transform(whole(1, 1000000))
      ->capture_default_str();
  sub->add_flag("--directed", r.directed, "an edge list's lines are edges in one direction");
  sub->add_option("--svg", options->svg_file, "draw the distribution of lengths into this file");
  sub->add_option("--json", options->json_file,
                  "write everything as JSON to this file; of a folder the table, a line a matrix");
  sub->add_option("--commit", options->commit, "what a table's JSON says of the build")->type_name("TEXT");
  sub->add_option("--device", options->device, "gpu, gpu:N or emulated")->group("Settings");
  add_settings(*sub, options->environment);
  sub->add_option("--worker", options->worker_request)->group("");
  sub->footer(
      "What the numbers mean: docs/explain.md. How the choice is made: docs/selector.md, of matrix products "
      "docs/matrix_product.md.");
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace cugrb::command
