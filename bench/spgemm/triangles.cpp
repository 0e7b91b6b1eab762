// Triangle counting as LAGraph's default does it: C<L> = L * U', then the sum of C.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "bench/spgemm/bench.h"
#include "tools/graph_files/device_pattern.h"

namespace cugrb::bench {

namespace {

/// The two strict triangles of an undirected graph, vertices renumbered by ascending degree.
struct Triangles {
  formats::DeviceMatrix lower, upper;
};

Triangles sorted_triangles(const graph_files::Csr& graph) {
  const uint64_t n = graph.nrows;
  const uint64_t* offsets = graph.offsets.data();
  std::vector<uint64_t> order(n), number(n);
  std::iota(order.begin(), order.end(), uint64_t(0));
  std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return offsets[a + 1] - offsets[a] < offsets[b + 1] - offsets[b];
  });
  for (uint64_t i = 0; i < n; ++i) number[order[i]] = i;
  std::vector<uint64_t> lower_offsets = {0}, upper_offsets = {0}, lower, upper, row;
  for (uint64_t i = 0; i < n; ++i) {
    row.clear();
    for (uint64_t p = offsets[order[i]]; p < offsets[order[i] + 1]; ++p)
      row.push_back(number[graph.columns.data()[p]]);
    std::sort(row.begin(), row.end());
    for (const uint64_t j : row) {
      if (j < i) lower.push_back(j);
      if (j > i) upper.push_back(j);
    }
    lower_offsets.push_back(lower.size());
    upper_offsets.push_back(upper.size());
  }
  const auto pattern = [n](const std::vector<uint64_t>& starts, const std::vector<uint64_t>& columns) {
    return formats::matrix_by(graph_files::pattern_on_device(n, n, starts.data(), columns.data()),
                              /*by_column=*/false);
  };
  return {pattern(lower_offsets, lower), pattern(upper_offsets, upper)};
}

int64_t number(const std::optional<Value>& value) {
  int64_t n = 0;
  if (value) std::memcpy(&n, value->bytes.data(), sizeof n);
  return n;
}

}  // namespace

nlohmann::json bench_triangles(const graph_files::Csr& graph, const Options& options) {
  const Triangles t = sorted_triangles(graph);
  const Semiring semiring = catalogue::semiring("PLUS_PAIR_INT64").value();
  const Monoid plus = catalogue::monoid("PLUS_INT64").value();
  const operations::MatrixMatrix product{semiring, t.lower, t.upper, false, true};
  int64_t count = 0;
  const auto run = [&] {
    formats::DeviceMatrix c = formats::matrix_by(
        formats::empty_csr(semiring.add.type(), t.lower.rows, t.lower.rows), /*by_column=*/false);
    operations::mxm({c, {&t.lower, true, false}, std::nullopt, false}, product);
    count = number(operations::reduce(plus, c));
  };
  const Timing timing = calibration::measure(options.repeat, options.limit_seconds, run, device_elapsed);
  const nlohmann::json row = {{"semiring", semiring.name},
                              {"library", "cugrb"},
                              {"kernel", "product, then its sum"},
                              {"median_seconds", timing.median},
                              {"least_seconds", timing.least},
                              {"samples", timing.samples},
                              {"triangles", count}};
  return nlohmann::json::array({row});
}

}  // namespace cugrb::bench
