// What a merge of two matrices (matrix_merge.h) keeps, and what becomes of it: the rules that most merges
// share.
#pragma once
#include "cuda/kernels/matrix_mask.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

// A merge says what is kept, and what becomes of it:
//   First, Second          csr_rows of both; has_second: the second one is there
//   StagedFirst, StagedSecond  the type of values that a tile has in shared memory (staged_type), or void
//   reads_places           whether values depend on rows, or are searched for
//   searches               whether keeps searches in a matrix: that takes registers
//   asks_memory            whether it loads anything
//   keeps_by_entry         whether it looks at no row
//   keeps_meetings         whether nothing is kept but entries of the first at which the second has one
//   Value                  the type of the result's values
//   keeps(a, at)           whether the entry is kept. Of two at one place the first's stands for both, where
//   it is kept. Lanes of a warp ask for entries of both matrices, so what takes long is asked for all alike
//   first_values(a, p), second_values(a, q) the values from that one on
//   load_first(values, n), load_second      what is read of the n-th of them (FirstValue, SecondValue)
//   combines               whether the second's is read where both have one and the first's stands for both
//   value(a, at, first, second)             the result's, of what has been read
//   new_column(a, j)       the result's column
//   passes_seconds(a, i, k) whether all entries of the second in the rows from i to k are kept where the
//   first has none there

/// An entry that a merge looks at: where it is in its matrix, and at which place. q is of the second's entry
/// there, where it is one of the first. `value`: its own in shared memory, where one matrix is merged alone.
struct merge_entry {
  uint64_t p, q, row, column;
  bool of_first, both;
  const void* value = nullptr;
};

/// Values of a type are in shared memory, if they are few bytes each.
template <class T>
constexpr bool is_staged = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4;
template <>
constexpr bool is_staged<void> = false;
template <class T>
using staged_type = choose<is_staged<T>, T, void>;

/// What most merges do.
struct merge_of_same_columns {
  static constexpr bool keeps_by_entry = false, keeps_meetings = false, combines = true, searches = false,
                        asks_memory = false;
  static CUGRB_DEVICE uint64_t new_column(const MatrixMergeArguments&, uint64_t j) { return j; }
  static CUGRB_DEVICE bool passes_seconds(const MatrixMergeArguments&, uint64_t, uint64_t) { return false; }
};

/// What is read where nothing has to be.
struct merge_nothing {};

/// Of one matrix, beside which there is no second one.
template <class Rows>
struct merge_without_second : merge_of_same_columns {
  using First = Rows;
  using Second = Rows;
  using SecondValue = merge_nothing;
  using StagedFirst = void;
  using StagedSecond = void;
  static constexpr bool has_second = false;
  static CUGRB_DEVICE const void* second_values(const MatrixMergeArguments&, uint64_t) { return nullptr; }
  static CUGRB_DEVICE merge_nothing load_second(const void*, unsigned) { return {}; }
};

/// The same, whose entries keep their values.
template <class Rows, class Element>
struct merge_of_one_matrix : merge_without_second<Rows> {
  using Value = Element;
  using FirstValue = Element;
  using StagedFirst = staged_type<Element>;
  static constexpr bool reads_places = false;
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments& a, uint64_t p) {
    return static_cast<const Element*>(a.first.values) + p;
  }
  static CUGRB_DEVICE Element load_first(const void* values, unsigned n) {
    return static_cast<const Element*>(values)[n];
  }
  static CUGRB_DEVICE Element value(const MatrixMergeArguments&, const merge_entry&, const Element& first,
                                    merge_nothing) {
    return first;
  }
};

}  // namespace cugrb
