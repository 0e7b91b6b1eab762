// The side of `cugrb explain` that has the matrix: lengths, predictions, the choice, measured times.
#include <filesystem>

#include "cuda/cusparse/cusparse.h"
#include "semirings/operators.h"
#include "src/formats/hyb.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/operations.h"
#include "src/selector/analytic.h"
#include "src/selector/profile.h"
#include "src/support/settings.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/explain.h"
#include "tools/cugrb/explain_device.h"
#include "tools/cugrb/explain_measure.h"
#include "tools/cugrb/explain_scale.h"
#include "tools/cugrb/memory_errors.h"
#include "tools/cugrb/progress.h"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

using formats::DeviceMatrix;
using formats::DeviceVector;
using formats::LengthDistribution;
using nlohmann::json;

json describe_estimate(const selector::analytic::FormatEstimate& f) {
  return {{"format", selector::analytic::name(f.format)}, {"threshold", f.threshold},
          {"storage_bytes", f.estimate.storage_bytes},    {"transfer_seconds", f.estimate.transfer_seconds},
          {"memory_seconds", f.estimate.memory_seconds},  {"multiply_seconds", f.estimate.multiply_seconds},
          {"add_seconds", f.estimate.add_seconds},        {"compute_seconds", f.estimate.compute_seconds()},
          {"total_seconds", f.estimate.total_seconds()}};
}

bool is_calibrated() {
  return selector::Profile::of_device()->source ==
         selector::profile_path(runtime::device().properties().name);
}

/// Of the profile in force: a calibrated one's file without its folder.
std::string profile_name(const ExplainRequest& request) {
  if (request.assumed) return "shipped (NVIDIA H200)";
  const std::string& source = selector::Profile::of_device()->source;
  return is_calibrated() ? std::filesystem::path(source).filename().string() : source;
}

namespace model = selector::analytic;

json describe_parameters(const model::Parameters& p, const std::string& bus_source) {
  return {{"transfer_rate", p.transfer_rate}, {"transfer_rate_source", bus_source},
          {"value_rate", p.value_rate},       {"integer_rate", p.integer_rate},
          {"bus_bytes", p.bus_bytes},         {"memory_clock", p.memory_clock},
          {"processors", p.processors},       {"block_threads", p.block_threads},
          {"warp_threads", p.warp_threads},   {"index_bytes", p.index_bytes},
          {"value_bytes", p.value_bytes}};
}

/// COO, CSR and ELL, and the choices of Algorithm 1.
json describe_choices(const LengthDistribution& d, const model::Parameters& p) {
  const auto candidates = model::estimates(d, p);
  json list = json::array();
  for (const model::FormatEstimate& f : candidates) list.push_back(describe_estimate(f));
  return {{"formats", list},
          {"choice", model::name(model::best_of(candidates, model::Counted::transfer_and_compute).format)},
          {"resident_choice", model::name(model::best_of(candidates, model::Counted::compute).format)}};
}

json describe_hyb(const LengthDistribution& d, uint64_t threshold, const model::Parameters& p) {
  return describe_estimate({model::Format::hyb, threshold, model::hyb(d, threshold, p)});
}

/// `hyb_threshold`: mxv_hyb's; 0 where it has none.
json describe_analytic(const LengthDistribution& d, const model::Parameters& p, const std::string& bus_source,
                       uint64_t hyb_threshold) {
  const auto split = model::optimal_hyb(d, p, model::Counted::transfer_and_compute);
  const auto resident_split = model::optimal_hyb(d, p, model::Counted::compute);
  json described = describe_choices(d, p);
  described["parameters"] = describe_parameters(p, bus_source);
  described["formats"].push_back(describe_estimate({model::Format::hyb, split.threshold, split.estimate}));
  described["resident_hyb"] =
      describe_estimate({model::Format::hyb, resident_split.threshold, resident_split.estimate});
  described["bell_garland_hyb"] = describe_hyb(d, formats::bell_garland_threshold(d), p);
  if (hyb_threshold > 0) described["kernel_hyb"] = describe_hyb(d, hyb_threshold, p);
  model::Parameters break_points = p;
  break_points.fractiles = model::Fractiles::break_points;
  described["break_points"] = describe_choices(d, break_points);
  described["break_points"]["mean"] = d.break_point_mean(p.warp_threads);
  described["fractile_mean"] = d.fractile_mean(p.warp_threads);
  return described;
}

/// `host_call_seconds`: the host's pace that it is for; 0: what the device knows of it so far.
selector::Decision decide(const VectorProduct& product, const selector::Hardware& hardware,
                          const selector::Kernel* forced, double host_call_seconds) {
  selector::MxvProblem problem = operations::describe_mxv(product.call(), hardware);
  if (host_call_seconds > 0) problem.host_call_seconds = host_call_seconds;
  return operations::choose_mxv(problem, hardware, forced, operations::References::listed);
}

