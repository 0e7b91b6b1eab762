// T where one factor is diagonal: rows or columns of the other one scaled, in one launch.
#pragma once
#include "src/operations/multiply/mxm/run.h"

namespace cugrb::operations {

/// A product with a diagonal factor: entries at (i, i) for every i, and no others.
struct Scaling {
  MatrixMatrixRun run;
  bool left_is_diagonal = false;  ///< of the run's factors; else the right one is
  std::string refusal;            ///< why it is none; empty when it is one

  /// In the orientation in which the scaled factor need not be transposed, C's own when both are there. The
  /// first call for a matrix with as many entries as rows and columns waits for the device.
  Scaling(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool c_by_column);
  /// Entries of the scaled factor if it must be transposed first.
  uint64_t transposed_entries() const;
  uint64_t entries() const { return scaled().nvals(); }  ///< of T

 private:
  friend formats::Csr multiply_scaling(const Scaling& scaling);
  const DeviceMatrix& scaled() const { return left_is_diagonal ? run.right_matrix() : run.left_matrix(); }
  bool scaled_transposed() const { return left_is_diagonal ? run.right_transposed() : run.left_transposed(); }
};

/// Notes of a matrix that its entries are at (i, i) for every i, and no others: its products need not look.
void note_diagonal(const DeviceMatrix& matrix);

/// T, which shares its pattern with the scaled factor; the mask is not asked. O(entries).
formats::Csr multiply_scaling(const Scaling& scaling);

}  // namespace cugrb::operations
