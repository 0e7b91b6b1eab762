// Breadth-first search as GraphBLAS programs write it, on device objects: q<!pi, replace> = q' A or A q;
// pi<q> = q.
#include <cstdio>
#include <limits>

#include "bench/spmv/bench.h"

namespace cugrb::bench {

namespace {

struct Level {
  uint64_t frontier = 0;
  bool pulled = false;
  double seconds = 0;
};

uint64_t vertex_of_most_edges(const graph_files::Csr& graph) {
  uint64_t best = 0;
  const auto length = [&](uint64_t i) { return graph.offsets[i + 1] - graph.offsets[i]; };
  for (uint64_t i = 1; i < graph.nrows; ++i) {
    if (length(i) > length(best)) best = i;
  }
  return best;
}

/// One search; levels with their times when `levels` is given (which waits for the device at each).
uint64_t search(const formats::DeviceMatrix& matrix, uint64_t source, const Semiring& semiring,
                std::vector<Level>* levels) {
  const Type& type = Type::of(TypeCode::Int32);
  formats::DeviceVector q = formats::DeviceVector::empty(type, matrix.rows);
  formats::DeviceVector pi = q;
  const int32_t id = int32_t(source);
  const Value value{type, std::string(reinterpret_cast<const char*>(&id), 4)};
  operations::set_element(q, source, value);
  operations::set_element(pi, source, value);
  pi = to_bitmap(pi);
  uint64_t reached = 1, edges_left = matrix.nvals();
  const double mean = double(matrix.nvals()) / double(matrix.rows);
  for (uint64_t frontier = 1; frontier > 0;) {
    const uint64_t begin = levels == nullptr ? 0 : runtime::device().mark();
    const operations::VectorOutput output{q, {&pi, true, true}, std::nullopt, true};
    // Many frontier edges against few unvisited ones: pull (Beamer's rule, on estimates).
    const bool pull = double(frontier) * mean > double(edges_left) / 14 || frontier * 20 > matrix.rows;
    operations::mxv(output, {semiring, matrix, q, false, !pull});
    operations::assign(operations::VectorOutput{pi, {&q, true, false}, std::nullopt, false}, q, {});
    const uint64_t found = q.nvals();
    if (levels != nullptr) {
      levels->push_back({frontier, pull, runtime::device().seconds_between(begin, runtime::device().mark())});
    }
    reached += found;
    edges_left -= std::min(edges_left, uint64_t(double(frontier) * mean));
    frontier = found;
  }
  return reached;
}

}  // namespace

nlohmann::json bench_breadth_first(const Workbench& bench, int repeat) {
  const formats::DeviceMatrix matrix = bench.pattern();
  const uint64_t source = vertex_of_most_edges(bench.host());
  const Semiring semiring = catalogue::semiring("ANY_SECONDI_INT32").value();
  search(matrix, source, semiring, nullptr);
  std::vector<Level> levels;
  const uint64_t reached = search(matrix, source, semiring, &levels);
  nlohmann::json result{{"source", source}, {"reached", reached}, {"levels", nlohmann::json::array()}};
  for (const Level& level : levels) {
    std::printf("  frontier %10lu  %s  %8.4f ms\n", (unsigned long)level.frontier,
                level.pulled ? "mxv" : "vxm", level.seconds * 1e3);
    result["levels"].push_back(
        {{"frontier", level.frontier}, {"mxv", level.pulled}, {"seconds", level.seconds}});
  }
  const Timing timing = calibration::measure(
      repeat, 10, [&] { search(matrix, source, semiring, nullptr); }, device_elapsed);
  std::printf("breadth-first search from %lu: reached %lu, median %.4f ms, least %.4f ms\n",
              (unsigned long)source, (unsigned long)reached, timing.median * 1e3, timing.least * 1e3);
  result["median_seconds"] = timing.median;
  result["least_seconds"] = timing.least;
  return result;
}

}  // namespace cugrb::bench
