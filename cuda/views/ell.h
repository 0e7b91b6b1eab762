// EllView: a matrix in ELLPACK storage, whole or in slices; arguments of cuda/kernels/ell_build.h and
// mxv_ell.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/mxv.h"

namespace cugrb {

/// Rows a slice: a warp's lanes.
constexpr uint64_t ell_slice_rows = 32;

/// The n-th entry of row i, n < width, lies at position
///   whole:   n * pitch + i                                 width is the same for all rows
///   sliced:  (slice_offsets[s] + n) * 32 + i % 32          s = i / 32, width = slice_offsets[s+1] -
///   slice_offsets[s]
/// of the columns and of the values: neighbouring rows are neighbours in memory. A row's entries come first;
/// the columns of the positions left over are all ones, their values zeros.
struct EllView {
  const void* slice_offsets = nullptr;  ///< sliced only: slices + 1, in columns of 32 positions
  uint64_t width = 0, pitch = 0;        ///< whole only
  uint64_t rows = 0;
};

/// mxv_ell and mxv_sell: `operands.matrix` has the columns, the values and the number of rows.
struct MxvEllArguments {
  MxvOperands operands;
  EllView ell;
};

/// slice_widths, ell_fill, ell_row_lengths, ell_compress. `csr` and `ell` are read or written
/// as the kernel says.
struct EllBuildArguments {
  CsrView csr;
  EllView ell;
  void* slice_widths = nullptr;  ///< slices
  uint64_t threshold = 0;        ///< entries of a row from this ordinal on are left out
  void* lengths = nullptr;       ///< rows
  void* columns = nullptr;
  void* values = nullptr;  ///< null: iso values do not travel
};

}  // namespace cugrb