/// The candidates of a decision; those that it left out for want of something that is only made for a kernel
/// that is asked for by name (counted columns) as they are then, with that reason.
std::vector<selector::Candidate> all_candidates(const VectorProduct& product,
                                                const selector::Hardware& hardware,
                                                const selector::Decision& decision,
                                                double host_call_seconds) {
  const SettingsGuard guard;  // of force_kernel
  std::vector<selector::Candidate> candidates = decision.candidates;
  for (selector::Candidate& c : candidates) {
    if (c.applicable) continue;
    force_kernel(c.kernel->name);
    for (selector::Candidate& asked : decide(product, hardware, c.kernel, host_call_seconds).candidates) {
      if (asked.kernel != c.kernel || !asked.applicable) continue;
      asked.reason = "not considered: " + c.reason;
      c = asked;
      break;
    }
  }
  return candidates;
}

/// The same matrix, of which nothing is known.
DeviceMatrix unknown(const DeviceMatrix& matrix) {
  return formats::matrix_by(matrix.stored, matrix.by_column);
}

/// Entries of a row in the slices of mxv_hyb's matrix; 0 where it has none.
uint64_t hyb_threshold(const VectorProduct& product, const selector::Hardware& hardware) {
  const SettingsGuard guard;  // of force_kernel
  force_kernel("mxv_hyb");    // it is found for a kernel with a format of its own alone
  const DeviceMatrix matrix = unknown(product.matrix);
  return operations::describe_mxv(VectorProduct{product.semiring, matrix, product.vector}.call(), hardware)
      .hyb_threshold;
}

/// How tile-composite would be laid out; null when it cannot be.
json describe_tiles(const VectorProduct& product, const selector::Hardware& hardware) {
  const SettingsGuard guard;           // of force_kernel
  force_kernel("mxv_tile_composite");  // columns are counted for it alone
  const selector::MxvProblem problem = operations::describe_mxv(product.call(), hardware);
  if (problem.popularity == nullptr) return nullptr;
  const formats::TileCompositeParameters plan = operations::plan_tile_composite(problem, hardware);
  return {{"tiles", plan.tiles}, {"longest_workload", plan.tile_steps * tile_step_entries}};
}

/// The analytic model's computing time for the kernels that it describes, at the K that the kernel uses, and
/// its least one over all K where K can be chosen.
void add_analytic_seconds(json& candidates, const json& analytic) {
  const json& formats = analytic["formats"];
  for (json& candidate : candidates) {
    const std::string kernel = candidate["kernel"];
    const auto is = [&](const char* stem, const json& estimate) {
      if (kernel == stem) candidate["analytic_seconds"] = estimate["compute_seconds"];
    };
    is("mxv_coo", formats[0]);
    is("mxv_row_thread", formats[1]);
    is("mxv_ell", formats[2]);
    if (kernel != "mxv_hyb") continue;
    if (analytic.contains("kernel_hyb")) is("mxv_hyb", analytic["kernel_hyb"]);
    candidate["analytic_optimum_seconds"] = analytic["resident_hyb"]["compute_seconds"];
  }
}

/// Adds the candidates and the choice, as they are at this pace of the host for a matrix that has been used
/// so often; the uses so far stand for those to come.
void describe_decision(json& report, const ExplainRequest& request, const VectorProduct& of,
                       const selector::Hardware& hardware, double host_call_seconds) {
  const DeviceMatrix matrix = unknown(of.matrix);
  calibration::count_uses(matrix, request.uses - 1);
  const VectorProduct product{of.semiring, matrix, of.vector};
  const selector::Decision decision =
      decide(product, hardware, operations::forced_kernel(), host_call_seconds);
  report["operation"] = decision.operation;
  report["candidates"] =
      describe_candidates(all_candidates(product, hardware, decision, host_call_seconds), request.uses);
  add_analytic_seconds(report["candidates"], report["analytic"]);
  describe_choice(report, decision);
}

/// Predictions are for the host's pace while the kernels were measured.
void measure_product(json& report, const ExplainRequest& request, const VectorProduct& product,
                     const selector::Hardware& hardware) {
  report["decision_seconds"] =
      settled_seconds_of([&] { decide(product, hardware, operations::forced_kernel(), 0); });
  if (product.matrix.nvals() == 0) return;
  const Measurable measurable{product.measurable()};
  Measured measured = measure(applicable_kernels(report["candidates"]), report["chosen"]["kernel"],
                              measurable, request.repeat);
  describe_decision(report, request, product, hardware, measured.host_call_seconds);
  describe_measured(report, measured, measurable, request.repeat);
}

