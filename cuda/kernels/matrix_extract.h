// Rows of a matrix by a list of them, in any order and as often as they are listed. Columns stay as they are,
// or those of an ascending list are taken. And one column, searched for in every row.
#pragma once
#include "cuda/kernels/index_set.h"
#include "cuda/kernels/matrix_merge.h"
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/matrix_extract.h"

namespace cugrb {

/// offsets[k] = length of row list[k]: a sum makes offsets of them. One thread a listed row.
template <class Rows>
CUGRB_KERNEL(256)
void matrix_extract_lengths(MatrixExtractArguments a) {
  const uint64_t k = global_thread();
  if (k >= a.listed) return;
  const uint64_t row = a.list[k];
  static_cast<uint64_t*>(a.offsets)[k] = row_begin<Rows>(a.from, row + 1) - row_begin<Rows>(a.from, row);
}

/// How far behind the result's entries of a row those that they are copied from are.
template <class Rows>
struct listed_row_distance {
  CsrView from;
  const uint64_t* list;
  using Distance = typename Rows::Offset;
  CUGRB_DEVICE Distance operator()(uint64_t row, uint64_t start, uint64_t) const {
    return Distance(row_begin<Rows>(from, list[row]) - start);
  }
};

/// Columns and, unless `Element` is void, values of the listed rows, one after another. Grid: blocks that
/// take tiles of entries of the result.
template <class Rows, class Offset, class Element>
CUGRB_KERNEL_RESIDENT(EntryTile::threads, 6)
void matrix_extract_entries(MatrixExtractArguments a) {
  using Distance = typename listed_row_distance<Rows>::Distance;
  for_moved_tiles(static_cast<const Offset*>(a.offsets), a.listed, a.entries,
                  listed_row_distance<Rows>{a.from, a.list}, [&](const auto& tile) {
                    typename Rows::Column columns[moved_at_once];
                    element_under_way<Element> values[moved_at_once];
                    move_entries(
                        tile,
                        [&](unsigned k, unsigned n) {
                          const uint64_t p = Distance(Distance(tile.begin) + n + tile.of_item(n).known);
                          columns[k] = columns_of<Rows>(a.from)[p];
                          values[k].load(a.from.values, p);
                        },
                        [&](unsigned k, unsigned n) {
                          static_cast<typename Rows::Column*>(a.columns)[tile.begin + n] = columns[k];
                          values[k].store(a.values, tile.begin + n);
                        });
                  });
}

/// present[i] and, unless `Element` is void, values[i]: the entry at (row, column).
template <class Rows, class Element>
CUGRB_DEVICE void extract_entry(const MatrixLineArguments& a, uint64_t i, uint64_t row, uint64_t column) {
  uint64_t p = 0;
  const bool found = find_entry<Rows>(a.from, row, column, p);
  a.present[i] = found;
  if (found) move_element<Element>(a.values, i, a.from.values, p);
}

/// The entry of row i in the column. A thread a row.
template <class Rows, class Element>
CUGRB_KERNEL(256)
void matrix_extract_column(MatrixLineArguments a) {
  const uint64_t i = global_thread();
  if (i < a.length) extract_entry<Rows, Element>(a, i, i, a.column);
}

/// The entry at (row + i, column + i). A thread a position.
template <class Rows, class Element>
CUGRB_KERNEL(256)
void matrix_extract_diagonal(MatrixLineArguments a) {
  const uint64_t i = global_thread();
  if (i < a.length) extract_entry<Rows, Element>(a, i, a.row + i, a.column + i);
}

/// The entries in listed columns (a.region_columns), which ascend and are counted anew.
template <class Rows, class ColumnSet, class Element>
struct matrix_listed_columns : merge_of_one_matrix<Rows, Element> {
  static constexpr bool keeps_by_entry = true, searches = ColumnSet::searches;
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    return ColumnSet::contains(a.region_columns, at.column);
  }
  static CUGRB_DEVICE uint64_t new_column(const MatrixMergeArguments& a, uint64_t j) {
    return ColumnSet::place(a.region_columns, j);
  }
};

}  // namespace cugrb
