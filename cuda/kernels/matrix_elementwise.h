// Which entries of their operands element-wise operations on matrices make T of, and T's values there:
// merges, as matrix_merge.h has them.
//
// A is given by rows of T's orientation. `flipped`: those are T's columns, so that operators on places see
// the row and the column in their own order.
#pragma once
#include "cuda/kernels/matrix_write_back.h"
#include "cuda/kernels/move_element.h"
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

/// op(A(i,j), i, j, thunk). Rows: csr_rows with the values that Op reads; `once`: none is read again.
template <class Op, class Rows, bool flipped, bool once>
struct entry_function {
  using type = typename Op::z_type;
  static CUGRB_DEVICE type at(const CsrView& matrix, const ScalarView& thunk, uint64_t p, uint64_t row,
                              uint64_t column) {
    return of(Rows::Values::template at<typename Op::x_type, once>(matrix.values, p), thunk, row, column);
  }
  static CUGRB_DEVICE type of(const typename Op::x_type& x, const ScalarView& thunk, uint64_t row,
                              uint64_t column) {
    return Op::apply(x, flipped ? column : row, flipped ? row : column,
                     thunk_of<typename Op::thunk_type>(thunk));
  }
};

/// select: the entries of A with op(A(i,j), i, j, thunk). Element: a value as it is moved. `by_value`: op
/// looks at nothing else.
template <class Op, class Rows, bool flipped, class Element, bool by_value>
struct matrix_selection : merge_of_one_matrix<Rows, Element> {
  static constexpr bool keeps_by_entry = by_value;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    using Array = typename Rows::Values::Array;
    if constexpr (is_staged<Array> && is_staged<Element>) {
      using Function = entry_function<Op, Rows, flipped, false>;
      if (at.value != nullptr) {  // none are in shared memory where the result has no values
        return cast<bool>(Function::of(Rows::Values::template in_shared<typename Op::x_type>(at.value, 0),
                                       a.thunk, at.row, at.column));
      }
    }
    return cast<bool>(
        entry_function<Op, Rows, flipped, false>::at(a.first, a.thunk, at.p, at.row, at.column));
  }
};

/// The entries whose flag, a byte each behind a.found.values, is set.
template <class Rows, class Element>
struct matrix_flagged : merge_of_one_matrix<Rows, Element> {
  static constexpr bool keeps_by_entry = true;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    return read_only(static_cast<const uint8_t*>(a.found.values) + at.p) != 0;
  }
};

/// apply with an operator on places: values[p] = op(A(i,j), i, j, thunk). Grid as above.
template <class Op, class Rows, bool flipped>
CUGRB_KERNEL(256)
void matrix_apply_index(MatrixElementwiseArguments a) {
  using Function = entry_function<Op, Rows, flipped, true>;
  for_moved_entries<Rows>(a.a, [&](uint64_t p, uint64_t row, uint64_t column) {
    static_cast<typename Function::type*>(a.values)[p] = Function::at(a.a, a.thunk, p, row, column);
  });
}

/// op(x, y) at place (i, j) of T; positional operators as catalogue::elementwise gives them.
template <class Op, bool flipped>
CUGRB_DEVICE typename Op::z_type meeting(const typename Op::x_type& x, const typename Op::y_type& y,
                                         uint64_t row, uint64_t column) {
  const uint64_t i = flipped ? column : row, j = flipped ? row : column;
  return multiply<Op>(x, y, i, i, j);
}

/// eWiseMult: T(i,j) = op(A(i,j), B(i,j)) where both have an entry, and the mask allows one.
template <class Op, class ARows, class BRows, bool flipped, class Mask>
struct matrix_intersection : merge_of_same_columns {
  using First = ARows;
  using Second = BRows;
  using Value = typename Op::z_type;
  using FirstValue = typename Op::x_type;
  using SecondValue = typename Op::y_type;
  static constexpr bool has_second = true, reads_places = Op::positional, keeps_meetings = true;
  using StagedFirst = void;  // few of them are needed
  using StagedSecond = void;
  static constexpr bool searches = !is_same<Mask, matrix_mask_none>, keeps_by_entry = !searches;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    return Mask::allows(a.mask, at.row, at.column);
  }
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments& a, uint64_t p) {
    return ARows::Values::from_position(a.first.values, p);
  }
  static CUGRB_DEVICE const void* second_values(const MatrixMergeArguments& a, uint64_t q) {
    return BRows::Values::from_position(a.second.values, q);
  }
  static CUGRB_DEVICE FirstValue load_first(const void* values, unsigned n) {
    return ARows::Values::template at<FirstValue, true>(values, n);
  }
  static CUGRB_DEVICE SecondValue load_second(const void* values, unsigned n) {
    return BRows::Values::template at<SecondValue, false>(values, n);
  }
  static CUGRB_DEVICE Value value(const MatrixMergeArguments&, const merge_entry& at, const FirstValue& x,
                                  const SecondValue& y) {
    return meeting<Op, flipped>(x, y, at.row, at.column);
  }
};

