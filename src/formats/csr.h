// Csr: a sparse matrix by rows in device memory.
#pragma once
#include <optional>

#include "cuda/views/csr.h"
#include "src/formats/vector.h"

namespace cugrb::formats {

/// What every sparse format says of the matrix that it holds.
struct SparseShape {
  Type type;
  uint64_t rows = 0, columns = 0, entries = 0;
  Width column_width = Width::bits32;
  bool iso = false;  ///< all entries have one value, which is stored once
};

/// With column indices as wide as the columns ask for.
inline SparseShape sparse_shape(const Type& type, uint64_t rows, uint64_t columns, uint64_t entries,
                                bool iso = false) {
  return {type, rows, columns, entries, index_width(columns), iso};
}

/// CSR with 32-bit columns when they fit, 64-bit otherwise; 64-bit offsets from 2^31 entries on. Columns
/// ascend in every row. bytes() = (rows+1)*offset + entries*column + values.
class Csr : public SparseShape {
 public:
  Width offset_width = Width::bits32;
  runtime::Buffer offsets;         ///< rows + 1
  runtime::Buffer column_indices;  ///< entries
  runtime::Buffer values;          ///< entries elements, or 1 when iso
  uint64_t first_row = 0;          ///< of a part of a matrix: its row 0 in the whole

  Csr() = default;
  /// Without its arrays. By default offsets are as wide as the entries ask for.
  explicit Csr(const SparseShape& shape) : Csr(shape, offset_width_for(shape.entries)) {}
  Csr(const SparseShape& shape, Width width) : SparseShape(shape), offset_width(width) {}

  static Width offset_width_for(uint64_t entries) {
    return entries < (uint64_t(1) << 31) ? Width::bits32 : Width::bits64;
  }
  CsrView view() const;
  size_t bytes() const { return offsets.bytes() + column_indices.bytes() + values.bytes(); }
};

/// A matrix without entries.
Csr empty_csr(const Type& type, uint64_t rows, uint64_t columns);

/// Throws Declined when offsets and columns of a matrix with all entries would take more than a quarter of
/// the device's memory: SuiteSparse, where the form says so, has none.
void require_room_for_all(uint64_t rows, uint64_t columns);

/// Throws Declined when a matrix of so many rows is nothing but offsets: work and memory of what SuiteSparse
/// holds as hypersparse would be those of the rows, not of the entries.
void require_entries_for_rows(uint64_t rows, uint64_t entries);

/// Makes offsets and columns of a CSR whose entries are all of rows * columns. O(entries).
void fill_full_pattern(Csr& matrix);

/// The transpose, again by rows (so: the CSC of `matrix`). Stable: columns ascend. O(entries) radix sort.
Csr transpose(const Csr& matrix);

/// Whether offsets are monotone, columns ascend and lie in range: an invariant check for tests (copies to the
/// host). Empty when it holds, else what is wrong and where.
std::string check(const Csr& matrix);

}  // namespace cugrb::formats
