// Matrices in parts: the rows that a split gives to a device lie on that device, and nowhere else.
#pragma once
#include <memory>
#include <vector>

#include "src/formats/host_copy.h"
#include "src/formats/host_stream.h"
#include "src/formats/matrix.h"
#include "src/formats/vector_parts.h"

namespace cugrb::formats {

/// The content of a matrix in parts. Row n of a part is row positions(n) of the whole, "row" being what the
/// matrix is stored by: a column where it lies by columns. Values are written out.
///
/// bytes() = what CSRs of the parts take, and the split's positions, which vectors and matrices share.
struct MatrixParts {
  /// The parts of a matrix that lies at home, by the split that was asked for last: kept with the matrix.
  struct Key {
    using Made = MatrixParts;
    std::shared_ptr<const Split> split;
    bool operator==(const Key&) const = default;
  };
  std::shared_ptr<const Split> split;
  std::vector<DeviceMatrix> of;  ///< by part, on its device, each stored as the whole is

  size_t bytes() const;
  uint64_t entries() const;
};

/// A matrix of the split's rows and so many columns (by_column: the other way round) with these parts, one
/// CSR for each on its device. Throws runtime::OutOfMemory.
DeviceMatrix matrix_from_parts(const Type& type, uint64_t columns, bool by_column,
                               std::shared_ptr<const Split> split, std::vector<Csr> parts);

/// The parts of by_rows(transposed), by a split of its rows: its own where it is in these parts. A whole
/// matrix is dealt, at its first call for this split. O(entries). Throws runtime::OutOfMemory.
std::vector<DeviceMatrix> matrix_parts_by(const DeviceMatrix& matrix, bool transposed,
                                          const std::shared_ptr<const Split>& split);

/// The rows of the whole, in their order, at home. Each entry goes there once, and is moved once there. The
/// trace counts them, and the split remembers it. Throws runtime::OutOfMemory.
Csr collected(const MatrixParts& parts);
/// The same with the rows of some parts alone: those of the others are empty.
Csr collected(const MatrixParts& parts, const Range& some);

/// All rows in host memory, for want of device memory: the arrays of the parts are copied down as they are.
HostRows rows_on_host(const MatrixParts& parts);

/// The same matrix on one device; a copy in O(1) where it lies on one.
DeviceMatrix whole_of(const DeviceMatrix& matrix);

/// The same with a value for each entry. O(entries) where it has one for all.
Csr written_out(Csr rows);

}  // namespace cugrb::formats
