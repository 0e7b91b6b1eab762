#include "tools/cugrb/explain_scale.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/registry.h"
#include "src/selector/scale.h"
#include "src/support/settings.h"
#include "tools/calibration/timing.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/units.h"

namespace cugrb::command {

using formats::DeviceVector;
using formats::LengthDistribution;
using nlohmann::json;
using operations::mxv_parts;
using operations::vxm_parts;
using selector::Hardware;
using selector::MxvProblem;
using selector::ScaleForecast;
using selector::SharedProduct;

namespace {

/// Of the fastest kernel of one device, its format made.
double alone_seconds(const json& candidates) {
  double least = std::numeric_limits<double>::infinity();
  for (const json& c : candidates) {
    if (!c["applicable"].get<bool>() || c["kernel"] == mxv_parts.name || c["kernel"] == vxm_parts.name)
      continue;
    least = std::min(least, c["predicted_seconds"].get<double>());
  }
  return least;
}

SharedProduct shared(const MxvProblem& p, double seconds, const Hardware& hardware) {
  SharedProduct product;
  product.rows = p.rows;
  product.columns = p.columns;
  product.vector_bytes = double(p.vector_value_bytes);
  product.result_bytes = double(p.result_bytes);
  product.alone_seconds = seconds;
  product.launch_bound_seconds = std::min(seconds, hardware.of("rows").call_seconds);
  return product;
}

json describe_shares(const std::vector<selector::PartSize>& shares) {
  const auto [least_rows, most_rows] =
      std::minmax_element(shares.begin(), shares.end(), [](auto& a, auto& b) { return a.rows < b.rows; });
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end(),
                                                 [](auto& a, auto& b) { return a.entries < b.entries; });
  return {{"rows", {least_rows->rows, most_rows->rows}},
          {"entries", {least->entries, most->entries}},
          {"imbalance", selector::imbalance_of(shares)}};
}

json describe_forecast(const ScaleForecast& f, double alone) {
  return {{"product_seconds", f.product_seconds},
          {"gather_seconds", f.gather_seconds},
          {"seconds", f.seconds()},
          {"efficiency", f.efficiency(alone)},
          {"sent_bytes", f.sent_bytes}};
}

json describe_grid(const ScaleForecast& f, double alone) {
  json grid = {{"rows", f.grid.rows}, {"columns", f.grid.columns}, {"reduce_seconds", f.reduce_seconds}};
  grid.update(describe_forecast(f, alone));
  return grid;
}

/// A part of the matrix, all of u, and the results of its rows.
double device_bytes(const MxvProblem& p, unsigned devices) {
  const double rows = double(p.rows) / devices;
  return double(p.entries) / devices * double(p.column_bytes + p.matrix_value_bytes) +
         rows * double(p.offset_bytes + p.result_bytes) + double(p.columns) * double(p.vector_value_bytes);
}

json describe_one_process(MxvProblem p, const formats::DeviceMatrix& matrix, unsigned devices,
                          const Hardware& hardware) {
  p.devices = devices;
  p.parts_refusal.clear();
  const operations::Cost cost = mxv_parts.cost(p, hardware);
  if (!cost.refusal.empty()) return {{"one_process_refusal", cost.refusal}};
  json times = {{"one_process_seconds", cost.seconds}};
  if (p.rows != p.columns) return times;
  // A loop leaves its vectors in parts.
  p.vector_in_parts = p.result_stays = true;
  p.entries_outside_of_blocks = operations::entries_outside_of_blocks(matrix, false, devices, 0);
  times["in_parts_seconds"] = mxv_parts.cost(p, hardware).seconds;
  times["in_blocks"] = p.entries_outside_of_blocks.has_value();
  return times;
}

/// The product on the first so many devices of this process.
json measure_one_process(const VectorProduct& product, unsigned devices, unsigned repeat) {
  const SettingsGuard guard;  // of force_kernel
  force_kernel(devices > 1 ? mxv_parts.name : "");
  operations::MatrixVector call = product.call();
  call.devices = call.devices.first(devices);
  const auto run = [&] {
    DeviceVector w = DeviceVector::empty(product.semiring.add.type(), product.matrix.rows);
    operations::mxv({w, {}, std::nullopt, false}, call);
  };
  try {
    // Formats of parts are made by the first products.
    for (int n = 0; n < 3; ++n) run();
    const double seconds = calibration::measure(int(repeat), 1, run, calibration::device_elapsed).median;
    product.matrix.drop_caches();
    return {{"one_process_measured_seconds", seconds}};
  } catch (const runtime::OutOfMemory& error) {
    product.matrix.drop_caches();
    return {{"one_process_failure", error.what()}};
  }
}

std::string grid_text(const json& grid) {
  return fmt::format("{} x {}, {}", grid["rows"].get<unsigned>(), grid["columns"].get<unsigned>(),
                     seconds_text(grid["seconds"].get<double>()));
}

std::string one_process_text(const json& scale) {
  const auto text = [&](const char* key) { return seconds_text(scale[key].get<double>()); };
  std::string line = scale.contains("one_process_seconds") ? text("one_process_seconds") : "-";
  if (scale.contains("in_parts_seconds")) line += "; " + text("in_parts_seconds");
  if (scale.value("in_blocks", false)) line += " (blocks)";
  if (scale.contains("one_process_measured_seconds"))
    line += ", measured " + text("one_process_measured_seconds");
  if (scale.contains("one_process_refusal")) line += "  " + scale["one_process_refusal"].get<std::string>();
  if (scale.contains("one_process_failure")) line += "  " + scale["one_process_failure"].get<std::string>();
  return line;
}

}  // namespace

