// A matrix mask by position: what the write-back asks for every entry, and the products' kernels for every
// entry that they would make.
#pragma once
#include "cuda/kernels/mxm_operands.h"

namespace cugrb {

/// lower_bound() whose steps count in 32 bits, once the range is that short: a step of 64 bits takes twice as
/// many instructions, and this code a few registers more.
template <class Value>
CUGRB_DEVICE uint64_t lower_bound_of_row(const Value* values, uint64_t low, uint64_t high, uint64_t wanted) {
  while (high - low > 0xffffffffu) {
    const uint64_t middle = low + (high - low) / 2;
    const bool below = uint64_t(read_only(values + middle)) < wanted;
    (below ? low : high) = below ? middle + 1 : middle;
  }
  const Value* const from = values + low;
  uint32_t first = 0, last = uint32_t(high - low);
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    if (uint64_t(read_only(from + middle)) < wanted) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return low + first;
}

/// Whether row i of `matrix` has column j, and at which entry. Of the j columns before it at most those can
/// be missing that the whole row lacks: a full row needs no search.
template <class Rows>
CUGRB_DEVICE bool find_entry(const CsrView& matrix, uint64_t i, uint64_t j, uint64_t& p) {
  const uint64_t begin = row_begin<Rows>(matrix, i), end = row_begin<Rows>(matrix, i + 1);
  const uint64_t missing = matrix.columns_count - (end - begin);
  const uint64_t low = begin + (j > missing ? j - missing : 0), high = begin + j < end ? begin + j : end;
  p = lower_bound_of_row(columns_of<Rows>(matrix), low, high, j);
  return p < end && uint64_t(columns_of<Rows>(matrix)[p]) == j;
}

// ---- allows(mask, i, j)

struct matrix_mask_none {
  static CUGRB_DEVICE bool allows(const CsrView&, uint64_t, uint64_t) { return true; }
};
/// The entries that `Select` (mxm_operands.h) holds for, or all other positions.
template <class Select, bool complement>
struct matrix_mask {
  static CUGRB_DEVICE bool allows(const CsrView& mask, uint64_t i, uint64_t j) {
    uint64_t p = 0;
    return (find_entry<Select>(mask, i, j, p) && Select::holds(mask, p)) != complement;
  }
};

}  // namespace cugrb
