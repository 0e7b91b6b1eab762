#include "bench/spgemm/factors.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "bench/common/device_values.h"
#include "tools/graph_files/device_pattern.h"

namespace cugrb::bench {

namespace {

constexpr uint64_t row_chunk = 1 << 10;

graph_files::Csr empty_pattern(uint64_t rows, uint64_t columns) {
  graph_files::Csr pattern;
  pattern.nrows = rows;
  pattern.ncols = columns;
  pattern.offsets = graph_files::Buffer<uint64_t>(rows + 1);
  std::fill_n(pattern.offsets.data(), rows + 1, uint64_t(0));
  return pattern;
}

/// row(i) gives the columns of row i, ascending.
template <class Row>
graph_files::Csr pattern_by_rows(uint64_t rows, uint64_t columns, const Row& row) {
  graph_files::Csr pattern = empty_pattern(rows, columns);
  graph_files::parallel_for(rows, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) pattern.offsets[i + 1] = row(i).size();
  });
  std::partial_sum(pattern.offsets.data(), pattern.offsets.data() + rows + 1, pattern.offsets.data());
  pattern.columns = graph_files::Buffer<uint64_t>(pattern.offsets[rows]);
  graph_files::parallel_for(rows, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const std::vector<uint64_t> found = row(i);
      std::copy(found.begin(), found.end(), pattern.columns.data() + pattern.offsets[i]);
    }
  });
  return pattern;
}

}  // namespace

Factor factor_of(graph_files::Csr&& pattern) {
  Factor factor{std::move(pattern), {}};
  factor.numbers = graph_files::Buffer<uint8_t>(factor.entries());
  graph_files::parallel_for(factor.entries(), 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t p = begin; p < end; ++p) factor.numbers[p] = entry_value(p);
  });
  return factor;
}

Factor transposed(const Factor& factor) {
  const graph_files::Csr& from = factor.pattern;
  Factor result{empty_pattern(from.ncols, from.nrows), graph_files::Buffer<uint8_t>(factor.entries())};
  graph_files::Csr& to = result.pattern;
  to.columns = graph_files::Buffer<uint64_t>(factor.entries());
  for (uint64_t p = 0; p < factor.entries(); ++p) ++to.offsets[from.columns[p] + 1];
  std::partial_sum(to.offsets.data(), to.offsets.data() + to.nrows + 1, to.offsets.data());
  std::vector<uint64_t> next(to.offsets.data(), to.offsets.data() + to.nrows);
  for (uint64_t i = 0; i < from.nrows; ++i) {
    for (uint64_t p = from.offsets[i]; p < from.offsets[i + 1]; ++p) {
      const uint64_t place = next[from.columns[p]]++;
      to.columns[place] = i;
      result.numbers[place] = factor.numbers[p];
    }
  }
  return result;
}

Factor diagonal(uint64_t n) {
  return factor_of(pattern_by_rows(n, n, [](uint64_t i) { return std::vector<uint64_t>{i}; }));
}

Factor interpolation(const std::vector<uint64_t>& points) {
  uint64_t fine = 1, coarse = 1;
  for (const uint64_t n : points) {
    fine *= n;
    coarse *= (n + 1) / 2;
  }
  const auto row = [&points](uint64_t i) {
    std::vector<uint64_t> columns = {0};
    uint64_t stride = 1;
    for (const uint64_t n : points) {
      const uint64_t x = i % n, left = x / 2, right = (x + 1) / 2;
      const bool between = right != left && right < (n + 1) / 2;
      for (uint64_t& column : columns) column += left * stride;
      const size_t count = columns.size();
      for (size_t k = 0; between && k < count; ++k) columns.push_back(columns[k] + stride);
      stride *= (n + 1) / 2;
      i /= n;
    }
    return columns;  // ascending: a later direction has the larger stride
  };
  Factor p{pattern_by_rows(fine, coarse, row), {}};
  p.numbers = graph_files::Buffer<uint8_t>(p.entries());
  for (uint64_t i = 0; i < fine; ++i) {
    uint8_t number = 1;
    for (uint64_t n = 0, rest = i; n < points.size(); rest /= points[n++])
      number = uint8_t(number * (rest % points[n] % 2 == 0 ? 2 : 1));
    std::fill(p.numbers.data() + p.pattern.offsets[i], p.numbers.data() + p.pattern.offsets[i + 1], number);
  }
  return p;
}

Factor pattern_of_product(const Factor& a, const Factor& b) {
  return factor_of(pattern_by_rows(a.rows(), b.columns(), [&](uint64_t i) {
    std::vector<uint64_t> columns;
    for (uint64_t p = a.pattern.offsets[i]; p < a.pattern.offsets[i + 1]; ++p) {
      const uint64_t k = a.pattern.columns[p];
      columns.insert(columns.end(), b.pattern.columns.data() + b.pattern.offsets[k],
                     b.pattern.columns.data() + b.pattern.offsets[k + 1]);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }));
}

double products_of(const Factor& a, const Factor& b) {
  double total = 0;
  std::mutex mutex;
  graph_files::parallel_for(a.entries(), 1 << 20, [&](uint64_t begin, uint64_t end) {
    double part = 0;
    for (uint64_t p = begin; p < end; ++p) {
      const uint64_t k = a.pattern.columns[p];
      part += double(b.pattern.offsets[k + 1] - b.pattern.offsets[k]);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    total += part;
  });
  return total;
}

formats::DeviceMatrix on_device(const Factor& factor, const Type& type, bool read) {
  formats::DeviceMatrix matrix = formats::matrix_by(
      graph_files::pattern_on_device(factor.rows(), factor.columns(), factor.pattern.offsets.data(),
                                     factor.pattern.columns.data()),
      /*by_column=*/false);
  if (!read) return matrix;
  matrix.type = matrix.stored.type = type;
  matrix.stored.iso = false;
  matrix.stored.values = bytes_on_device(type, factor.numbers.data(), factor.entries()).values;
  return matrix;
}

}  // namespace cugrb::bench
