#include "tools/cugrb/calibrate_measure.h"

#include "cuda/primitives/primitives.h"
#include "src/formats/launch.h"
#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"
#include "src/operations/multiply/registry.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "tools/calibration/kernels.h"
#include "tools/calibration/products.h"
#include "tools/cugrb/explain_device.h"
#include "tools/cugrb/memory_errors.h"
#include "tools/cugrb/progress.h"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

using calibration::device_elapsed;
using formats::DeviceVector;
using nlohmann::json;
using selector::Hardware;

constexpr const char* semirings[] = {"PLUS_TIMES_FP32", "PLUS_SECOND_FP32", "PLUS_TIMES_FP64",
                                     "LOR_LAND_BOOL"};

/// {kernel, median_seconds} for each candidate that can run it.
json measure_kernels(const VectorProduct& product, const Hardware& hardware) {
  constexpr int repeat = 9;
  constexpr double limit_seconds = 0.01;
  json results = json::array();
  double best = 0;
  const calibration::Product measured = product.measurable();
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    if (kernel->role == operations::Role::reference) continue;
    try {
      calibration::first_seconds(kernel->name, measured);
      const double seconds =
          calibration::sample(repeat, limit_seconds, measured.run, device_elapsed, best).median;
      results.push_back({{"library", "cugrb"},
                         {"kernel", kernel->name},
                         {"semiring", product.semiring.name},
                         {"median_seconds", seconds}});
      results.back().update(calibration::describe_state(operations::describe_mxv(product.call(), hardware)));
    } catch (const calibration::AnotherKernel&) {
    } catch (const Declined&) {
    } catch (const runtime::OutOfMemory&) {
    }
    product.matrix.drop_caches();
  }
  if (product.matrix.nvals() < calibration::small_entries) {
    calibration::time_in_turns(results, best, measured, calibration::turns, /*limit_seconds=*/1);
    product.matrix.drop_caches();
  }
  return results;
}

json measure_matrix(const std::string& graph, const graph_files::Csr& csr, const Hardware& hardware,
                    const calibration::Deadline& deadline) {
  const bool generated = graph_files::is_generated(graph);
  json record = {{"name", graph},
                 {"family", generated ? graph.substr(0, graph.find(':')) : "file"},
                 {"problems", json::object()}};
  record["results"] = json::array();
  const SettingsGuard guard;  // of force_kernel
  for (const char* semiring_name : semirings) {
    if (deadline.over()) break;
    const Semiring semiring = catalogue::semiring(semiring_name).value();
    const bool pattern = !semiring.multiply.reads_x;
    const formats::DeviceMatrix matrix =
        to_device(csr, pattern ? Type::of(TypeCode::Bool) : semiring.multiply.x, pattern);
    const DeviceVector vector = small_numbers(semiring.multiply.y, matrix.columns);
    const VectorProduct product{semiring, matrix, vector};
    force_kernel("mxv_tile_composite");  // columns are counted for it alone
    selector::MxvProblem problem = operations::describe_mxv(product.call(), hardware);
    if (problem.popularity != nullptr)
      problem.tiles_made = operations::plan_tile_composite(problem, hardware).tiles;
    record["problems"][semiring.name] = calibration::describe_problem(problem);
    record["profile"] = calibration::describe_matrix(problem);
    for (json& result : measure_kernels(product, hardware)) record["results"].push_back(std::move(result));
  }
  return record;
}

/// Seconds of a run in a long row of them.
template <class Run>
double seconds_of(const Run& run) {
  return calibration::measure(20, 0.1, run, device_elapsed).median;
}

}  // namespace

