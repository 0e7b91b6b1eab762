// PreparedMatrixMask: a call's mask with everything decided that needs no kernel.
#pragma once
#include <string>

#include "src/operations/matrix_operations.h"

namespace cugrb::operations {

struct PreparedMatrixMask {
  const DeviceMatrix* matrix = nullptr;  ///< null when allows_all or allows_none
  bool structural = false, complement = false;
  bool allows_all = true;    ///< no position is excluded
  bool allows_none = false;  ///< every position is excluded

  /// The mask by rows of T's orientation.
  const formats::Csr& rows(bool flipped) const { return matrix->by_rows(flipped); }
  /// selects_* (cuda/kernels/mxm_operands.h) for that form of it.
  std::string select_id(const formats::Csr& rows) const;
  /// matrix_mask... (cuda/kernels/matrix_mask.h) by rows of T's orientation, and the view that goes with it.
  std::string mask_id(bool flipped) const;
  CsrView mask_view(bool flipped) const;
};

/// An empty mask allows nothing (complemented: everything), and so does one that is missing but complemented.
/// Throws Declined for a valued mask of user-defined type.
PreparedMatrixMask prepare_mask(const MatrixMask& mask);

}  // namespace cugrb::operations
