#include <numeric>

#include "bench/spgemm/bench.h"
#include "src/support/settings.h"
#include "tools/graph_files/device_pattern.h"

namespace cugrb::bench {

namespace {

formats::DeviceMatrix pattern(uint64_t rows, uint64_t columns, const uint64_t* offsets,
                              const uint64_t* entries) {
  formats::DeviceMatrix matrix;
  matrix.type = Type::of(TypeCode::Bool);
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.stored = graph_files::pattern_on_device(rows, columns, offsets, entries);
  return matrix;
}

}  // namespace

void force(const std::string& kernel) {
  Settings changed = settings();
  changed.force = kernel;
  override_settings(changed);
}

formats::DeviceMatrix with_values(const graph_files::Csr& graph) {
  formats::DeviceMatrix matrix =
      pattern(graph.nrows, graph.ncols, graph.offsets.data(), graph.columns.data());
  std::vector<float> values(graph.entries());
  for (size_t p = 0; p < values.size(); ++p) values[p] = float(p * 2654435761u % 4);
  matrix.type = matrix.stored.type = Type::of(TypeCode::Fp32);
  matrix.stored.iso = false;
  matrix.stored.values = runtime::Buffer::from_host(values.data(), values.size() * sizeof(float));
  return matrix;
}

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
  return {pattern(n, n, lower_offsets.data(), lower.data()),
          pattern(n, n, upper_offsets.data(), upper.data())};
}

}  // namespace cugrb::bench
