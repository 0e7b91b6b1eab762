#include "tools/graph_files/coordinates.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "tools/graph_files/memory.h"

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

uint64_t bytes_given(const Coordinates& c, uint64_t entries) {
  return entries * (c.values == ValueKind::pattern ? 8 : 16);
}

/// What to_csr takes at its peak, its argument counted: the sorted copy and a count a row, or the result.
uint64_t bytes_to_convert(const Coordinates& c, uint64_t entries) {
  const uint64_t given = bytes_given(c, entries);
  return 2 * given + 8 * (std::max(c.nrows, c.ncols) + 1);
}

}  // namespace

Csr to_csr(Coordinates&& c) {
  if (c.values == ValueKind::integer) return build(std::move(c), c.integers, &Csr::integers);
  return build(std::move(c), c.reals, &Csr::reals);
}

void fail_for_memory(const LineReader& lines, uint64_t size_line, const Coordinates& c, uint64_t entries) {
  const uint64_t available = available_memory();
  const std::string there =
      available == UINT64_MAX ? "" : "; " + std::to_string(available) + " bytes are available";
  lines.fail_at(size_line, "the matrix does not fit into memory: " + std::to_string(c.nrows) + " rows, " +
                               std::to_string(c.ncols) + " columns and " + std::to_string(entries) +
                               " entries take " + std::to_string(bytes_to_convert(c, entries)) + " bytes" +
                               there);
}

Csr to_csr(const LineReader& lines, uint64_t size_line, Coordinates&& c) {
  const uint64_t entries = c.rows.size();
  if (bytes_to_convert(c, entries) > available_memory() + bytes_given(c, entries))
    fail_for_memory(lines, size_line, c, entries);
  Coordinates sizes;
  sizes.nrows = c.nrows;
  sizes.ncols = c.ncols;
  sizes.values = c.values;
  try {
    return to_csr(std::move(c));
  } catch (const std::bad_alloc&) {
    fail_for_memory(lines, size_line, sizes, entries);
  }
}

}  // namespace cugrb::graph_files
