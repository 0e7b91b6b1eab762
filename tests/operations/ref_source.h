// A matrix in host memory for tests of what comes to the device in parts.
#pragma once
#include "src/formats/host_stream.h"
#include "tests/operations/mxv_cases.h"

namespace cugrb::test {

/// A matrix on the host, part by part in the plainest way.
class RefSource final : public formats::MatrixSource {
 public:
  RefSource(const RefMatrix& matrix, bool by_column, bool iso, bool wide)
      : MatrixSource(matrix.type, matrix.rows, matrix.columns, matrix.entries.size(), by_column, iso),
        held_(by_column ? transposed(matrix) : matrix),
        wide_(wide) {}
  std::vector<uint64_t> row_weights(bool transposed, const std::vector<uint64_t>* weights) const override {
    std::vector<uint64_t> sums(transposed ? columns() : rows());
    for (const auto& [place, value] : held_.entries) {
      const auto [i, j] = transposed == by_column() ? place : std::pair(place.second, place.first);
      sums[i] += weights != nullptr ? (*weights)[j] : 1;
    }
    return sums;
  }

 private:
  formats::Csr part(formats::Range vectors, formats::Range positions) const override {
    RefMatrix cut{held_.type, vectors.length(), positions.length(), {}};
    for (const auto& [place, value] : held_.entries) {
      const auto [i, j] = place;
      if (i < vectors.first || i >= vectors.last || j < positions.first || j >= positions.last) continue;
      cut.entries[{i - vectors.first, j - positions.first}] = value;
    }
    return csr_to_device(cut, iso() && !cut.entries.empty(), wide_);
  }

  RefMatrix held_;
  bool wide_;
};

}  // namespace cugrb::test
