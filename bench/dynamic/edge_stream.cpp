#include "bench/dynamic/edge_stream.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/graph_files/edges.h"
#include "tools/graph_files/generate.h"

namespace cugrb::bench {

using runtime::Buffer;

namespace {

using graph_files::edges::below;
using graph_files::edges::mixed;
using Edge = std::pair<uint32_t, uint32_t>;
constexpr uint64_t edge_factor = 16;

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

Edge uniform_edge(uint64_t n, uint64_t rows, uint64_t columns) {
  return {uint32_t(below(mixed(2 * n), rows)), uint32_t(below(mixed(2 * n + 1), columns))};
}

Edge power_edge(uint64_t n, uint64_t vertices) {
  const double rank = std::pow(double(vertices), unit(mixed(2 * n))) - 1;
  return {uint32_t(std::min(uint64_t(rank), vertices - 1)), uint32_t(below(mixed(2 * n + 1), vertices))};
}

Edge sorted_edge(uint64_t n, uint64_t vertices) {
  const uint64_t width = std::max<uint64_t>(1, vertices / edge_factor);
  return {uint32_t(n / edge_factor % vertices),
          uint32_t((n % edge_factor * width + below(mixed(n), width)) % vertices)};
}

bool is_drawn(const std::string& kind) {
  return kind == "rmat" || kind == "uniform" || kind == "power" || kind == "sorted";
}

/// place(n), with the value 1 + n % 4, for n from `first` on.
template <class Place>
operations::Tuples tuples_of(uint64_t first, uint64_t count, const Place& place) {
  std::vector<uint32_t> rows(count), columns(count);
  std::vector<float> values(count);
  graph_files::parallel_for(count, 1 << 12, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n) {
      std::tie(rows[n], columns[n]) = place(first + n);
      values[n] = float(1 + (first + n) % 4);
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

}  // namespace

EdgeStream::EdgeStream(const std::string& kind, unsigned scale)
    : kind_(kind), scale_(scale), rows_(uint64_t(1) << scale), columns_(rows_), count_(edge_factor * rows_) {
  if (is_drawn(kind)) return;
  loaded_ = graph_files::load_graph(kind, graph_files::EdgeDirection::directed);
  rows_ = loaded_->nrows;
  columns_ = loaded_->ncols;
  count_ = loaded_->entries();
}

Edge EdgeStream::edge(uint64_t n) const {
  if (kind_ == "rmat") return rmat_edge(n, scale_);
  if (kind_ == "power") return power_edge(n, rows_);
  return kind_ == "sorted" ? sorted_edge(n, rows_) : uniform_edge(n, rows_, columns_);
}

std::vector<uint32_t> EdgeStream::rows_of_entries() const {
  std::vector<uint32_t> rows(count_);
  for (uint64_t i = 0; i < rows_; ++i)
    std::fill(rows.begin() + ptrdiff_t(loaded_->offsets.data()[i]),
              rows.begin() + ptrdiff_t(loaded_->offsets.data()[i + 1]), uint32_t(i));
  return rows;
}

std::vector<operations::Tuples> EdgeStream::pieces_of_matrix(uint64_t count) const {
  const std::vector<uint32_t> rows = loaded_ ? rows_of_entries() : std::vector<uint32_t>();
  std::vector<operations::Tuples> pieces;
  for (uint64_t piece = 0; piece < count; ++piece)
    pieces.push_back(tuples_of(0, (count_ - piece + count - 1) / count, [&](uint64_t k) {
      const uint64_t n = piece + k * count;
      return loaded_ ? Edge(rows[n], uint32_t(loaded_->columns.data()[n])) : edge(n);
    }));
  return pieces;
}

operations::Tuples EdgeStream::matrix() const { return pieces_of_matrix(1).front(); }

operations::Tuples EdgeStream::edges(uint64_t first, uint64_t count) const {
  return tuples_of(first, count, [&](uint64_t n) { return edge(n); });
}

}  // namespace cugrb::bench
