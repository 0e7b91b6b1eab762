// GraphBLAS semantics on device matrices: C<M, replace> accum= T, with the contract of operations.h. Shapes
// have been checked by the caller; inputs and mask may be the same object as the output, or share memory with
// it; the output is untouched when a function throws.
//
// Throws: Declined (not on the device yet; the text is the trace's reason), runtime::OutOfMemory,
// runtime::DeviceFailure, jit::CompilationFailure.
#pragma once
#include <optional>

#include "semirings/operators.h"
#include "src/formats/matrix.h"
#include "src/formats/row_range.h"

namespace cugrb::operations {

using formats::DeviceMatrix;

/// The mask of a call: no matrix means "all positions" (or, complemented, none).
struct MatrixMask {
  const DeviceMatrix* matrix = nullptr;
  bool structural = false;
  bool complement = false;
};

/// Where the result goes: C<M, replace> accum= T. Its orientation (`by_column`) may change; its type and
/// shape do not.
struct MatrixOutput {
  DeviceMatrix& matrix;
  MatrixMask mask;
  std::optional<BinaryOp> accumulate;
  bool replace = false;
};

/// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)), A and B transposed first where asked.
struct MatrixMatrix {
  const Semiring& semiring;
  const DeviceMatrix& a;
  const DeviceMatrix& b;
  bool transpose_a = false;
  bool transpose_b = false;
};
void mxm(const MatrixOutput& c, const MatrixMatrix& call);
/// The same result when it does not fit the device: made in slices of rows (columns, when C is stored by
/// column) that do, each given to `sink` while the next one is made. C itself is only read. Time: T is
/// counted once more than mxm does. Device memory: the factors, 8 bytes a row, and two slices; a slice may be
/// as small as one row of T. Throws what mxm and the sink throw.
void mxm_in_slices(const MatrixOutput& c, const MatrixMatrix& call, formats::RowSink& sink);

/// reduce(monoid, T) over the entries of T = A*B that `mask` allows; with a mask that is not complemented T
/// is never made. The monoid's identity when there are none; no value when it has no identity either (ANY).
/// The value is in the monoid's type. Waits for the device.
std::optional<Value> reduce_mxm(const Monoid& monoid, const MatrixMask& mask, const MatrixMatrix& call);

/// s = reduce(monoid, all entries of A), the same way.
std::optional<Value> reduce(const Monoid& monoid, const DeviceMatrix& a);

}  // namespace cugrb::operations
