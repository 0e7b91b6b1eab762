// GraphBLAS semantics on device objects. Each function computes w<mask, replace> accum= T and changes `w`
// only when it has succeeded; on any exception w is untouched. All shapes have been checked by the caller
// (the real library makes the error codes). Inputs and mask may be the same object as w, or share memory with
// it.
//
// Vectors may be in parts where a function says so: mxv's u, mask and w, all of ewise, of apply and of
// reduce, and assign without a list.
//
// Throws: Declined (not on the device yet; the text is the trace's reason), runtime::OutOfMemory,
// runtime::DeviceFailure, jit::CompilationFailure.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <variant>

#include "src/operations/output.h"
#include "src/selector/decision.h"
#include "src/selector/hardware.h"

namespace cugrb::selector {
struct MxvProblem;
}

namespace cugrb::operations {

/// T(i) = reduce over k of multiply(A(i,k), u(k)); with transpose_matrix A' in A's place; with vector_first
/// the operands of multiply are swapped: multiply(u(k), A(i,k)), which is vxm: w' = u' A is mxv of A' with
/// vector_first.
struct MatrixVector {
  const Semiring& semiring;
  const DeviceMatrix& matrix;
  const DeviceVector& vector;
  bool transpose_matrix = false;
  bool vector_first = false;
  /// Those that may share in the product, the matrix's own first; none: it works alone.
  std::span<runtime::Device* const> devices = {};
  bool in_parts = false;  ///< w may be left in parts over these (src/formats/vector_parts.h)
};
void mxv(const VectorOutput& w, const MatrixVector& call);
/// What the selector is told of an unmasked call on this hardware. Nothing is computed or converted; lengths
/// of rows that nobody has asked for yet are counted.
selector::MxvProblem describe_mxv(const MatrixVector& call, const selector::Hardware& hardware);
/// What mxv would choose then, `forced` being CUGRB_FORCE's kernel or null.
selector::Decision decide_mxv(const MatrixVector& call, const selector::Hardware& hardware,
                              const selector::Kernel* forced);

/// Operands of an element-wise call in the form in which it reads them: where one is in parts the others are
/// dealt likewise, but for those of one value and short lists, and stay so. Where none is, they are dealt as
/// a loop leaves its results that are as long, if there is one. Their contents are as they were. Null
/// pointers are left out. O(length).
void settle_parts(const VectorOutput& w, std::initializer_list<DeviceVector*> operands);

/// T = u (+) v: the union of the patterns; where one is missing the other's value passes (typecast to the
/// op's z).
void ewise_add(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const DeviceVector& v);
/// eWiseUnion: a missing operand is replaced by its scalar.
void ewise_union(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const Value& alpha,
                 const DeviceVector& v, const Value& beta);
/// T = u (x) v: the intersection of the patterns.
void ewise_mult(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const DeviceVector& v);

void apply(const VectorOutput& w, const UnaryOp& op, const DeviceVector& u);
void apply_bind_first(const VectorOutput& w, const BinaryOp& op, const Value& x, const DeviceVector& u);
void apply_bind_second(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const Value& y);
void apply_index(const VectorOutput& w, const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk);
void select(const VectorOutput& w, const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk);

/// Index lists of assign and extract: GrB_ALL, a list (on the host), or a range.
struct Indices {
  bool all = true;
  uint64_t count = 0;              ///< length of the list; n when all
  const uint64_t* list = nullptr;  ///< host memory
  /// Without a list: the indices from here on, one after the other.
  uint64_t begin = 0;
  bool is_range() const { return !all && list == nullptr && count > 0; }
};
/// w<mask>(I) accum= u. (GrB_assign: the mask has w's length and replace acts on all of w.)
void assign(const VectorOutput& w, const DeviceVector& u, const Indices& indices);
/// w<mask>(I) accum= scalar. No value: a GrB_Scalar without entry (deletes, or nothing with an accumulator).
void assign_scalar(const VectorOutput& w, const std::optional<Value>& scalar, const Indices& indices);
/// T = u(I).
void extract(const VectorOutput& w, const DeviceVector& u, const Indices& indices);

/// s = reduce(u): the monoid's identity when u is empty; the value in the monoid's type. Waits for the
/// device. ANY has no identity: an empty vector gives no value.
std::optional<Value> reduce(const Monoid& monoid, const DeviceVector& u);
/// The same of all entries of a matrix in parts.
std::optional<Value> reduce_values(const Monoid& monoid, const formats::MatrixParts& parts);

/// Single elements. `index` is in range. Waits for the device.
std::optional<Value> extract_element(const DeviceVector& u, uint64_t index);
void set_element(DeviceVector& w, uint64_t index, const Value& value);
void remove_element(DeviceVector& w, uint64_t index);
void clear(DeviceVector& w);

/// w<mask, replace> accum= T for a T that is already there: the materialised form of the one exit. `masked`
/// says that T has entries only where the mask allows (so that with replace and no accumulator T becomes w
/// without a copy).
void write_back(const VectorOutput& w, DeviceVector&& t, bool masked);

}  // namespace cugrb::operations
