#include "tools/cugrb/worker.h"

#include <fmt/core.h>

#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/memory_errors.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

json measure_loaded(const Workload& w, const ResultFiles& files, LoadedGraph& loaded, Trace& trace) {
  Measurement measurement(w, loaded, files.values, trace);
  json& report = measurement.report;
  report = {{"algorithm", w.algorithm}, {"seconds", json::array()}};
  report["graph"] = {{"name", w.graph},
                     {"vertices", loaded.graph.size()},
                     {"entries", loaded.graph.adjacency().nvals()},
                     {"directed", loaded.graph.direction() == Direction::directed},
                     {"load_seconds", loaded.load_seconds}};
  // The transpose and the degrees belong to the graph, not to the algorithm's time.
  report["graph"]["prepare_seconds"] = seconds_of([&] {
    loaded.graph.transposed();
    loaded.graph.out_degree();
  });
  int version[3] = {0, 0, 0};
  GxB_Global_Option_get(detail::library_version_field(), version);
  report["library"] = fmt::format("SuiteSparse:GraphBLAS {}.{}.{}", version[0], version[1], version[2]);
  algorithm(w.algorithm).measure(measurement);
  return std::move(report);
}

}  // namespace

json measure(const Workload& w, const ResultFiles& files) {
  Context context;
  Trace trace(files.trace);
  LoadedGraph loaded = load(w, algorithm(w.algorithm).weighted);
  const uint64_t n = loaded.graph.size();
  return with_memory_for({w.graph, n, n, loaded.graph.adjacency().nvals()},
                         [&] { return measure_loaded(w, files, loaded, trace); });
}

}  // namespace cugrb::command
