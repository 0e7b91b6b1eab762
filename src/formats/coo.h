// Coo: a sparse matrix as a list of entries, sorted by row, then column.
#pragma once
#include "src/formats/matrix.h"

namespace cugrb::formats {

/// Entries that a thread of cuda/kernels/mxv_coo.h sums, for values of so many bytes, such that a block's
/// products fit in 16 KB; 0: values too large for it.
constexpr int coo_items(size_t value_bytes) { return value_bytes <= 8 ? 8 : value_bytes <= 16 ? 4 : 0; }

/// N. Bell, M. Garland, SC09, section 3.3. With r bytes a row index, c a column index and v a value (0 when
/// iso; one value more then), bytes() = entries * (r + c + v). Only entries * r of them are its own when
/// columns and values are the CSR's (`shared`), whose order is the same.
class Coo final : public SparseShape {
 public:
  explicit Coo(const SparseShape& shape) : SparseShape(shape) {}
  Width row_width = Width::bits32;
  bool shared = false;
  runtime::Buffer row_indices;     ///< entries
  runtime::Buffer column_indices;  ///< entries
  runtime::Buffer values;          ///< entries, or 1 when iso

  size_t bytes() const {
    return row_indices.bytes() + (shared ? 0 : column_indices.bytes() + (iso ? 0 : values.bytes()));
  }
  CsrView view() const;  ///< without offsets
};

/// The whole matrix, sharing its columns and values. One launch, O(entries log(rows)).
/// `row_width`: index_width(rows), or wider.
Coo make_coo(const Csr& matrix, Width row_width);
inline Coo make_coo(const Csr& matrix) { return make_coo(matrix, index_width(matrix.rows)); }
/// The entries that are not among the first `threshold` of their row. Two launches and a scan; waits for the
/// device.
Coo make_coo_beyond(const Csr& matrix, uint64_t threshold);

/// The same matrix, sharing columns and values. Of 2^31 entries or more its offsets are wide. One launch.
Csr to_csr(const Coo& matrix);

/// Whether entries ascend and lie in range: an invariant check for tests (copies to the host). Empty when it
/// holds.
std::string check(const Coo& matrix);

}  // namespace cugrb::formats
