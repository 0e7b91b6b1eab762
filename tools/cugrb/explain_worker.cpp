// The side of `cugrb explain` that has the matrix: lengths, predictions, the choice, measured times.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "semirings/operators.h"
#include "src/formats/hyb.h"
#include "src/jit/jit.h"
#include "src/operations/operations.h"
#include "src/selector/analytic.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/explain.h"
#include "tools/cugrb/explain_device.h"
#include "tools/cugrb/progress.h"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

using formats::DeviceMatrix;
using formats::DeviceVector;
using formats::LengthDistribution;
using nlohmann::json;

json describe_lengths(const LengthDistribution& d) {
  json fractiles = json::object();
  for (const auto& [name, per_mille] :
       {std::pair{"25", 250}, {"50", 500}, {"75", 750}, {"90", 900}, {"99", 990}, {"99.9", 999}}) {
    fractiles[name] = d.fractile(static_cast<uint64_t>(per_mille), 1000);
  }
  json histogram = json::array();
  for (const LengthDistribution::Bin& bin : d.bins()) histogram.push_back({bin.length, bin.rows});
  return {{"rows", d.rows()},
          {"entries", d.entries()},
          {"empty", d.empty_rows()},
          {"longest", d.longest()},
          {"distinct", d.bins().size()},
          {"mean", d.mean()},
          {"deviation", d.deviation()},
          {"skewness", d.skewness()},
          {"fractiles", fractiles},
          {"warp_fractile_mean", d.fractile_mean(32)},
          {"histogram", histogram}};
}

json describe_estimate(const selector::analytic::FormatEstimate& f) {
  return {{"format", selector::analytic::name(f.format)}, {"threshold", f.threshold},
          {"storage_bytes", f.estimate.storage_bytes},    {"transfer_seconds", f.estimate.transfer_seconds},
          {"memory_seconds", f.estimate.memory_seconds},  {"multiply_seconds", f.estimate.multiply_seconds},
          {"add_seconds", f.estimate.add_seconds},        {"compute_seconds", f.estimate.compute_seconds()},
          {"total_seconds", f.estimate.total_seconds()}};
}

json describe_analytic(const LengthDistribution& d, const runtime::Properties& device, size_t value_bytes) {
  namespace model = selector::analytic;
  using model::Counted;
  const model::Parameters p = model::Parameters::of(device, value_bytes);
  const auto candidates = model::estimates(d, p);
  const auto split = model::optimal_hyb(d, p, Counted::transfer_and_compute);
  const auto resident_split = model::optimal_hyb(d, p, Counted::compute);
  const uint64_t heuristic = formats::bell_garland_threshold(d);
  json list = json::array();
  for (const model::FormatEstimate& f : candidates) list.push_back(describe_estimate(f));
  list.push_back(describe_estimate({model::Format::hyb, split.threshold, split.estimate}));
  return {
      {"parameters",
       {{"transfer_rate", p.transfer_rate},
        {"value_rate", p.value_rate},
        {"integer_rate", p.integer_rate},
        {"bus_bytes", p.bus_bytes},
        {"memory_clock", p.memory_clock},
        {"processors", p.processors},
        {"block_threads", p.block_threads},
        {"warp_threads", p.warp_threads},
        {"index_bytes", p.index_bytes},
        {"value_bytes", p.value_bytes}}},
      {"formats", list},
      {"choice", model::name(model::best_of(candidates, Counted::transfer_and_compute).format)},
      {"resident_choice", model::name(model::best_of(candidates, Counted::compute).format)},
      {"resident_hyb",
       describe_estimate({model::Format::hyb, resident_split.threshold, resident_split.estimate})},
      {"bell_garland_hyb", describe_estimate({model::Format::hyb, heuristic, model::hyb(d, heuristic, p)})}};
}

/// One product y = A x, ready to run.
struct Product {
  const Semiring& semiring;
  const DeviceMatrix& matrix;
  const DeviceVector& vector;

  operations::MatrixVector call() const { return {semiring, matrix, vector, false, false}; }
  void run() const {
    DeviceVector w = DeviceVector::empty(semiring.add.type(), matrix.rows);
    operations::mxv({w, {}, std::nullopt, false}, call());
  }
};

void force(const std::string& kernel) {
  Settings changed = settings();
  changed.force = kernel;
  override_settings(changed);
}