/// op of an entry of `few` and one of `many` at the same place. `swapped`: that of few is op's second
/// operand.
template <class Op, class Rows, class OtherRows, bool swapped, bool flipped>
CUGRB_DEVICE typename Op::z_type meeting_of(const CsrView& few, uint64_t p, const CsrView& many, uint64_t q,
                                            uint64_t row, uint64_t column) {
  using X = typename Op::x_type;
  using Y = typename Op::y_type;
  if constexpr (swapped) {
    return meeting<Op, flipped>(OtherRows::Values::template at<X, false>(many.values, q),
                                Rows::Values::template at<Y, true>(few.values, p), row, column);
  } else {
    return meeting<Op, flipped>(Rows::Values::template at<X, true>(few.values, p),
                                OtherRows::Values::template at<Y, false>(many.values, q), row, column);
  }
}

/// The same where one operand has few entries beside the other's: those are searched for in its rows
/// (`found`). `swapped`: they are op's second operand.
template <class Op, class Rows, class OtherRows, bool swapped, bool flipped, class Mask>
struct matrix_search : merge_without_second<Rows> {
  using Value = typename Op::z_type;
  using FirstValue = merge_nothing;
  static constexpr bool reads_places = true, searches = true;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    uint64_t q;
    return find_entry<OtherRows>(a.found, at.row, at.column, q) && Mask::allows(a.mask, at.row, at.column);
  }
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments&, uint64_t) { return nullptr; }
  static CUGRB_DEVICE merge_nothing load_first(const void*, unsigned) { return {}; }
  static CUGRB_DEVICE Value value(const MatrixMergeArguments& a, const merge_entry& at, merge_nothing,
                                  merge_nothing) {
    uint64_t q = 0;
    find_entry<OtherRows>(a.found, at.row, at.column, q);
    return meeting_of<Op, Rows, OtherRows, swapped, flipped>(a.first, at.p, a.found, q, at.row, at.column);
  }
};

/// C(i,j) = C(i,j) accum op(A(i,j), B(i,j)) where A and B have an entry, for a C that has all. A may be C,
/// and so may B: a thread alone looks at a place. Grid as for matrix_apply_index. (With no number of blocks
/// ptxas aims at 32 registers, and spills some.)
template <class Op, class Rows, class OtherRows, bool swapped, bool flipped, class Accumulate, class Element>
CUGRB_KERNEL_RESIDENT(256, 5)
void matrix_accumulate_meetings(MatrixMeetingsArguments a) {
  for_moved_entries<Rows>(a.few, [&](uint64_t p, uint64_t row, uint64_t column) {
    uint64_t q;
    if (!find_entry<OtherRows>(a.many, row, column, q)) return;
    Element* const c = static_cast<Element*>(a.values) + (row * a.few.columns_count + column);
    *c = Accumulate::combine(
        *c, meeting_of<Op, Rows, OtherRows, swapped, flipped>(a.few, p, a.many, q, row, column));
  });
}

/// The same where a mask has few entries beside those of A (`found`) and B (`second`): these are searched
/// for. Select: the mask's entries that count.
template <class Op, class Select, class ARows, class BRows, bool flipped>
struct matrix_search_both : merge_without_second<Select> {
  using Value = typename Op::z_type;
  using FirstValue = merge_nothing;
  static constexpr bool reads_places = true, searches = true;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    uint64_t q;
    return Select::holds(a.first, at.p) && find_entry<ARows>(a.found, at.row, at.column, q) &&
           find_entry<BRows>(a.second, at.row, at.column, q);
  }
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments&, uint64_t) { return nullptr; }
  static CUGRB_DEVICE merge_nothing load_first(const void*, unsigned) { return {}; }
  static CUGRB_DEVICE Value value(const MatrixMergeArguments& a, const merge_entry& at, merge_nothing,
                                  merge_nothing) {
    const uint64_t i = at.row, j = at.column;
    uint64_t p = 0, q = 0;
    find_entry<ARows>(a.found, i, j, p);
    find_entry<BRows>(a.second, i, j, q);
    return meeting<Op, flipped>(ARows::Values::template at<typename Op::x_type, false>(a.found.values, p),
                                BRows::Values::template at<typename Op::y_type, false>(a.second.values, q), i,
                                j);
  }
};

/// An entry's value as the operator's operand and, unless scalars stand in for missing ones, as T's.
template <class Operand, class Value, bool fills>
struct union_value {
  Operand operand;
  Value alone;
};
template <class Operand, class Value>
struct union_value<Operand, Value, true> {
  Operand operand;
};