json explain_product(const ExplainRequest& request, const graph_files::Csr& csr, const std::string& name,
                     const LengthDistribution& rows, const selector::Hardware& hardware) {
  const Semiring semiring = catalogue::semiring(name).value();
  const bool reads_matrix = semiring.multiply.reads_x;
  const DeviceMatrix matrix =
      to_device(csr, reads_matrix ? semiring.multiply.x : Type::of(TypeCode::Bool), !reads_matrix);
  const DeviceVector vector = small_numbers(semiring.multiply.y, matrix.columns);
  const VectorProduct product{semiring, matrix, vector};
  json report = {{"semiring", semiring.name}, {"uses", request.uses}};
  const auto parameters =
      model::Parameters::of(request.assumed ? runtime::Properties() : runtime::device().properties(),
                            semiring.add.type(), hardware.bus_bytes_per_second);
  report["analytic"] =
      describe_analytic(rows, parameters, profile_name(request), hyb_threshold(product, hardware));
  describe_decision(report, request, product, hardware, 0);
  report["tile_composite"] = describe_tiles(product, hardware);
  if (request.measure) measure_product(report, request, product, hardware);
  if (request.devices > 0)
    report["scale"] = describe_scale(request, product, rows, hardware, report["candidates"]);
  return report;
}

}  // namespace

json to_json(const ExplainRequest& r) {
  return {{"graph", r.graph},
          {"directed", r.directed},
          {"semirings", r.semirings},
          {"uses", r.uses},
          {"devices", r.devices},
          {"measure", r.measure},
          {"repeat", r.repeat},
          {"assumed", r.assumed},
          {"mxm", r.mxm},
          {"second", r.second},
          {"mask", r.mask},
          {"complement", r.complement},
          {"transpose_first", r.transpose_first},
          {"transpose_second", r.transpose_second}};
}

ExplainRequest explain_request_from_json(const json& j) {
  ExplainRequest r;
  j.at("graph").get_to(r.graph);
  j.at("directed").get_to(r.directed);
  j.at("semirings").get_to(r.semirings);
  j.at("uses").get_to(r.uses);
  j.at("devices").get_to(r.devices);
  j.at("measure").get_to(r.measure);
  j.at("repeat").get_to(r.repeat);
  j.at("assumed").get_to(r.assumed);
  j.at("mxm").get_to(r.mxm);
  j.at("second").get_to(r.second);
  j.at("mask").get_to(r.mask);
  j.at("complement").get_to(r.complement);
  j.at("transpose_first").get_to(r.transpose_first);
  j.at("transpose_second").get_to(r.transpose_second);
  return r;
}

graph_files::Csr load(const std::string& graph, bool directed) {
  ProgressBar bar("reading " + graph);
  return graph_files::load_graph(
      graph, directed ? graph_files::EdgeDirection::directed : graph_files::EdgeDirection::undirected,
      [&bar](uint64_t done, uint64_t all) { bar.update(done, all); });
}

json describe_device(const ExplainRequest& request) {
  if (request.assumed) return {{"name", "NVIDIA H200"}, {"assumed", true}};
  const runtime::Properties& device = runtime::device().properties();
  return {{"name", device.name},
          {"assumed", false},
          {"driver", device.driver_version},
          {"calibrated", is_calibrated()},
          {"profile", profile_name(request)}};
}

selector::Hardware hardware_of(const ExplainRequest& request) {
  return request.assumed ? selector::Hardware() : selector::Profile::of_device()->hardware;
}

json describe_graph(const std::string& name, const graph_files::Csr& csr) {
  return {{"name", name},
          {"rows", csr.nrows},
          {"columns", csr.ncols},
          {"entries", csr.entries()},
          {"symmetric", csr.symmetric}};
}

namespace {

json explain_matrix(const ExplainRequest& request, const graph_files::Csr& csr) {
  json report;
  report["graph"] = describe_graph(request.graph, csr);
  report["device"] = describe_device(request);
  LengthDistribution rows, columns;
  json counting;
  {
    const DeviceMatrix pattern = to_device(csr, Type::of(TypeCode::Bool), true);
    rows = pattern.row_distribution(false);
    columns = pattern.row_distribution(true);
    if (request.measure) {
      counting = {{"rows", settled_seconds_of([&] { formats::row_distribution(pattern.stored); })},
                  {"columns", settled_seconds_of([&] { formats::column_distribution(pattern.stored); })}};
    }
  }
  report["lengths"] = {{"rows", describe_lengths(rows)}, {"columns", describe_lengths(columns)}};
  if (request.measure) report["lengths"]["counting_seconds"] = counting;
  const selector::Hardware hardware = hardware_of(request);
  report["products"] = json::array();
  for (const std::string& name : request.semirings)
    report["products"].push_back(explain_product(request, csr, name, rows, hardware));
  return report;
}

}  // namespace

json explain(const ExplainRequest& request) {
  const std::string obstacle = runtime::unavailable_reason();
  if (!obstacle.empty()) throw Failure("no device: " + obstacle);
  // A process loads it once: neither a predicted nor a measured conversion is to count that.
  if (request.measure) static_cast<void>(cusparse::unavailable_reason());
  if (request.mxm) return explain_mxm(request);
  const graph_files::Csr csr = load(request.graph, request.directed);
  return with_memory_for({request.graph, csr.nrows, csr.ncols, csr.entries()},
                         [&] { return explain_matrix(request, csr); });
}

}  // namespace cugrb::command
