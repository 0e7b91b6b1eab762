// What element-wise operations on matrices need of their operands' entries: which of them are entries of T,
// and T's values there. T by rows is written by cuda/kernels/matrix_compact.h and joined with C by
// cuda/kernels/matrix_write_back.h.
//
// A is given by rows of T's orientation. `flipped`: those are T's columns, so that operators on places see
// the row and the column in their own order.
#pragma once
#include "cuda/kernels/matrix_write_back.h"
#include "cuda/views/matrix_elementwise.h"
#include "semirings/device/index_unary.h"
#include "semirings/device/semirings.h"

namespace cugrb {

template <class T>
CUGRB_DEVICE T thunk_of(const ScalarView& scalar) {
  static_assert(sizeof(T) <= ScalarView::capacity, "the host declines larger types");
  T value;
  __builtin_memcpy(&value, scalar.bytes, sizeof(T));
  return value;
}

/// op(A(i,j), i, j, thunk). Rows: csr_rows with the values that Op reads.
template <class Op, class Rows, bool flipped>
struct entry_function {
  using type = typename Op::z_type;
  static CUGRB_DEVICE type at(const MatrixElementwiseArguments& a, uint64_t p, uint64_t row,
                              uint64_t column) {
    return Op::apply(Rows::Values::template at<typename Op::x_type, true>(a.a.values, p),
                     flipped ? column : row, flipped ? row : column,
                     thunk_of<typename Op::thunk_type>(a.thunk));
  }
};

/// select: has[p] = op(A(i,j), i, j, thunk). Grid: a block of 256 for each tile of A's entries.
template <class Op, class Rows, bool flipped>
CUGRB_KERNEL(256)
void matrix_select(MatrixElementwiseArguments a) {
  for_entries_of_tile<Rows>(a.a, [&](uint64_t p, uint64_t row, uint64_t column) {
    a.has[p] = cast<bool>(entry_function<Op, Rows, flipped>::at(a, p, row, column)) ? 1 : 0;
  });
}

/// apply with an operator on places: values[p] = op(A(i,j), i, j, thunk). Grid as above.
template <class Op, class Rows, bool flipped>
CUGRB_KERNEL(256)
void matrix_apply_index(MatrixElementwiseArguments a) {
  using Function = entry_function<Op, Rows, flipped>;
  for_entries_of_tile<Rows>(a.a, [&](uint64_t p, uint64_t row, uint64_t column) {
    static_cast<typename Function::type*>(a.values)[p] = Function::at(a, p, row, column);
  });
}

/// op(x, y) at place (i, j) of T; positional operators as catalogue::elementwise gives them.
template <class Op, bool flipped>
CUGRB_DEVICE typename Op::z_type meeting(const typename Op::x_type& x, const typename Op::y_type& y,
                                         uint64_t row, uint64_t column) {
  const uint64_t i = flipped ? column : row, j = flipped ? row : column;
  return multiply<Op>(x, y, i, i, j);
}

/// eWiseMult: T(i,j) = op(A(i,j), B(i,j)) where both have an entry, by A's entries; a binary search in B's
/// row each. `swapped`: A is op's second operand. Grid as above.
template <class Op, class ARows, class BRows, bool swapped, bool flipped>
CUGRB_KERNEL(256)
void matrix_intersect(MatrixElementwiseArguments a) {
  using X = typename Op::x_type;
  using Y = typename Op::y_type;
  for_entries_of_tile<ARows>(a.a, [&](uint64_t p, uint64_t row, uint64_t column) {
    uint64_t q = 0;
    const bool both = find_entry<BRows>(a.b, row, column, q);
    a.has[p] = both ? 1 : 0;
    if (!both) return;
    auto* const out = static_cast<typename Op::z_type*>(a.values) + p;
    if constexpr (swapped) {
      *out = meeting<Op, flipped>(BRows::Values::template at<X, false>(a.b.values, q),
                                  ARows::Values::template at<Y, true>(a.a.values, p), row, column);
    } else {
      *out = meeting<Op, flipped>(ARows::Values::template at<X, true>(a.a.values, p),
                                  BRows::Values::template at<Y, false>(a.b.values, q), row, column);
    }
  });
}

/// The values of T on the union of A's and B's patterns, by its entries; a binary search in A's and in B's
/// row each. `fills` (eWiseUnion): op of both, where a scalar stands in for a missing one; else (eWiseAdd) an
/// entry alone is T's, typecast. Grid: a block of 256 for each tile of the union's entries.
template <class Op, class Rows, class ARows, class BRows, bool fills, bool flipped>
CUGRB_KERNEL(256)
void matrix_join(MatrixElementwiseArguments a) {
  using X = typename Op::x_type;
  using Y = typename Op::y_type;
  using Z = typename Op::z_type;
  for_entries_of_tile<Rows>(a.both, [&](uint64_t n, uint64_t row, uint64_t column) {
    uint64_t p = 0, q = 0;
    const bool in_a = find_entry<ARows>(a.a, row, column, p), in_b = find_entry<BRows>(a.b, row, column, q);
    Z* const out = static_cast<Z*>(a.values) + n;
    if (fills || (in_a && in_b)) {
      *out = meeting<Op, flipped>(
          fills && !in_a ? thunk_of<X>(a.thunk) : ARows::Values::template at<X, false>(a.a.values, p),
          fills && !in_b ? thunk_of<Y>(a.other) : BRows::Values::template at<Y, false>(a.b.values, q), row,
          column);
    } else {
      *out = in_a ? ARows::Values::template at<Z, false>(a.a.values, p)
                  : BRows::Values::template at<Z, false>(a.b.values, q);
    }
  });
}

/// The entries of a valued mask that are true: has[p]. Select: selects_valued. One thread an entry.
template <class Select>
CUGRB_KERNEL(256)
void matrix_true_entries(MatrixElementwiseArguments a) {
  const uint64_t p = global_thread();
  if (p < a.a.entries) a.has[p] = Select::holds(a.a, p) ? 1 : 0;
}

}  // namespace cugrb
