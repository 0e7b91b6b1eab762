// DcsrView: a matrix in dynamic CSR storage; arguments of cuda/kernels/dcsr_build.h and mxv_dcsr.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/row_bins.h"

namespace cugrb {

/// Segment s of row i is the positions from segments[2 i + s * pitch] up to segments[2 i + s * pitch + 1] of
/// the columns and values; one that is not allocated has none. The row's sizes[i] entries fill its segments
/// in order.
struct DcsrView {
  void* segments = nullptr;  ///< slots * pitch
  void* sizes = nullptr;     ///< rows
  void* columns = nullptr;
  void* values = nullptr;  ///< null: iso values do not travel
  uint64_t rows = 0, pitch = 0, slots = 0;
};

/// dcsr_capacities, dcsr_segments, dcsr_entries, dcsr_defragment.
struct DcsrBuildArguments {
  CsrView csr;
  DcsrView dcsr;
  uint64_t used = 1;       ///< segments that a row's entries are spread over
  uint64_t slack = 0;      ///< positions that the last of them has to spare
  void* begins = nullptr;  ///< used * rows + 1: capacities, then their exclusive sum
};

}  // namespace cugrb
