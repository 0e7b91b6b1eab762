#include "tools/graph_files/coordinates.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace cugrb::graph_files {
namespace {

/// offsets[i] = number of keys below i.
std::vector<uint64_t> counted(const std::vector<uint32_t>& keys, uint64_t range) {
  std::vector<uint64_t> offsets(range + 1, 0);
  for (const uint32_t key : keys) ++offsets[key + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

/// Stable counting sort of all three arrays by `key`.
template <class Value>
void sort_by(std::vector<uint32_t>& key, std::vector<uint32_t>& other, std::vector<Value>& values,
             uint64_t range) {
  std::vector<uint64_t> next = counted(key, range);
  std::vector<uint32_t> sorted_key(key.size()), sorted_other(key.size());
  std::vector<Value> sorted_values(values.size());
  for (size_t k = 0; k < key.size(); ++k) {
    const uint64_t place = next[key[k]]++;
    sorted_key[place] = key[k];
    sorted_other[place] = other[k];
    if (!values.empty()) sorted_values[place] = values[k];
  }
  key = std::move(sorted_key);
  other = std::move(sorted_other);
  values = std::move(sorted_values);
}

template <class Value>
Value sum(Value a, Value b) {
  return a + b;
}
/// Wraps around like the machine does, without undefined behaviour.
int64_t sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

/// Of the sorted entries, combines those at the same place; returns how many are left.
template <class Value>
size_t combine(std::vector<uint32_t>& rows, std::vector<uint32_t>& columns, std::vector<Value>& values) {
  size_t kept = 0;
  for (size_t k = 0; k < rows.size(); ++k) {
    if (kept > 0 && rows[k] == rows[kept - 1] && columns[k] == columns[kept - 1]) {
      if (!values.empty()) values[kept - 1] = sum(values[kept - 1], values[k]);
      continue;
    }
    rows[kept] = rows[k];
    columns[kept] = columns[k];
    if (!values.empty()) values[kept] = values[k];
    ++kept;
  }
  return kept;
}

template <class Value>
Csr build(Coordinates&& c, std::vector<Value>& values, Buffer<Value> Csr::*to) {
  sort_by(c.columns, c.rows, values, c.ncols);
  sort_by(c.rows, c.columns, values, c.nrows);
  const size_t count = combine(c.rows, c.columns, values);
  Csr csr;
  csr.nrows = c.nrows;
  csr.ncols = c.ncols;
  csr.values = c.values;
  csr.offsets = Buffer<uint64_t>(c.nrows + 1);
  std::fill_n(csr.offsets.data(), c.nrows + 1, 0);
  for (size_t k = 0; k < count; ++k) ++csr.offsets[c.rows[k] + 1];
  std::partial_sum(csr.offsets.data(), csr.offsets.data() + c.nrows + 1, csr.offsets.data());
  c.rows = {};
  csr.columns = Buffer<uint64_t>(count);
  std::copy_n(c.columns.data(), count, csr.columns.data());
  if (c.values != ValueKind::pattern) {
    csr.*to = Buffer<Value>(count);
    std::copy_n(values.data(), count, (csr.*to).data());
  }
  return csr;
}

}  // namespace

Csr to_csr(Coordinates&& c) {
  if (c.values == ValueKind::integer) return build(std::move(c), c.integers, &Csr::integers);
  return build(std::move(c), c.reals, &Csr::reals);
}

Csr to_csr(const LineReader& lines, Coordinates&& c) {
  const uint64_t rows = c.nrows, columns = c.ncols, entries = c.rows.size();
  try {
    return to_csr(std::move(c));
  } catch (const std::bad_alloc&) {
    lines.fail("no memory for " + std::to_string(rows) + " rows, " + std::to_string(columns) +
               " columns and " + std::to_string(entries) + " entries");
  }
}

}  // namespace cugrb::graph_files