json describe_scale(const ExplainRequest& request, const VectorProduct& product,
                    const LengthDistribution& rows, const Hardware& hardware, const json& candidates) {
  const MxvProblem problem = operations::describe_mxv(product.call(), hardware);
  const double alone = alone_seconds(candidates);
  const SharedProduct whole = shared(problem, alone, hardware);
  json scale = json::array();
  for (unsigned devices = 1; devices <= request.devices; ++devices) {
    const std::vector<selector::PartSize> shares = selector::bitonic_shares(rows, devices);
    const double imbalance = selector::imbalance_of(shares);
    json line = {{"devices", devices}, {"bytes_per_device", device_bytes(problem, devices)}};
    line.update(describe_shares(shares));
    line.update(describe_forecast(selector::forecast_scale(whole, {devices, 1}, imbalance, hardware), alone));
    line["grid"] = describe_grid(selector::best_grid(whole, devices, imbalance, hardware), alone);
    line.update(devices == 1 ? json{{"one_process_seconds", alone}}
                             : describe_one_process(problem, product.matrix, devices, hardware));
    if (request.measure && devices <= runtime::devices().size())
      line.update(measure_one_process(product, devices, request.repeat));
    scale.push_back(line);
  }
  return scale;
}

void print_scale(const json& scale) {
  fmt::print(
      "\n  P devices, a process each, rows dealt: most entries over the mean, predicted time = product + u's "
      "way,\n  T(1) / (P T(P)), memory a device; then the best grid of row and column groups, and one "
      "process with P\n  devices: its vectors on the first one; in parts, as a loop has them\n");
  fmt::print("    {:>4} {:>9} {:>10} {:>10} {:>10} {:>10} {:>10}  {:>20}  {}\n", "P", "imbalance",
             "predicted", "product", "u's way", "efficiency", "memory", "best grid", "one process");
  for (const json& line : scale) {
    const auto text = [&](const char* key) { return seconds_text(line[key].get<double>()); };
    fmt::print("    {:>4} {:>9.4f} {:>10} {:>10} {:>10} {:>8.1f} % {:>10}  {:>20}  {}\n",
               line["devices"].get<unsigned>(), line["imbalance"].get<double>(), text("seconds"),
               text("product_seconds"), text("gather_seconds"), 100 * line["efficiency"].get<double>(),
               bytes_text(line["bytes_per_device"].get<double>()), grid_text(line["grid"]),
               one_process_text(line));
  }
}

}  // namespace cugrb::command
