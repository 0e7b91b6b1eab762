// Where the items of a merge (matrix_merge.h) lie in both matrices: a search over rows, and one over the
// columns of a row (merge path: O. Green, R. McColl, D. Bader, ICS 2012).
#pragma once
#include "cuda/kernels/mxm_operands.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/matrix_merge.h"

namespace cugrb {

/// Where an item lies: behind `row` ended rows, `p` entries of the first matrix and `q` of the second.
/// `edges`: bits for the row that goes on there with the second's entry q, and for an entry p - 1 at its
/// place.
struct merge_place {
  static constexpr uint64_t goes_on = 1, meets = 2;
  static constexpr unsigned words = MergeTile::place_words;
  uint64_t row, p, q, edges;

  CUGRB_DEVICE void store(uint64_t* to) const { to[0] = row, to[1] = p, to[2] = q, to[3] = edges; }
  static CUGRB_DEVICE merge_place load(const uint64_t* from) { return {from[0], from[1], from[2], from[3]}; }
};

template <class Merge>
CUGRB_DEVICE uint64_t second_begin(const MatrixMergeArguments& a, uint64_t row) {
  if constexpr (Merge::has_second) return row_begin<typename Merge::Second>(a.second, row);
  return 0;
}
/// Items before the row.
template <class Merge>
CUGRB_DEVICE uint64_t items_before(const MatrixMergeArguments& a, uint64_t row) {
  return row_begin<typename Merge::First>(a.first, row) + second_begin<Merge>(a, row) + row;
}

/// Of the first `rest` entries of a row, merged, those of the first matrix, which goes first where columns
/// are equal.
template <class Count, class FirstColumn, class SecondColumn>
CUGRB_DEVICE Count merged_of_first(const FirstColumn* first, Count firsts, const SecondColumn* second,
                                   Count seconds, Count rest) {
  Count low = rest > seconds ? rest - seconds : 0, high = rest < firsts ? rest : firsts;
  while (low < high) {
    const Count middle = (low + high) / 2;
    if (uint64_t(first[middle]) <= uint64_t(second[rest - 1 - middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The place of an item, found by a warp.
template <class Merge>
CUGRB_DEVICE merge_place place_of_item(const MatrixMergeArguments& a, uint64_t item) {
  using First = typename Merge::First;
  const uint64_t low =
      last_by_warp(0, a.first.rows + 1, [&](uint64_t row) { return items_before<Merge>(a, row) <= item; });
  if (low == a.first.rows) return {low, a.first.entries, Merge::has_second ? a.second.entries : 0, 0};
  const uint64_t p = row_begin<First>(a.first, low), q = second_begin<Merge>(a, low);
  const uint64_t rest = item - (p + q + low);
  if constexpr (!Merge::has_second) {
    return {low, p + rest, 0, 0};
  } else {
    const uint64_t firsts = row_begin<First>(a.first, low + 1) - p,
                   seconds = second_begin<Merge>(a, low + 1) - q;
    const auto* const first = columns_of<First>(a.first) + p;
    const auto* const second = columns_of<typename Merge::Second>(a.second) + q;
    const uint64_t of_first = merged_of_first(first, firsts, second, seconds, rest);
    const uint64_t of_second = rest - of_first;
    const bool goes_on = of_second < seconds;
    const bool meets =
        goes_on && of_first > 0 && uint64_t(first[of_first - 1]) == uint64_t(second[of_second]);
    return {low, p + of_first, q + of_second,
            (goes_on ? merge_place::goes_on : 0) | (meets ? merge_place::meets : 0)};
  }
}

}  // namespace cugrb