/// T on the union of A's and B's patterns. `fills` (eWiseUnion): op of both, where a scalar stands in for a
/// missing one; else (eWiseAdd) an entry alone is T's, typecast.
template <class Op, class ARows, class BRows, bool fills, bool flipped>
struct matrix_union : merge_of_same_columns {
  using First = ARows;
  using Second = BRows;
  using Value = typename Op::z_type;
  using X = typename Op::x_type;
  using Y = typename Op::y_type;
  using FirstValue = union_value<X, Value, fills>;
  using SecondValue = union_value<Y, Value, fills>;
  static constexpr bool has_second = true, reads_places = Op::positional, keeps_by_entry = true;
  using StagedFirst = staged_type<typename ARows::Values::Array>;
  using StagedSecond = staged_type<typename BRows::Values::Array>;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments&, const merge_entry& at) {
    return at.of_first || !at.both;
  }
  static CUGRB_DEVICE bool passes_seconds(const MatrixMergeArguments&, uint64_t, uint64_t) { return true; }
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments& a, uint64_t p) {
    return ARows::Values::from_position(a.first.values, p);
  }
  static CUGRB_DEVICE const void* second_values(const MatrixMergeArguments& a, uint64_t q) {
    return BRows::Values::from_position(a.second.values, q);
  }
  static CUGRB_DEVICE FirstValue load_first(const void* values, unsigned n) {
    return load<ARows, FirstValue, X>(values, n);
  }
  static CUGRB_DEVICE SecondValue load_second(const void* values, unsigned n) {
    return load<BRows, SecondValue, Y>(values, n);
  }
  static CUGRB_DEVICE Value value(const MatrixMergeArguments& a, const merge_entry& at,
                                  const FirstValue& first, const SecondValue& second) {
    if constexpr (fills) {
      return meeting<Op, flipped>(at.of_first ? first.operand : thunk_of<X>(a.thunk),
                                  at.of_first && !at.both ? thunk_of<Y>(a.other) : second.operand, at.row,
                                  at.column);
    } else {
      if (at.of_first && at.both)
        return meeting<Op, flipped>(first.operand, second.operand, at.row, at.column);
      return at.of_first ? first.alone : second.alone;
    }
  }

 private:
  template <class Rows, class Read, class Operand>
  static CUGRB_DEVICE Read load(const void* values, unsigned n) {
    Read read;
    if constexpr (is_staged<typename Rows::Values::Array>) {
      read.operand = Rows::Values::template in_shared<Operand>(values, n);
      if constexpr (!fills) read.alone = Rows::Values::template in_shared<Value>(values, n);
    } else {
      read.operand = Rows::Values::template at<Operand, true>(values, n);
      if constexpr (!fills) read.alone = Rows::Values::template at<Value, true>(values, n);
    }
    return read;
  }
};

/// The entries of a valued mask that are true: has[p]. Select: selects_valued. One thread an entry.
template <class Select>
CUGRB_KERNEL(256)
void matrix_true_entries(MatrixElementwiseArguments a) {
  const uint64_t p = global_thread();
  if (p < a.a.entries) a.has[p] = Select::holds(a.a, p) ? 1 : 0;
}

/// *differ = 1 where a word of a is not that of b. Nothing more is read once that is known, and a block says
/// it once: stores of all warps to one word would take longer than the rest. Grid: any number of blocks,
/// which take tiles of words by turns.
template <int>
CUGRB_KERNEL(EntryTile::threads)
void words_differ(WordsDifferArguments a) {
  constexpr unsigned together = 4;
  constexpr uint64_t of_tile = EntryTile::moved_entries, of_turn = EntryTile::threads * together;
  bool differs = false;
  for (uint64_t begin = block_index() * of_tile; begin < a.count; begin += grid_blocks() * of_tile) {
    const bool is_known = differs || (thread_index() == 0 && relaxed_load(a.differ) != 0);
    if (sync_block_or(is_known) != 0) break;
#pragma unroll
    for (uint64_t turn = 0; turn < of_tile; turn += of_turn) {
      const uint64_t first = begin + turn + thread_index() * together;
      if (first + together <= a.count) {
        uint32_t of_a[together], of_b[together];
        read_together(a.a + first, of_a);
        read_together(a.b + first, of_b);
        for (unsigned k = 0; k < together; ++k) differs |= of_a[k] != of_b[k];
      } else {
        for (uint64_t n = first; n < a.count; ++n) differs |= a.a[n] != a.b[n];
      }
    }
  }
  if (sync_block_or(differs) != 0 && thread_index() == 0) relaxed_store(a.differ, uint32_t(1));
}

}  // namespace cugrb
