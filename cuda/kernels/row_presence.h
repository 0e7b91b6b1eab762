// Which rows of a CSR have entries.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/row_presence.h"
#include "semirings/device/types.h"

namespace cugrb {

/// present[i] = 1 where row i has an entry, else 0. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void row_presence(RowPresenceArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.matrix.rows) return;
  const auto* offsets = static_cast<const Offset*>(a.matrix.offsets);
  a.present[i] = offsets[i + 1] > offsets[i] ? 1 : 0;
}

}  // namespace cugrb