/// By the wall clock, until the device is done.
template <class Function>
double seconds_of(const Function& function) {
  runtime::device().synchronize();
  const auto start = std::chrono::steady_clock::now();
  function();
  runtime::device().synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median of `repeat` products by device events; of fewer, but at least three, when they take long.
double median_seconds(const Product& product, unsigned repeat) {
  constexpr double long_enough = 2;
  std::vector<double> seconds;
  double total = 0;
  for (unsigned n = 0; n < repeat && (n < 3 || total < long_enough); ++n) {
    const uint64_t begin = runtime::device().mark();
    product.run();
    seconds.push_back(runtime::device().seconds_between(begin, runtime::device().mark()));
    total += seconds.back();
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// Times of the forced kernel: warm, and what making its format takes (a first product after everything
/// derived was dropped, less a warm one).
json measure_kernel(const std::string& kernel, const Product& product, unsigned repeat) {
  force(kernel);
  try {
    product.run();  // compiles
    product.matrix.drop_caches();
    const double first = seconds_of([&] { product.run(); });
    const double warm = seconds_of([&] { product.run(); });
    const double median = median_seconds(product, repeat);
    product.matrix.drop_caches();
    return {{"measured_seconds", median}, {"measured_conversion_seconds", std::max(0.0, first - warm)}};
  } catch (const runtime::OutOfMemory& error) {
    product.matrix.drop_caches();
    return {{"failure", error.what()}};
  } catch (const Declined& error) {
    return {{"failure", error.what()}};
  } catch (const jit::CompilationFailure& error) {
    return {{"failure", error.what()}};
  }
}

/// The candidates of a decision; those that it left out for want of something that is only made for a kernel
/// that is asked for by name (counted columns) as they are then, with that reason.
std::vector<selector::Candidate> all_candidates(const Product& product, const selector::Hardware& hardware,
                                                const selector::Decision& decision) {
  const std::string forced_before = settings().force;
  std::vector<selector::Candidate> candidates = decision.candidates;
  for (selector::Candidate& c : candidates) {
    if (c.applicable) continue;
    force(c.kernel);
    for (selector::Candidate& asked : operations::decide_mxv(product.call(), hardware, c.kernel).candidates) {
      if (asked.kernel != c.kernel || !asked.applicable) continue;
      asked.reason = "not considered: " + c.reason;
      c = asked;
      break;
    }
  }
  force(forced_before);
  return candidates;
}

/// `uses`: the decision charges 1 / uses of a conversion.
json describe_candidates(const std::vector<selector::Candidate>& candidates, uint64_t uses) {
  double fastest_unconverted = 0;
  for (const selector::Candidate& c : candidates) {
    const bool usable = c.applicable && c.conversion_seconds == 0;
    if (usable && (fastest_unconverted == 0 || c.predicted_seconds < fastest_unconverted))
      fastest_unconverted = c.predicted_seconds;
  }
  json list = json::array();
  for (const selector::Candidate& c : candidates) {
    list.push_back({{"kernel", c.kernel}, {"format", c.format}, {"applicable", c.applicable}});
    if (!c.reason.empty()) list.back()["reason"] = c.reason;
    if (!c.applicable) continue;
    const double conversion = c.conversion_seconds * double(uses);
    const double gain = fastest_unconverted - c.predicted_seconds;
    list.back()["predicted_seconds"] = c.predicted_seconds;
    list.back()["conversion_seconds"] = conversion;
    if (conversion > 0 && gain > 0) list.back()["break_even_uses"] = std::ceil(conversion / gain);
  }
  return list;
}

/// The analytic model's computing time for the kernels that it describes.
void add_analytic_seconds(json& candidates, const json& analytic) {
  const std::pair<const char*, const json&> described[] = {{"mxv_coo", analytic["formats"][0]},
                                                           {"mxv_row_thread", analytic["formats"][1]},
                                                           {"mxv_ell", analytic["formats"][2]},
                                                           {"mxv_hyb", analytic["resident_hyb"]}};
  for (json& candidate : candidates) {
    for (const auto& [kernel, estimate] : described) {
      if (candidate["kernel"] == kernel) candidate["analytic_seconds"] = estimate["compute_seconds"];
    }
  }
}

/// Adds measured times to the candidates, and the regret.
void measure(json& report, const Product& product, unsigned repeat) {
  const std::string forced_before = settings().force;
  double chosen = 0, best = 0;
  for (json& c : report["candidates"]) {
    if (!c["applicable"].get<bool>()) continue;
    c.update(measure_kernel(c["kernel"].get<std::string>(), product, repeat));
    if (!c.contains("measured_seconds")) continue;
    const double seconds = c["measured_seconds"].get<double>();
    if (c["kernel"] == report["chosen"]["kernel"]) chosen = seconds;
    if (best > 0 && seconds >= best) continue;
    best = seconds;
    report["best"] = c["kernel"];
  }
  force(forced_before);
  if (chosen > 0) report["regret"] = chosen / best - 1;
}

json explain_product(const ExplainRequest& request, const graph_files::Csr& csr, const std::string& name,
                     const LengthDistribution& rows, const selector::Hardware& hardware) {
  const Semiring semiring = catalogue::semiring(name).value();
  const bool reads_matrix = semiring.multiply.reads_x;
  const DeviceMatrix matrix =
      to_device(csr, reads_matrix ? semiring.multiply.x : Type::of(TypeCode::Bool), !reads_matrix);
  const DeviceVector vector = small_numbers(semiring.multiply.y, matrix.columns);
  const Product product{semiring, matrix, vector};

  for (uint64_t n = 1; n < request.uses; ++n)
    matrix.by_rows(false);  // the uses so far stand for those to come
  const selector::Decision decision = operations::decide_mxv(product.call(), hardware, settings().force);
  json report = {{"semiring", semiring.name}, {"operation", decision.operation}, {"uses", request.uses}};
  report["analytic"] =
      describe_analytic(rows, request.assumed ? runtime::Properties() : runtime::device().properties(),
                        semiring.add.type().size);
  report["candidates"] = describe_candidates(all_candidates(product, hardware, decision), request.uses);
  add_analytic_seconds(report["candidates"], report["analytic"]);
  report["chosen"] = {{"kernel", decision.chosen.kernel},
                      {"format", decision.chosen.format},
                      {"predicted_seconds", decision.chosen.predicted_seconds},
                      {"charged_conversion_seconds", decision.chosen.conversion_seconds}};
  if (!decision.chosen.reason.empty()) report["chosen"]["reason"] = decision.chosen.reason;
  report["forced"] = decision.forced;
  if (request.measure) {
    report["decision_seconds"] =
        seconds_of([&] { operations::decide_mxv(product.call(), hardware, settings().force); });
  }
  if (request.measure && matrix.nvals() > 0) measure(report, product, request.repeat);
  return report;
}

}  // namespace

json to_json(const ExplainRequest& r) {
  return {{"graph", r.graph},     {"directed", r.directed}, {"semirings", r.semirings}, {"uses", r.uses},
          {"measure", r.measure}, {"repeat", r.repeat},     {"assumed", r.assumed}};
}

ExplainRequest explain_request_from_json(const json& j) {
  ExplainRequest r;
  j.at("graph").get_to(r.graph);
  j.at("directed").get_to(r.directed);
  j.at("semirings").get_to(r.semirings);
  j.at("uses").get_to(r.uses);
  j.at("measure").get_to(r.measure);
  j.at("repeat").get_to(r.repeat);
  j.at("assumed").get_to(r.assumed);
  return r;
}

json explain(const ExplainRequest& request) {
  const std::string obstacle = runtime::unavailable_reason();
  if (!obstacle.empty()) throw Failure("no device: " + obstacle);
  ProgressBar bar("reading " + request.graph);
  const graph_files::Csr csr = graph_files::load_graph(
      request.graph,
      request.directed ? graph_files::EdgeDirection::directed : graph_files::EdgeDirection::undirected,
      [&bar](uint64_t done, uint64_t all) { bar.update(done, all); });
  const runtime::Properties& properties = runtime::device().properties();
  json report;
  report["graph"] = {{"name", request.graph},
                     {"rows", csr.nrows},
                     {"columns", csr.ncols},
                     {"entries", csr.entries()},
                     {"symmetric", csr.symmetric}};
  report["device"] = {{"name", request.assumed ? "NVIDIA H200" : properties.name},
                      {"assumed", request.assumed}};
  LengthDistribution rows, columns;
  json counting;
  {
    const DeviceMatrix pattern = to_device(csr, Type::of(TypeCode::Bool), true);
    rows = pattern.row_distribution(false);
    columns = pattern.row_distribution(true);
    if (request.measure) {
      counting = {{"rows", seconds_of([&] { formats::row_distribution(pattern.stored); })},
                  {"columns", seconds_of([&] { formats::column_distribution(pattern.stored); })}};
    }
  }
  report["lengths"] = {{"rows", describe_lengths(rows)}, {"columns", describe_lengths(columns)}};
  if (request.measure) report["lengths"]["counting_seconds"] = counting;
  const selector::Hardware hardware =
      request.assumed ? selector::Hardware() : selector::Hardware::from_properties(properties);
  report["products"] = json::array();
  for (const std::string& name : request.semirings)
    report["products"].push_back(explain_product(request, csr, name, rows, hardware));
  return report;
}

}  // namespace cugrb::command
