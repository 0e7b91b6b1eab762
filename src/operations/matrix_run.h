// What operations on the entries of matrices share: the orientation in which T is made, and its one value.
#pragma once
#include <initializer_list>
#include <vector>

#include "src/operations/matrix_elementwise.h"
#include "src/operations/matrix_write_back.h"

namespace cugrb::operations {

/// A call: the mask, and the orientation in which T is made, which is the one for which the fewest matrices
/// must be transposed first; C's own where that does not matter.
struct MatrixRun {
  const MatrixOutput& c;
  PreparedMatrixMask mask;
  bool flipped;
  std::vector<formats::HeldPattern> patterns;  ///< of the inputs: C may get that of one, or be one

  MatrixRun(const MatrixOutput& output, std::initializer_list<const MatrixInput*> inputs);
  /// The operand by rows of T's orientation.
  const formats::Csr& rows(const MatrixInput& input) const {
    return input.matrix.by_rows(input.transpose != flipped);
  }
  /// A T without entries.
  formats::Csr nothing(const Type& type) const;
  void write(formats::Csr&& t, bool masked = false) const;
};

/// op(a, b) for every pair of entries of A and B, where it has one value for all: what the operator reads is
/// iso. Both have entries.
std::optional<runtime::Buffer> one_meeting(const BinaryOp& op, const formats::Csr& a, const formats::Csr& b);

}  // namespace cugrb::operations
