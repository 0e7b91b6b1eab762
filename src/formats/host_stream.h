// Matrices that stay in host memory: parts of operands come to the device, rows of a result leave it.
#pragma once
#include <vector>

#include "src/formats/csr.h"

namespace cugrb::formats {

/// Positions [first, last).
struct Range {
  uint64_t first = 0, last = 0;
  uint64_t length() const { return last - first; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// A matrix in host memory, held by rows or by columns. Nobody changes it while a source of it lives. Safe to
/// be read by several threads.
class MatrixSource {
 public:
  virtual ~MatrixSource() = default;

  const Type& type() const { return type_; }
  uint64_t rows() const { return rows_; }
  uint64_t columns() const { return columns_; }
  uint64_t entries() const { return entries_; }
  bool by_column() const { return by_column_; }
  bool iso() const { return iso_; }

  /// These rows and columns of the matrix, of its transpose where asked, in device memory: an entry at (i, j)
  /// lies at (i - rows.first, j - columns.first), and the result's first_row is rows.first. Offsets are as
  /// wide as the whole matrix's, so that one specialisation takes all parts. O(rows and entries of the part)
  /// copies, and a sort where the matrix is held the other way. Throws runtime::OutOfMemory, std::bad_alloc.
  Csr by_rows(bool transposed, Range rows, Range columns) const;
  /// For each row of the matrix (of its transpose): sum over its entries' columns j of weights[j]; without
  /// weights the number of its entries. O(rows + entries) on the host's cores. Throws std::bad_alloc.
  virtual std::vector<uint64_t> row_weights(bool transposed, const std::vector<uint64_t>* weights) const = 0;

 protected:
  MatrixSource(const Type& type, uint64_t rows, uint64_t columns, uint64_t entries, bool by_column, bool iso)
      : type_(type), rows_(rows), columns_(columns), entries_(entries), by_column_(by_column), iso_(iso) {}
  /// A part as the matrix is held: of its rows, or, held by columns, of its columns.
  virtual Csr part(Range vectors, Range positions) const = 0;

 private:
  Type type_;
  uint64_t rows_, columns_, entries_;
  bool by_column_, iso_;
};

/// Device memory for an entry of a part by rows of the matrix (of its transpose), workspace included.
size_t entry_bytes(const MatrixSource& source, bool transposed);

/// Where a result goes that does not fit the device.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Once, before any rows: the whole result's type and shape, and about how many entries it will have. Its
  /// rows are columns of the matrix when `by_column`. Throws std::bad_alloc.
  virtual void begin(const SparseShape& whole, bool by_column) = 0;
  /// The next rows; the arrays may be released afterwards. Throws std::bad_alloc.
  virtual void append(const Csr& rows) = 0;
};

}  // namespace cugrb::formats
