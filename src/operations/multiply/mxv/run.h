// One matrix-vector product, ready to run.
#pragma once
#include <optional>
#include <string>

#include "src/operations/mask.h"
#include "src/operations/multiply/mxv/memo.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// T(i) = sum over k of multiply(A(i,k), u(k)), ready to run: what the kernels have in common.
struct MatrixVectorRun {
  const MatrixVector& call;
  const PreparedMask& mask;
  MxvMemo* memo = nullptr;  ///< where its kernels are remembered, if anywhere
  bool is_part = false;     ///< of a product in parts: nobody else is asked to help, and it is not told of
  std::optional<uint64_t> vector_entries = {};  ///< of the vector, about, where they have not been counted

  uint64_t rows() const { return call.transpose_matrix ? call.matrix.columns : call.matrix.rows; }
  uint64_t columns() const { return call.transpose_matrix ? call.matrix.rows : call.matrix.columns; }
  bool reads_matrix() const {
    return call.vector_first ? call.semiring.multiply.reads_y : call.semiring.multiply.reads_x;
  }
  bool reads_vector() const {
    return call.vector_first ? call.semiring.multiply.reads_x : call.semiring.multiply.reads_y;
  }
};

}  // namespace cugrb::operations
