// One product on 1 ... P devices beside its predictions: bench/devices/README.md.
#include <cstdio>
#include <limits>
#include <optional>

#include "bench/common/device_values.h"
#include "bench/common/graphs.h"
#include "bench/common/options.h"
#include "bench/common/results.h"
#include "bench/devices/grid_product.h"
#include "bench/devices/matrix_calls.h"
#include "src/formats/vector_parts.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/registry.h"
#include "src/selector/profile.h"
#include "src/support/settings.h"
#include "tools/graph_files/device_pattern.h"
#include "tools/graph_files/generate.h"

namespace cugrb::bench {

namespace {

using formats::DeviceMatrix;
using formats::DeviceVector;
using nlohmann::json;
using selector::Hardware;
using selector::ScaleForecast;

using Devices = std::span<runtime::Device* const>;

const Hardware& hardware() { return selector::Profile::of_device()->hardware; }

/// Median seconds of run(), all devices done; five in a row are a sample.
template <class Run, class Wait>
double median_seconds(int repeat, const Run& run, const Wait& wait) {
  constexpr int in_a_row = 5;
  for (int n = 0; n < 3; ++n) run();  // formats are made by the first ones
  wait();
  std::vector<double> seconds;
  for (int r = 0; r < repeat; ++r) {
    const Stopwatch watch;
    for (int n = 0; n < in_a_row; ++n) run();
    wait();
    seconds.push_back(watch.seconds() / in_a_row);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

void wait_for_all() {
  for (runtime::Device* device : runtime::devices()) device->synchronize();
}

/// y with zeros where it has no entry.
std::vector<float> values_of(const DeviceVector& y) {
  std::vector<float> values = y.values.to_host<float>(y.length);
  if (y.form != Form::bitmap) return values;
  const std::vector<uint8_t> present = y.present.to_host<uint8_t>(y.length);
  for (uint64_t i = 0; i < y.length; ++i) {
    if (present[i] == 0) values[i] = 0;
  }
  return values;
}

/// A matrix on the first device, and its products on more of them.
class DevicesBench {
 public:
  DevicesBench(graph_files::Csr host, const Semiring& semiring, int repeat)
      : host_(std::move(host)), semiring_(semiring), repeat_(repeat) {
    matrix_ = formats::matrix_by(
        graph_files::pattern_on_device(host_.nrows, host_.ncols, host_.offsets.data(), host_.columns.data()),
        /*by_column=*/false);
    matrix_.expect_uses(false, 1000);
    u_ = values_on_device(Type::of(TypeCode::Fp32), matrix_.columns, element_value);
  }

  json measure() {
    const Devices all = runtime::devices();
    json rows = json::array();
    for (unsigned devices = 1; devices <= all.size(); ++devices) {
      rows.push_back(one_process(all.first(devices)));
      print(rows.back());
      if (devices > 1) {
        if (const std::optional<json> line = vectors_in_parts(all.first(devices))) {
          rows.push_back(*line);
          print(rows.back());
        }
      }
      matrix_.drop_caches();  // parts are of so many devices
    }
    for (unsigned devices = 2; devices <= all.size(); ++devices) {
      for (unsigned columns = 1; columns <= devices; ++columns) {
        const selector::ProcessGrid shape = {devices / columns, columns};
        if (devices % columns != 0 || !GridProduct::cuts(host_, shape)) continue;
        rows.push_back(grid(shape, all.first(devices)));
        print(rows.back());
      }
    }
    return rows;
  }

 private:
  /// Seconds of y = call, into a new y each time.
  double timed(const operations::MatrixVector& call, DeviceVector& y) const {
    return median_seconds(
        repeat_,
        [&] {
          y = DeviceVector::empty(Type::of(TypeCode::Fp32), matrix_.rows);
          operations::mxv({y, {}, std::nullopt, false}, call);
        },
        wait_for_all);
  }
  /// The first call has the time and the result of one device.
  json one_process(Devices devices) {
    const SettingsGuard guard;  // of force_kernel
    force_kernel(devices.size() > 1 ? operations::mxv_parts.name : "");
    const operations::MatrixVector call = {semiring_, matrix_, u_, false, false, devices};
    DeviceVector y;
    const double seconds = timed(call, y);
    const selector::MxvProblem problem = operations::describe_mxv(call, hardware());
    const selector::Decision decision =
        operations::choose_mxv(problem, hardware(), devices.size() > 1 ? &operations::mxv_parts : nullptr);
    const operations::MxvKernel& kernel = operations::chosen_mxv(decision);
    const double predicted = operations::predicted_seconds(problem, hardware(), kernel);
    if (devices.size() == 1) {
      expected_ = values_of(y);
      alone_seconds_ = seconds;
      alone_predicted_ = predicted;
    }
    return row("one process", devices.size(), kernel.name, seconds, predicted, values_of(y) == expected_);
  }

  /// As in a loop: u lies in the parts that y is left in, and goes between the devices. None where y is not
  /// left in parts.
  std::optional<json> vectors_in_parts(Devices devices) {
    const SettingsGuard guard;  // of force_kernel
    force_kernel(operations::mxv_parts.name);
    DeviceVector y = DeviceVector::empty(Type::of(TypeCode::Fp32), matrix_.rows);
    operations::mxv({y, {}, std::nullopt, false}, {semiring_, matrix_, u_, false, false, devices, true});
    if (y.parts == nullptr) return std::nullopt;
    const DeviceVector u = formats::in_parts(u_, y.parts->split);
    const operations::MatrixVector call = {semiring_, matrix_, u, false, false, devices, true};
    const double seconds = timed(call, y);
    const selector::MxvProblem problem = operations::describe_mxv(call, hardware());
    const double predicted = operations::predicted_seconds(problem, hardware(), operations::mxv_parts);
    return row("vectors in parts", devices.size(), operations::mxv_parts.name, seconds, predicted,
               values_of(formats::collected(y)) == expected_);
  }

  json grid(selector::ProcessGrid shape, Devices devices) {
    GridProduct product(host_, semiring_, shape, devices);
    const double seconds = median_seconds(
        repeat_, [&] { product.run(); }, [&] { product.wait(); });
    const ScaleForecast forecast =
        selector::forecast_scale(shared(alone_predicted_), shape, product.imbalance(), hardware());
    const ScaleForecast from_measured =
        selector::forecast_scale(shared(alone_seconds_), shape, product.imbalance(), hardware());
    json line =
        row("grid", devices.size(), std::to_string(shape.rows) + " x " + std::to_string(shape.columns),
            seconds, forecast.seconds(), product.result() == expected_);
    line.update({{"imbalance", product.imbalance()},
                 {"gather_seconds", forecast.gather_seconds},
                 {"reduce_seconds", forecast.reduce_seconds},
                 {"predicted_from_one_device_seconds", from_measured.seconds()}});
    return line;
  }

  selector::SharedProduct shared(double alone_seconds) const {
    return {matrix_.rows, matrix_.columns, 4, 4, alone_seconds, hardware().of("rows").call_seconds};
  }

  json row(const char* how, size_t devices, const std::string& what, double seconds, double predicted,
           bool same) const {
    return {{"how", how},
            {"devices", devices},
            {"kernel", what},
            {"semiring", semiring_.name},
            {"median_seconds", seconds},
            {"predicted_seconds", predicted},
            {"entries_per_second", double(matrix_.nvals()) / seconds},
            {"speedup", alone_seconds_ / seconds},
            {"same_result", same}};
  }

  static void print(const json& row) {
    std::printf("  %-16s %2lu  %-24s %9.4f ms, predicted %9.4f ms, %7.1f GE/s, %5.2f times one device%s\n",
                row["how"].get<std::string>().c_str(), (unsigned long)row["devices"].get<size_t>(),
                row["kernel"].get<std::string>().c_str(), row["median_seconds"].get<double>() * 1e3,
                row["predicted_seconds"].get<double>() * 1e3, row["entries_per_second"].get<double>() * 1e-9,
                row["speedup"].get<double>(), row["same_result"].get<bool>() ? "" : "  DIFFERS");
  }

  graph_files::Csr host_;
  const Semiring& semiring_;
  int repeat_;
  DeviceMatrix matrix_;
  DeviceVector u_;
  std::vector<float> expected_;
  double alone_seconds_ = 0, alone_predicted_ = 0;
};

formats::Csr valued(const graph_files::Csr& csr) {
  formats::Csr a =
      graph_files::pattern_on_device(csr.nrows, csr.ncols, csr.offsets.data(), csr.columns.data());
  a.type = Type::of(TypeCode::Fp32);
  a.iso = false;
  a.values = values_on_device(a.type, a.entries, entry_value).values;
  return a;
}

json measure(const std::string& graph, const CommonOptions& options, bool matrices) {
  const Stopwatch watch;
  graph_files::Csr csr = graph_files::load_graph(graph, graph_files::EdgeDirection::undirected);
  json record = {{"name", graph},
                 {"family", family_of(graph)},
                 {"rows", csr.nrows},
                 {"entries", csr.entries()},
                 {"devices", runtime::devices().size()},
                 {"loading_seconds", watch.seconds()},
                 {"account", json::object()},
                 {"results", json::array()}};
  if (matrices) {
    record["calls"] = measure_matrix_calls(valued(csr), options.repeat);
    record["complete"] = true;
    return record;
  }
  const Semiring semiring = catalogue::semiring(options.semirings.front()).value();
  DevicesBench bench(std::move(csr), semiring, options.repeat);
  record["results"] = bench.measure();
  record["complete"] = true;
  return record;
}

int run(int count, char** arguments) {
  const Benchmark benchmark = {"devices",
                               "matrices",
                               "rmat:20:16",
                               {"PLUS_SECOND_FP32"},
                               [](const std::string& name) -> std::vector<std::string> {
                                 throw std::invalid_argument("there is no set " + name);
                               },
                               [](const std::string& word) { return word; }};
  CLI::App app("One product on 1 ... all devices of CUGRB_DEVICES");
  CommonOptions options;
  bool matrices = false;
  app.add_flag("--matrices", matrices,
               "the square of each graph, and calls on its result, in place of products with vectors");
  app.add_option("graph", options.names, "generated graphs and matrix files")->type_name("GRAPH");
  parse_options(app, count, arguments, benchmark, options);
  if (options.semirings.size() != 1 || options.semirings.front() != "PLUS_SECOND_FP32")
    throw std::invalid_argument("--semiring: sums of a pattern's products alone, PLUS_SECOND_FP32");
  return measure_all(benchmark, options,
                     [&](const std::string& name, const json&) { return measure(name, options, matrices); });
}

}  // namespace

}  // namespace cugrb::bench

int main(int count, char** arguments) {
  try {
    return cugrb::bench::run(count, arguments);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_devices: %s\n", failure.what());
    return 1;
  }
}
