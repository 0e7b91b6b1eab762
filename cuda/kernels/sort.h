// The values of each row in the order of an operator, and where each comes from.
//
// Values of built-in types under < or > are sorted by radix: a key is a row and a word whose order is that of
// the values. Other operators merge sorted runs of a row, 1, 2, 4, ... entries long: each entry finds its
// place by a binary search in the run that its own is merged with. Equal values keep their order in both.
#pragma once
#include "cuda/kernels/matrix_write_back.h"
#include "cuda/kernels/move_element.h"
#include "cuda/views/sort.h"
#include "semirings/device/semirings.h"

namespace cugrb {

/// A word of as many bits as a T, which ascends with the values; -0 and +0 are one. Not of NaN.
template <class T>
CUGRB_DEVICE uint64_t ascending_word(T value) {
  if constexpr (is_float<T>) {
    using Word = choose<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Word sign = Word(1) << (8 * sizeof(T) - 1);
    if (value == T(0)) return sign;
    Word word;
    __builtin_memcpy(&word, &value, sizeof(T));
    return (word & sign) != 0 ? Word(~word) : Word(word | sign);
  } else if constexpr (is_signed<T>) {
    constexpr uint64_t all = ~uint64_t(0) >> (64 - 8 * sizeof(T)), sign = uint64_t(1) << (8 * sizeof(T) - 1);
    return (uint64_t(value) & all) ^ sign;
  } else {
    return uint64_t(value);
  }
}

/// keys[p] of every entry, with its row (unless `Row` is void). One thread an entry. (A race of threads that
/// all store 1.)
template <class T, class Row, class Key, bool descending>
CUGRB_KERNEL(256)
void sort_keys(SortArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.a.entries) return;
  const T value = static_cast<const T*>(a.a.values)[p];
  if constexpr (is_float<T>) {
    if (value != value) relaxed_store(a.unordered, uint32_t(1));
  }
  const uint64_t all = ~uint64_t(0) >> (64 - a.value_bits);
  uint64_t key = descending ? ~ascending_word(value) & all : ascending_word(value);
  if constexpr (!is_same<Row, void>) key |= uint64_t(static_cast<const Row*>(a.row_of)[p]) << a.value_bits;
  static_cast<Key*>(a.keys)[p] = Key(key);
}

/// Op(x, y), x to come before y, of the values of two entries.
template <class Op, class Rows>
CUGRB_DEVICE bool comes_before(const CsrView& a, uint64_t p, uint64_t q) {
  return cast<bool>(Op::apply(Rows::Values::template at<typename Op::x_type, false>(a.values, p),
                              Rows::Values::template at<typename Op::y_type, false>(a.values, q)));
}

/// The order of runs of 2 * run entries, of that of runs of `run`. Grid: one block for each tile of entries.
template <class Op, class Rows>
CUGRB_KERNEL_RESIDENT(256, 4)
void sort_merge(SortArguments a) {
  for_moved_entries<Rows>(a.a, [&](uint64_t p, uint64_t row, uint64_t) {
    const uint64_t begin = row_begin<Rows>(a.a, row), end = row_begin<Rows>(a.a, row + 1);
    const uint64_t number = (p - begin) / a.run;
    const bool second = number % 2 != 0;
    const uint64_t first_begin = begin + (number - number % 2) * a.run;
    const uint64_t middle = first_begin + a.run < end ? first_begin + a.run : end;
    const uint64_t last = middle + a.run < end ? middle + a.run : end;
    const uint64_t mine = a.order[p];
    uint64_t low = second ? first_begin : middle, high = second ? middle : last;
    const uint64_t other = low;
    while (low < high) {
      const uint64_t at = low + (high - low) / 2;
      const bool is_before = second ? !comes_before<Op, Rows>(a.a, mine, a.order[at])
                                    : comes_before<Op, Rows>(a.a, a.order[at], mine);
      if (is_before) {
        low = at + 1;
      } else {
        high = at;
      }
    }
    const uint64_t place = second ? p - middle : p - first_begin;
    // By an operator that is no order several entries may have one place: sort_check finds that.
    relaxed_store(a.new_order + (first_begin + place + (low - other)), mine);
  });
}

/// Whether the operator orders the values, as far as the result shows: neighbours ascend, equal ones by
/// place, and the order has each entry. Grid as above. (Races of threads that all store 1.)
template <class Op, class Rows>
CUGRB_KERNEL(256)
void sort_check(SortArguments a) {
  for_moved_entries<Rows>(a.a, [&](uint64_t p, uint64_t row, uint64_t) {
    const uint64_t begin = row_begin<Rows>(a.a, row), mine = a.order[p];
    relaxed_store(a.seen + mine, uint8_t(1));
    if constexpr (is_float<typename Op::x_type>) {
      const auto x = Rows::Values::template at<typename Op::x_type, false>(a.a.values, mine);
      if (x != x) relaxed_store(a.unordered, uint32_t(1));
    }
    if (p == begin) return;
    const uint64_t before = a.order[p - 1];
    const bool ascends = comes_before<Op, Rows>(a.a, before, mine) || before < mine;
    if (!ascends || comes_before<Op, Rows>(a.a, mine, before)) relaxed_store(a.unordered, uint32_t(1));
  });
}

/// The sorted entries: columns from 0 on, values (unless `Element` is void), and the columns that they come
/// from. `ordered`: there is an order, else all stay in theirs. Grid as above.
template <class Rows, class Column, class Element, bool ordered, bool has_places>
CUGRB_KERNEL(256)
void sort_entries(SortArguments a) {
  for_moved_entries<Rows>(a.a, [&](uint64_t p, uint64_t row, uint64_t) {
    const uint64_t from = ordered ? a.order[p] : p;
    static_cast<Column*>(a.out_columns)[p] = Column(p - row_begin<Rows>(a.a, row));
    move_element<Element>(a.out_values, p, a.a.values, from);
    if constexpr (has_places) a.out_places[p] = int64_t(columns_of<Rows>(a.a)[from]);
  });
}

}  // namespace cugrb
