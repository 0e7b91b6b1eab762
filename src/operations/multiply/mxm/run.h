// Running one matrix-matrix product: from operands to the text of its specialisation.
#pragma once
#include <string>

#include "src/operations/mask.h"
#include "src/operations/matrix_operations.h"

namespace cugrb::operations {

/// T = A*B, made by rows, or (flipped) by columns as T' = B'A'. `left` gives T's rows in either case
/// (cuda/kernels/mxm_operands.h).
struct MatrixMatrixRun {
  const MatrixMatrix& call;
  const PreparedMatrixMask& mask;
  bool flipped = false;

  const DeviceMatrix& left_matrix() const { return flipped ? call.b : call.a; }
  const DeviceMatrix& right_matrix() const { return flipped ? call.a : call.b; }
  /// Which of by_rows(transposed) gives the left rows, and the right factor by rows.
  bool left_transposed() const { return flipped ? !call.transpose_b : call.transpose_a; }
  bool right_transposed() const { return flipped ? !call.transpose_a : call.transpose_b; }

  const formats::Csr& left() const { return left_matrix().by_rows(left_transposed()); }
  /// The right factor by rows (saxpy), or by columns (dot).
  const formats::Csr& right() const { return right_matrix().by_rows(right_transposed()); }
  const formats::Csr& right_columns() const { return right_matrix().by_rows(!right_transposed()); }

  /// The left factor by columns (outer products).
  const formats::Csr& left_columns() const { return left_matrix().by_rows(!left_transposed()); }

  /// Transpositions that would have to be made first.
  int missing_for_rows() const {
    return !left_matrix().has_rows(left_transposed()) + !right_matrix().has_rows(right_transposed());
  }
  int missing_for_dot() const {
    return !left_matrix().has_rows(left_transposed()) + !right_matrix().has_rows(!right_transposed());
  }

  int missing_for_outer() const {
    return !left_matrix().has_rows(!left_transposed()) + !right_matrix().has_rows(right_transposed());
  }

  uint64_t result_rows() const { return call.transpose_a ? call.a.columns : call.a.rows; }
  uint64_t result_columns() const { return call.transpose_b ? call.b.rows : call.b.columns; }
  /// T's shape in the orientation in which it is made.
  uint64_t rows() const { return flipped ? result_columns() : result_rows(); }
  uint64_t columns() const { return flipped ? result_rows() : result_columns(); }

  const Type& type() const { return call.semiring.add.type(); }
  bool reads_left() const {
    return flipped ? call.semiring.multiply.reads_y : call.semiring.multiply.reads_x;
  }
  bool reads_right() const {
    return flipped ? call.semiring.multiply.reads_x : call.semiring.multiply.reads_y;
  }
  /// matrix_matrix<...> for these forms of the factors.
  std::string product_id(const formats::Csr& left, const formats::Csr& right) const;
  /// The same for kernels that look at no values.
  static std::string pattern_id(const formats::Csr& left, const formats::Csr& right);
  std::string preamble() const;
};

/// Throws Declined for factors that would have to be typecast from or to a user-defined type.
void check_factors(const MatrixMatrix& call);

/// Whose each of `items` items is, where owner n has those from starts[n] on (mxm_item_owners).
runtime::Buffer item_owners(const runtime::Buffer& starts, uint64_t owners, uint64_t items);

/// Left rows up to this length are searched: fewer steps than a table costs.
constexpr uint64_t longest_searched_row = 64;
/// Of the largest table for longer ones; half of them are used.
unsigned dot_table_slots(const MatrixMatrixRun& run);

}  // namespace cugrb::operations
