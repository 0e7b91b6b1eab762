// PreparedMask: a call's mask in a form that kernels take (cuda/kernels/mask.h), with its buffers kept alive.
#pragma once
#include <string>

#include "cuda/views/mask.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

struct PreparedMask {
  MaskView view;             ///< for the kernel's argument struct
  DeviceVector vector;       ///< keeps the view's memory alive until the launch has been queued
  bool allows_all = true;    ///< no position is excluded: there is no mask
  bool allows_none = false;  ///< every position is excluded: a complemented mask that holds everywhere
  bool structural = false, complement = false;  ///< as asked for, where neither of these is true

  /// Template-id for the kernel's mask parameter.
  std::string name() const;
};

/// How a kernel may ask a sparse mask: `dense` converts it to bitmap first (O(1) a question, O(length) to
/// make), `any` leaves it sparse (O(log entries) a question).
enum class MaskAccess : uint8_t { dense, any };

/// Prepares `mask`; nothing is launched unless a sparse mask is made dense. An empty structural or valued
/// mask allows nothing (complemented: everything), a full structural one everything (complemented: nothing),
/// and both are told by the flags. Throws Declined for a valued mask of user-defined type,
/// runtime::OutOfMemory.
PreparedMask prepare_mask(const Mask& mask, MaskAccess access = MaskAccess::dense);

}  // namespace cugrb::operations