void measure_rates(Hardware& hardware) {
  const bool emulated = hardware.emulated;
  const size_t bytes = size_t(1) << (emulated ? 20 : 29);
  const runtime::Buffer from = runtime::Buffer::zeroed(bytes), to(bytes);
  hardware.copy_bytes_per_second = 2 * double(bytes) / seconds_of([&] {
                                     runtime::device().copy_on_device(to.data(), from.data(), bytes);
                                   });
  const std::vector<char> host(bytes);
  hardware.bus_bytes_per_second =
      double(bytes) / seconds_of([&] { runtime::device().copy_to_device(to.data(), host.data(), bytes); });
  hardware.launch_seconds = seconds_of([&] { runtime::device().fill_bytes(to.data(), 0, 32); });
  const uint64_t keys = uint64_t(1) << (emulated ? 12 : 24);
  std::vector<uint32_t> mixed(keys);
  for (uint64_t n = 0; n < keys; ++n) mixed[n] = uint32_t(n * 0x9e3779b97f4a7c15u >> 32);
  const runtime::Buffer unsorted = runtime::Buffer::from_host(mixed.data(), keys * sizeof(uint32_t));
  const runtime::Buffer payload = runtime::Buffer::zeroed(keys * sizeof(uint64_t)), sorted(payload.bytes());
  const double sort = seconds_of([&] {
    primitives::sort_pairs(formats::Width::bits32, unsorted.data(), to.data(), payload.as<uint64_t>(),
                           sorted.as<uint64_t>(), keys);
  });
  hardware.sort_keys_per_second = double(keys) / sort;
}

void measure_links(Hardware& hardware) {
  runtime::Device& home = runtime::device();
  const size_t bytes = size_t(1) << (hardware.emulated ? 20 : 28);
  constexpr size_t few = 32;
  const runtime::Buffer here = runtime::Buffer::zeroed(bytes);
  double slowest = 0, longest = 0;
  for (runtime::Device* other : runtime::devices()) {
    if (other == &home) continue;
    const runtime::Buffer there(bytes, *other);
    // As a product in parts has it: behind what the other device has done, which then may go on.
    const auto copy = [&](size_t count, bool to_here) {
      home.follow(*other);
      if (to_here) {
        home.copy_from_peer(here.data(), *other, there.data(), count);
      } else {
        home.copy_to_peer(*other, there.data(), here.data(), count);
      }
      other->follow(home);
    };
    for (const bool to_here : {true, false}) {
      longest = std::max(longest, seconds_of([&] { copy(few, to_here); }));
      slowest = std::max(slowest, seconds_of([&] { copy(bytes, to_here); }));
    }
  }
  hardware.peer_seconds = longest;
  hardware.peer_bytes_per_second = double(bytes) / slowest;
}

std::vector<std::string> calibration_graphs() {
  // Small ones are bound by launches, grids by streams, uniform ones by gathers (vectors of 64 KB to 128 MB),
  // the others by long rows and popular columns.
  return {"chung_lu:8000:150000:2.0:800",
          "chung_lu:20000:300000:2.2:500",
          "chung_lu:40000:500000:2.1:3000",
          "chung_lu:150000:1200000:2.3:400",
          "banded:12000:25",
          "poisson3d:24:24:24:27",
          "rmat:12:24:directed",
          "poisson2d:64:64",
          "rmat:14:16:directed",
          "uniform:16384:16:directed",
          "chung_lu:100000:1000000:2.5",
          "poisson2d:1024:1024",
          "poisson3d:64:64:64:27",
          "uniform:262144:16:directed",
          "rmat:18:16",
          "banded:524288:16",
          "chung_lu:1000000:20000000:2.1",
          "uniform:4194304:8:directed",
          "rmat:20:16:directed",
          "poisson3d:160:160:160:7",
          "uniform:33554432:2:directed"};
}

json measure_products(const std::vector<std::string>& graphs, const Hardware& hardware,
                      const calibration::Deadline& deadline) {
  json matrices = json::array();
  ProgressBar bar("measuring");
  for (const std::string& graph : graphs) {
    if (deadline.over()) break;
    const graph_files::Csr csr = graph_files::load_graph(graph, graph_files::EdgeDirection::directed);
    matrices.push_back(with_memory_for({graph, csr.nrows, csr.ncols, csr.entries()},
                                       [&] { return measure_matrix(graph, csr, hardware, deadline); }));
    bar.update(matrices.size(), graphs.size());
  }
  return {{"matrices", matrices}};
}

}  // namespace cugrb::command
