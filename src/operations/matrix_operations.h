// GraphBLAS semantics on device matrices: C<M, replace> accum= T, with the contract of operations.h. Shapes
// have been checked by the caller; inputs and mask may be the same object as the output, or share memory with
// it; the output is untouched when a function throws.
//
// Throws: Declined (not on the device yet; the text is the trace's reason), runtime::OutOfMemory,
// runtime::DeviceFailure, jit::CompilationFailure.
#pragma once
#include <optional>
#include <span>

#include "src/formats/host_stream.h"
#include "src/operations/output.h"
#include "src/selector/decision.h"
#include "src/selector/hardware.h"
#include "src/selector/mxm_problem.h"

namespace cugrb::operations {

/// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)), A and B transposed first where asked. One of them may
/// be fragmented, where settle_factors (fragment_factors.h) leaves it so, and both may be in parts.
struct MatrixMatrix {
  const Semiring& semiring;
  const DeviceMatrix& a;
  const DeviceMatrix& b;
  bool transpose_a = false;
  bool transpose_b = false;
  /// Those that may share in the product, the matrices' own first; none: it works alone.
  std::span<runtime::Device* const> devices = {};
  bool in_parts = false;  ///< C may be left in parts over these (DeviceMatrix::parts)
};
void mxm(const MatrixOutput& c, const MatrixMatrix& call);
/// What mxm would be told of a call, with some rows of T counted, and what it would choose then for a C by
/// row, `forced` being CUGRB_FORCE's kernel or null. Nothing is multiplied or transposed. The decision has
/// no candidates when T has no terms.
struct MxmOutlook {
  selector::MxmProblem problem;
  selector::Decision decision;
};
MxmOutlook decide_mxm(const MatrixMask& mask, const MatrixMatrix& call, const selector::Hardware& hardware,
                      const selector::Kernel* forced);

/// Matrices of a call that stay in host memory.
struct HostTarget {
  Type type;
  uint64_t rows = 0, columns = 0;
  bool by_column = false;
  const formats::MatrixSource* old = nullptr;  ///< null when the old content does not matter to the result
};
using HostOutput = Output<const HostTarget, formats::MatrixSource>;
struct HostMatrixMatrix {
  const Semiring& semiring;
  const formats::MatrixSource& a;
  const formats::MatrixSource& b;
  bool transpose_a = false;
  bool transpose_b = false;
};
/// The same result, given to `sink`, when A, B, C, the mask or T do not fit the device: T in slices of rows
/// (columns, when C is stored by column), a slice as the sum of A(slice, block) * B(block, all) over blocks
/// of the summed index in ascending order, added up by the monoid. Nothing is changed but the sink. Copies:
/// A, the mask and C go up once, B once where it is one block, else once a slice. Device memory: what is free
/// is shared out by a plan (mxm_plan.h); where that was too little slices and blocks are halved, down to a
/// row of T, and a row of B. Throws runtime::OutOfMemory when memory does not suffice for those, and what mxm
/// and the sink throw.
void mxm_in_slices(const HostOutput& c, const HostMatrixMatrix& call, formats::RowSink& sink);

/// s = reduce(monoid, all entries of A), in the monoid's type. The monoid's identity when there are none; no
/// value when it has no identity either (ANY). Waits for the device. A may be fragmented, or in parts: all
/// devices sum at the same time, and the host adds up from the first part to the last.
std::optional<Value> reduce(const Monoid& monoid, const DeviceMatrix& a);

}  // namespace cugrb::operations
