// What the parts of bench_spgemm share.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/operations/matrix_operations.h"
#include "tools/graph_files/generate.h"

namespace cugrb::bench {

/// Seconds of `repeat` runs by device events, after one that warms up; sorted.
template <class Run>
std::vector<double> measure(int repeat, const Run& run) {
  run();
  std::vector<double> seconds;
  for (int n = 0; n < repeat; ++n) {
    const uint64_t begin = runtime::device().mark();
    run();
    seconds.push_back(runtime::device().seconds_between(begin, runtime::device().mark()));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}
inline double median(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

/// settings().force
void force(const std::string& kernel);

/// The graph with small whole numbers as FP32 values: sums agree whatever their order.
formats::DeviceMatrix with_values(const graph_files::Csr& graph);
/// The two strict triangles of an undirected graph, vertices renumbered by ascending degree (pattern, iso
/// BOOL), as LAGraph's triangle count does before its product.
struct Triangles {
  formats::DeviceMatrix lower, upper;
};
Triangles sorted_triangles(const graph_files::Csr& graph);

/// C = A * A by each kernel that applies, and the free choice.
nlohmann::json bench_square(const formats::DeviceMatrix& a, const std::string& semiring, int repeat);
/// C<A> = A * A' and C<!A> = A * A, structural.
nlohmann::json bench_masked(const formats::DeviceMatrix& a, const std::string& semiring, int repeat);
/// C = D * A and C = A * D for a diagonal D: rows and columns of A scaled.
nlohmann::json bench_scaling(const formats::DeviceMatrix& a, const std::string& semiring, int repeat);
/// The sum of L<L> = L * U', with and without the matrix in between.
nlohmann::json bench_triangles(const Triangles& triangles, int repeat);
/// cuSPARSE's A * A in FP32, every algorithm that runs; null in a build without it.
nlohmann::json bench_cusparse(const formats::DeviceMatrix& a, int repeat);

}  // namespace cugrb::bench
