// C = A * A through the C API, C delivered to the host: what CUGRB_MEMORY_LIMIT costs.
//
//   LD_PRELOAD=lib/libcugrb.so CUGRB_MEMORY_LIMIT=2G bench_mxm_limited GRAPH [REPEAT]
//
// A line of JSON a run: seconds until GrB_mxm returned with its work done, seconds until C was in
// SuiteSparse's arrays, its entries, the sum of its values, what the sum must be (A's column sums times its
// row sums), and the most device memory in use at once since the program began.
extern "C" {
#include <GraphBLAS.h>
}

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "include/cugrb/cugrb.h"
#include "tools/graph_files/generate.h"

namespace {

using Clock = std::chrono::steady_clock;

void check(GrB_Info info, const char* what) {
  if (info < GrB_SUCCESS) throw std::runtime_error(std::string(what) + " returned " + std::to_string(info));
}

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The most device memory that was in use at once so far; 0 without cuGrB in front.
unsigned long long peak_bytes() {
  const auto ask =
      reinterpret_cast<decltype(&cugrb_get_statistics)>(dlsym(RTLD_DEFAULT, "cugrb_get_statistics"));
  cugrb_statistics statistics{};
  if (ask != nullptr) ask(&statistics);
  return statistics.peak_bytes;
}

struct Factor {
  GrB_Matrix matrix = nullptr;
  double sum_of_square = 0;
};

/// Small whole numbers as FP32 values, others in each run: memory that still holds an earlier run's result
/// must not pass for this one's.
Factor factor_of(const cugrb::graph_files::Csr& graph, int run) {
  const uint64_t entries = graph.entries();
  std::vector<float> values(entries);
  std::vector<double> row_sums(graph.nrows), column_sums(graph.ncols);
  for (uint64_t i = 0; i < graph.nrows; ++i) {
    for (uint64_t p = graph.offsets.data()[i]; p < graph.offsets.data()[i + 1]; ++p) {
      values[p] = float((p * 2654435761u + unsigned(run)) % 4);
      row_sums[i] += values[p];
      column_sums[graph.columns.data()[p]] += values[p];
    }
  }
  Factor factor;
  for (uint64_t k = 0; k < graph.nrows; ++k) factor.sum_of_square += column_sums[k] * row_sums[k];
  check(GrB_Matrix_import_FP32(&factor.matrix, GrB_FP32, graph.nrows, graph.ncols, graph.offsets.data(),
                               graph.columns.data(), values.data(), graph.nrows + 1, entries, entries,
                               GrB_CSR_FORMAT),
        "GrB_Matrix_import");
  return factor;
}

void square(const Factor& factor) {
  GrB_Index rows = 0, entries = 0;
  GrB_Matrix c = nullptr;
  check(GrB_Matrix_nrows(&rows, factor.matrix), "GrB_Matrix_nrows");
  check(GrB_Matrix_new(&c, GrB_FP32, rows, rows), "GrB_Matrix_new");
  const auto begin = Clock::now();
  check(GrB_mxm(c, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, factor.matrix, factor.matrix, nullptr),
        "GrB_mxm");
  check(GrB_Matrix_nvals(&entries, c), "GrB_Matrix_nvals");
  const double made = since(begin);
  float value = 0;
  check(GrB_Matrix_extractElement_FP32(&value, c, 0, 0), "GrB_Matrix_extractElement");  // on the host
  const double delivered = since(begin);
  double sum = 0;
  check(GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, c, nullptr), "GrB_Matrix_reduce");
  std::printf(
      "{\"made_seconds\": %.4f, \"on_host_seconds\": %.4f, \"entries\": %llu, \"sum\": %.17g, "
      "\"expected_sum\": %.17g, \"right\": %s, \"peak_bytes\": %llu}\n",
      made, delivered, (unsigned long long)entries, sum, factor.sum_of_square,
      sum == factor.sum_of_square ? "true" : "false", peak_bytes());
  std::fflush(stdout);
  GrB_Matrix_free(&c);
}

}  // namespace

int main(int count, char** arguments) try {
  check(GrB_init(GrB_BLOCKING), "GrB_init");  // a call returns when its work is done
  const auto graph = cugrb::graph_files::load_graph(count > 1 ? arguments[1] : "rmat:16:8",
                                                    cugrb::graph_files::EdgeDirection::directed);
  const int runs = count > 2 ? std::atoi(arguments[2]) : 2;
  for (int run = 0; run < runs; ++run) {
    Factor factor = factor_of(graph, run);
    square(factor);
    GrB_Matrix_free(&factor.matrix);
  }
  GrB_finalize();
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "bench_mxm_limited: %s\n", failure.what());
  return 1;
}
