#include "bench/dynamic/edge_stream.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/graph_files/edges.h"

namespace cugrb::bench {

using runtime::Buffer;

namespace {

using graph_files::edges::below;
using graph_files::edges::mixed;
using Edge = std::pair<uint32_t, uint32_t>;

double unit(uint64_t word) { return double(word >> 32) / 4294967296.0; }

Edge rmat_edge(uint64_t n, unsigned scale) {
  uint32_t row = 0, column = 0;
  for (unsigned level = 0; level < scale; ++level) {
    const double u = unit(mixed(n * 64 + level));
    row = 2 * row + (u >= 0.76 ? 1 : 0);
    column = 2 * column + ((u >= 0.57 && u < 0.76) || u >= 0.95 ? 1 : 0);
  }
  return {row, column};
}

Edge uniform_edge(uint64_t n, uint64_t vertices) {
  return {uint32_t(below(mixed(2 * n), vertices)), uint32_t(below(mixed(2 * n + 1), vertices))};
}

Edge power_edge(uint64_t n, uint64_t vertices) {
  const double rank = std::pow(double(vertices), unit(mixed(2 * n))) - 1;
  return {uint32_t(std::min(uint64_t(rank), vertices - 1)), uint32_t(below(mixed(2 * n + 1), vertices))};
}

Edge sorted_edge(uint64_t n, uint64_t vertices) {
  constexpr uint64_t each = EdgeStream::edge_factor;
  const uint64_t width = std::max<uint64_t>(1, vertices / each);
  return {uint32_t(n / each % vertices), uint32_t((n % each * width + below(mixed(n), width)) % vertices)};
}

}  // namespace

void EdgeStream::check() const {
  if (kind != "rmat" && kind != "uniform" && kind != "power" && kind != "sorted")
    throw std::invalid_argument("--graph is rmat, uniform, power or sorted, not " + kind);
}

Edge EdgeStream::edge(uint64_t n) const {
  if (kind == "rmat") return rmat_edge(n, scale);
  if (kind == "uniform") return uniform_edge(n, vertices());
  return kind == "power" ? power_edge(n, vertices()) : sorted_edge(n, vertices());
}

operations::Tuples EdgeStream::edges(uint64_t first, uint64_t count) const {
  std::vector<uint32_t> rows(count), columns(count);
  std::vector<float> values(count);
  graph_files::parallel_for(count, 1 << 16, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n) {
      std::tie(rows[n], columns[n]) = edge(first + n);
      values[n] = float(1 + n % 4);
    }
  });
  operations::Tuples tuples;
  tuples.count = count;
  tuples.rows = Buffer::from_host(rows.data(), count * 4);
  tuples.columns = Buffer::from_host(columns.data(), count * 4);
  tuples.values = formats::DeviceVector::empty(Type::of(TypeCode::Fp32), count);
  tuples.values.form = Form::full;
  tuples.values.values = Buffer::from_host(values.data(), count * 4);
  tuples.values.set_nvals(count);
  return tuples;
}

}  // namespace cugrb::bench
