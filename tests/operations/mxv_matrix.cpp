#include "tests/operations/mxv_matrix.h"

#include <algorithm>

namespace cugrb::test {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

/// The probability that position (i, j) holds an entry.
double density_at(Spread spread, uint64_t i, uint64_t rows, uint64_t columns, double degree) {
  const double uniform = columns == 0 ? 0 : std::min(1.0, degree / double(columns));
  switch (spread) {
    case Spread::uniform:
    case Spread::no_empty_row:
      return uniform;
    case Spread::empty_rows:
      return i % 4 == 1 ? uniform : 0;
    case Spread::one_huge_row:
      return i == rows / 2 ? 1 : 0.5 / double(columns);
    case Spread::power_law:
      return 1 / double(i + 1);
    case Spread::band:
      return 0.7;
    case Spread::nothing:
      break;
  }
  return 0;
}

double distance(uint64_t i, uint64_t j, uint64_t rows, uint64_t columns) {
  return std::abs(double(i) / double(rows) * double(columns) - double(j));
}

Buffer upload(const std::vector<uint64_t>& values, Width width) {
  if (width == Width::bits64) return Buffer::from_host(values.data(), values.size() * 8);
  const std::vector<uint32_t> narrow(values.begin(), values.end());
  return Buffer::from_host(narrow.data(), narrow.size() * 4);
}

std::vector<uint64_t> download(const Buffer& buffer, Width width, uint64_t count) {
  if (width == Width::bits64) return buffer.to_host<uint64_t>(count);
  const std::vector<uint32_t> narrow = buffer.to_host<uint32_t>(count);
  return {narrow.begin(), narrow.end()};
}

}  // namespace

RefMatrix random_matrix(Random& random, const Type& type, uint64_t rows, uint64_t columns, Spread spread,
                        double degree, bool iso) {
  RefMatrix matrix{type, rows, columns, {}};
  const Value all = random_value(random, type);
  const auto put = [&](uint64_t i, uint64_t j) {
    matrix.entries[{i, j}] = iso ? all : random_value(random, type);
  };
  for (uint64_t i = 0; i < rows; ++i) {
    const double density = density_at(spread, i, rows, columns, degree);
    for (uint64_t j = 0; j < columns; ++j) {
      if (spread == Spread::band && distance(i, j, rows, columns) > degree) continue;
      if (density >= 1 || chance(random, density)) put(i, j);
    }
    if (spread == Spread::no_empty_row && columns > 0) put(i, below(random, columns));
  }
  return matrix;
}

RefMatrix matrix_of_lengths(Random& random, const Type& type, const std::vector<uint64_t>& lengths,
                            uint64_t columns) {
  RefMatrix matrix{type, lengths.size(), columns, {}};
  for (uint64_t i = 0; i < lengths.size(); ++i) {
    for (uint64_t j = 0; j < lengths[i]; ++j) {
      matrix.entries.emplace_hint(matrix.entries.end(), std::make_pair(i, j), random_value(random, type));
    }
  }
  return matrix;
}

Csr csr_to_device(const RefMatrix& matrix, bool iso, bool wide) {
  Csr csr;
  csr.type = matrix.type;
  csr.rows = matrix.rows;
  csr.columns = matrix.columns;
  csr.entries = matrix.entries.size();
  csr.iso = iso;
  csr.offset_width = wide ? Width::bits64 : Csr::offset_width_for(csr.entries);
  csr.column_width = wide ? Width::bits64 : formats::index_width(csr.columns);
  std::vector<uint64_t> offsets(matrix.rows + 1, 0), columns;
  std::string values;
  for (const auto& [place, value] : matrix.entries) {
    ++offsets[place.first + 1];
    columns.push_back(place.second);
    if (!iso || values.empty()) values += value.bytes;
  }
  for (uint64_t i = 0; i < matrix.rows; ++i) offsets[i + 1] += offsets[i];
  csr.offsets = upload(offsets, csr.offset_width);
  csr.column_indices = upload(columns, csr.column_width);
  csr.values = Buffer::from_host(values.data(), values.size());
  return csr;
}

RefMatrix transposed(const RefMatrix& matrix) {
  RefMatrix result{matrix.type, matrix.columns, matrix.rows, {}};
  for (const auto& [place, value] : matrix.entries) result.entries[{place.second, place.first}] = value;
  return result;
}

formats::DeviceMatrix to_device(const RefMatrix& matrix, bool by_column, bool iso, bool wide) {
  return formats::matrix_by(csr_to_device(by_column ? transposed(matrix) : matrix, iso, wide), by_column);
}

RefMatrix from_device(const Csr& csr) {
  RefMatrix matrix{csr.type, csr.rows, csr.columns, {}};
  const std::vector<uint64_t> offsets = download(csr.offsets, csr.offset_width, csr.rows + 1);
  const std::vector<uint64_t> columns = download(csr.column_indices, csr.column_width, csr.entries);
  const size_t size = csr.type.size, elements = csr.entries == 0 ? 0 : csr.iso ? 1 : csr.entries;
  const std::vector<char> bytes = csr.values.to_host<char>(elements * size);
  for (uint64_t i = 0; i < csr.rows; ++i) {
    for (uint64_t p = offsets[i]; p < offsets[i + 1]; ++p) {
      matrix.entries[{i, columns[p]}] = {csr.type,
                                         std::string(bytes.data() + (csr.iso ? 0 : p) * size, size)};
    }
  }
  return matrix;
}

std::map<uint64_t, std::vector<Value>> terms_of(const RefMatrix& matrix, const RefVector& vector,
                                                bool vector_first, const Term& multiply) {
  std::map<uint64_t, std::vector<Value>> terms;
  for (const auto& [place, a] : matrix.entries) {
    const auto [i, k] = place;
    const auto u = vector.entries.find(k);
    if (u == vector.entries.end()) continue;
    terms[i].push_back(vector_first ? multiply(u->second, a, 0, k, i) : multiply(a, u->second, i, k, 0));
  }
  return terms;
}

Term built_in_term(const BinaryOp& op) {
  return [op](const Value& x, const Value& y, uint64_t i, uint64_t k, uint64_t j) {
    if (op.positional != Positional::None) return reference::apply_positional(op, i, k, j);
    return reference::apply(op, reference::cast(x, op.x), reference::cast(y, op.y));
  };
}

}  // namespace cugrb::test
