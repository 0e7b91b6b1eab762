// What the tests of all formats share: shapes, comparison of matrices, matrices of unusual values.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "src/formats/matrix.h"
#include "tests/operations/mxv_matrix.h"

namespace cugrb::test {

struct FormatShape {
  uint64_t rows, columns;
  Spread spread;
  double degree;
};
/// Among them: one row, one column, one entry, no entries, no rows, no columns, empty rows, one enormous row.
inline const std::vector<FormatShape>& format_shapes() {
  static const std::vector<FormatShape> shapes = {
      {70, 45, Spread::uniform, 6},       {64, 64, Spread::no_empty_row, 3}, {1, 300, Spread::uniform, 40},
      {300, 1, Spread::uniform, 0.5},     {1, 1, Spread::no_empty_row, 1},   {130, 50, Spread::empty_rows, 9},
      {9, 2500, Spread::one_huge_row, 0}, {500, 9, Spread::one_huge_row, 0}, {90, 90, Spread::power_law, 0},
      {20, 30, Spread::nothing, 0},       {0, 5, Spread::nothing, 0},        {5, 0, Spread::nothing, 0}};
  return shapes;
}

inline bool same(const RefMatrix& a, const RefMatrix& b) {
  if (a.rows != b.rows || a.columns != b.columns || a.entries.size() != b.entries.size()) return false;
  for (auto x = a.entries.begin(), y = b.entries.begin(); x != a.entries.end(); ++x, ++y) {
    if (x->first != y->first || x->second.bytes != y->second.bytes) return false;
  }
  return true;
}

/// A type of `bytes` bytes whose values are random bytes: moving values must not look at them.
inline RefMatrix matrix_of_bytes(Random& random, uint64_t rows, uint64_t columns, size_t bytes) {
  RefMatrix matrix =
      random_matrix(random, Type::of(TypeCode::Int8), rows, columns, Spread::uniform, 5, false);
  matrix.type = {TypeCode::User, bytes, "blob" + std::to_string(bytes), "typedef struct blob"};
  for (auto& [place, value] : matrix.entries) {
    value.type = matrix.type;
    value.bytes.assign(bytes, '\0');
    for (char& byte : value.bytes) byte = char(random());
  }
  return matrix;
}

inline std::vector<uint64_t> lengths_of(const RefMatrix& matrix) {
  std::vector<uint64_t> lengths(matrix.rows, 0);
  for (const auto& [place, value] : matrix.entries) ++lengths[place.first];
  return lengths;
}

inline formats::LengthDistribution distribution_of(const RefMatrix& matrix) {
  std::vector<std::pair<uint64_t, uint64_t>> lengths;
  for (const uint64_t length : lengths_of(matrix)) lengths.emplace_back(length, 1);
  return formats::LengthDistribution(lengths);
}

/// Calls test(matrix, its CSR, text) for every shape, 32- and 64-bit indices, plain and iso values, and for
/// values of many sizes.
template <class Test>
void for_every_matrix(uint64_t seed, const Test& test) {
  Random random(seed);
  for (const FormatShape& shape : format_shapes()) {
    for (const bool wide : {false, true}) {
      for (const bool iso : {false, true}) {
        const RefMatrix matrix = random_matrix(random, Type::of(TypeCode::Int32), shape.rows, shape.columns,
                                               shape.spread, shape.degree, iso);
        test(matrix, csr_to_device(matrix, iso, wide),
             std::to_string(shape.rows) + " x " + std::to_string(shape.columns) + (wide ? " wide" : "") +
                 (iso ? " iso" : ""));
      }
    }
  }
  for (const size_t bytes : {1, 2, 3, 8, 16, 24}) {
    const RefMatrix matrix = matrix_of_bytes(random, 40, 33, bytes);
    test(matrix, csr_to_device(matrix, false, false), "values of " + std::to_string(bytes) + " bytes");
  }
}

/// A copy of `buffer` with one 32-bit word changed.
inline runtime::Buffer with_word(const runtime::Buffer& buffer, size_t index, uint32_t value) {
  runtime::Buffer changed = buffer.clone();
  runtime::device().copy_to_device(changed.as<uint32_t>() + index, &value, 4);
  return changed;
}

}  // namespace cugrb::test
