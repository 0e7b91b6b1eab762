// What the matrix-matrix kernels share: how the two factors are read and what one term is.
//
//     T(i,j) = sum over k of multiply(A(i,k), B(k,j))
//
// A kernel makes rows of T from rows of a `left` matrix. Not flipped, these are T's and A's rows, and right
// is B. Flipped, they are T's columns: left is B', right A', and the operands of multiply change places.
#pragma once
#include "cuda/kernels/mxv_operands.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/mxm.h"

namespace cugrb {

/// All types of one product. LeftType, RightType: csr_rows (mxv_operands.h).
template <class Semiring, class LeftType, class RightType, bool flipped>
struct matrix_matrix {
  using Add = typename Semiring::add;
  using Multiply = typename Semiring::multiply;
  using Left = LeftType;
  using Right = RightType;
  using type = typename Add::type;

  /// The term of the left entry p, at (r, k), and the right entry q, which adds to T at (r, c) of the left's
  /// orientation; r counts from left's first row, k from right's.
  static CUGRB_DEVICE type term(const CsrView& left, const CsrView& right, uint64_t p, uint64_t q, uint64_t r,
                                uint64_t k, uint64_t c) {
    return term_of(left_value(left, p), right_value(right, q), left, right, r, k, c);
  }
  /// The same of values that have been read.
  using LeftValue = choose<flipped, typename Multiply::y_type, typename Multiply::x_type>;
  using RightValue = choose<flipped, typename Multiply::x_type, typename Multiply::y_type>;
  static CUGRB_DEVICE LeftValue left_value(const CsrView& left, uint64_t p) {
    return Left::Values::template at<LeftValue, false>(left.values, p);
  }
  static CUGRB_DEVICE RightValue right_value(const CsrView& right, uint64_t q) {
    return Right::Values::template at<RightValue, false>(right.values, q);
  }
  static CUGRB_DEVICE type term_of(const LeftValue& of_left, const RightValue& of_right, const CsrView& left,
                                   const CsrView& right, uint64_t r, uint64_t k, uint64_t c) {
    if constexpr (flipped) {
      return multiply<Multiply>(of_right, of_left, c, right.first_row + k, left.first_row + r);
    } else {
      return multiply<Multiply>(of_left, of_right, left.first_row + r, right.first_row + k, c);
    }
  }
};

/// The two factors' patterns, for kernels that look at no values.
template <class LeftType, class RightType>
struct factor_patterns {
  using Left = LeftType;
  using Right = RightType;
};

/// Whether a kernel must know which entry a value belongs to.
template <class Values>
constexpr bool differ_by_entry = false;
template <class T>
constexpr bool differ_by_entry<values_array<T>> = true;

template <class Rows>
CUGRB_DEVICE uint64_t row_begin(const CsrView& matrix, uint64_t i) {
  return read_only(static_cast<const typename Rows::Offset*>(matrix.offsets) + i);
}
template <class Rows>
CUGRB_DEVICE const typename Rows::Column* columns_of(const CsrView& matrix) {
  return static_cast<const typename Rows::Column*>(matrix.columns);
}

/// The lanes of the calling thread's group of `lanes` (at most 32) in its warp.
template <int lanes>
CUGRB_DEVICE unsigned group_lanes() {
  static_assert(lanes <= 32, "a group lies in one warp");
  if constexpr (lanes == 32) {
    return full_warp;
  } else {
    return ((1u << lanes) - 1u) << (lane_index() / lanes * lanes);
  }
}

/// So that a block need not search for its owner. One thread for each owner.
template <class Index>
CUGRB_KERNEL(256)
void mxm_item_owners(MxmItemsArguments a) {
  const Index n = global_thread();
  if (n >= a.owners) return;
  for (uint64_t item = a.starts[n]; item < a.starts[n + 1]; ++item) a.owner[item] = n;
}

/// The entries of a mask that select what is computed: every one, or those whose value is true.
template <class OffsetType, class ColumnType>
struct selects_structural {
  using Offset = OffsetType;
  using Column = ColumnType;
  static CUGRB_DEVICE bool holds(const CsrView&, uint64_t) { return true; }
};
template <class OffsetType, class ColumnType, class T, bool iso>
struct selects_valued {
  using Offset = OffsetType;
  using Column = ColumnType;
  static CUGRB_DEVICE bool holds(const CsrView& mask, uint64_t p) {
    return cast<bool>(read_only(static_cast<const T*>(mask.values) + (iso ? 0 : p)));
  }
};

}  // namespace cugrb
