// A call's mask, prepared: what it allows as far as the host can tell, and the form in which kernels ask it.
#pragma once
#include <string>

#include "cuda/views/mask.h"
#include "src/operations/output.h"

namespace cugrb::operations {

/// What is left of a mask where some positions are allowed and others may not be. Else one of the flags
/// holds, and no kernel asks.
struct MaskRule {
  bool structural = false, complement = false;  ///< as asked for
  bool allows_all = true;                       ///< no position is excluded
  bool allows_none = false;                     ///< every position is excluded
};

struct PreparedMask : MaskRule {
  MaskView view;        ///< for the kernel's argument struct
  DeviceVector vector;  ///< keeps the view's memory alive until the launch has been queued

  /// Template-id for the kernel's mask parameter.
  std::string name() const;
};

/// What PreparedMask::name() depends on, to be compared without making the text.
class MaskKind {
 public:
  explicit MaskKind(const PreparedMask& mask);
  bool is_of(const PreparedMask& mask) const;

 private:
  bool asked_, allows_none_, complement_, structural_, iso_;
  Form form_;
  formats::Width index_;
  Type type_;
};

/// How a kernel may ask a sparse mask: `dense` converts it to bitmap first (O(1) a question, O(length) to
/// make), `any` leaves it sparse (O(log entries) a question).
enum class MaskAccess : uint8_t { dense, any };

/// An empty mask allows nothing (complemented: everything), and so does one that is missing but complemented.
/// One that holds everywhere, by its structure or its only value, allows everything (complemented: nothing).
/// Waits for the device where a full valued mask is iso; nothing is launched unless a sparse mask is made
/// dense. Throws Declined for a valued mask of user-defined type, runtime::OutOfMemory.
PreparedMask prepare_mask(const VectorMask& mask, MaskAccess access = MaskAccess::dense);
/// The same of a mask in parts, as far as it concerns them all: there is no view.
PreparedMask prepare_mask_in_parts(const VectorMask& mask);

struct PreparedMatrixMask : MaskRule {
  const DeviceMatrix* matrix = nullptr;  ///< null when allows_all or allows_none

  /// The mask by rows of T's orientation.
  const formats::Csr& rows(bool flipped) const { return matrix->by_rows(flipped); }
  /// selects_* (cuda/kernels/mxm_operands.h) for that form of it.
  std::string select_id(const formats::Csr& rows) const;
  /// matrix_mask... (cuda/kernels/matrix_mask.h) by rows of T's orientation, and the view that goes with it.
  std::string mask_id(bool flipped) const;
  CsrView mask_view(bool flipped) const;
};
PreparedMatrixMask prepare_mask(const MatrixMask& mask);

}  // namespace cugrb::operations
