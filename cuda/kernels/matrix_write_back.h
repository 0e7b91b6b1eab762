// The one write-back of matrices: C<M, replace> accum= T, for a T that is there.
//
// The rule of cuda/kernels/write_back.h, for each position (i, j):
//     Z(i,j) = T(i,j), or C(i,j) accum T(i,j) where both have an entry  (with an accumulator: the one that
//     has, else) C(i,j) = Z(i,j) where the mask allows; elsewhere C(i,j), or nothing with replace
//
// The result's entries come from T's (those that the mask allows) and from C's (those that survive beside
// T's): both are merged (matrix_merge.h). O(|T| + |C| + rows) work, and a search in the mask's row an entry.
#pragma once
#include "cuda/kernels/index_set.h"
#include "cuda/kernels/matrix_merge.h"
#include "cuda/kernels/segments.h"
#include "semirings/device/semirings.h"

namespace cugrb {

// ---- Z where C and T both have an entry

struct matrix_no_accumulate {
  static constexpr bool keeps_old = false;
  template <class C, class T>
  static CUGRB_DEVICE C combine(const C&, const T& t) {
    return cast<C>(t);
  }
};
/// op(C(i,j), T(i,j)), typecast to C's type.
template <class Op>
struct matrix_accumulate {
  static constexpr bool keeps_old = true;
  template <class C, class T>
  static CUGRB_DEVICE C combine(const C& c, const T& t) {
    return cast<C>(Op::apply(cast<typename Op::x_type>(c), cast<typename Op::y_type>(t)));
  }
};

// ---- which positions of C are assigned to: T stands for no other, and Z is C there

/// All of them.
struct matrix_region_none {
  static constexpr bool bounds_mask = false, searches = false, asks_memory = false;
  static CUGRB_DEVICE bool contains(const MatrixMergeArguments&, uint64_t, uint64_t) { return true; }
  static CUGRB_DEVICE bool lacks_rows(const MatrixMergeArguments&, uint64_t, uint64_t) { return false; }
};
/// Those in named rows and columns. `bounds_mask_`: mask and replace act on them alone (GxB_subassign), else
/// on all of C (GrB_assign).
template <class RowSet, class ColumnSet, bool bounds_mask_>
struct matrix_region {
  static constexpr bool bounds_mask = bounds_mask_, searches = RowSet::searches || ColumnSet::searches,
                        asks_memory = RowSet::asks_memory || ColumnSet::asks_memory;
  static CUGRB_DEVICE bool contains(const MatrixMergeArguments& a, uint64_t i, uint64_t j) {
    return RowSet::contains(a.region_rows, i) && ColumnSet::contains(a.region_columns, j);
  }
  /// Whether it has none of the rows from i to k, where that is quickly told.
  static CUGRB_DEVICE bool lacks_rows(const MatrixMergeArguments& a, uint64_t i, uint64_t k) {
    return RowSet::lacks(a.region_rows, i, k);
  }
};

/// T (the first) is merged with C's old entries. csr_rows of both without values, and their types; `t_iso`,
/// `old_iso`: one value for all.
template <class TRows, class TValue, bool t_iso, class OldRows, class OldValue, bool old_iso, class Mask,
          class Accumulate, bool replace, class Region = matrix_region_none>
struct matrix_exit : merge_of_same_columns {
  using First = TRows;
  using Second = OldRows;
  using Value = OldValue;
  using FirstValue = TValue;
  using SecondValue = OldValue;
  static constexpr bool reads_places = false;
  static constexpr bool combines = Accumulate::keeps_old;
  static constexpr bool searches = !is_same<Mask, matrix_mask_none> || Region::searches,
                        asks_memory = searches || Region::asks_memory;
  static constexpr bool keeps_by_entry = !searches && is_same<Region, matrix_region_none>;
  /// Whether old entries may matter.
  static constexpr bool has_second =
      Accumulate::keeps_old || !replace || !is_same<Region, matrix_region_none>;

  using StagedFirst = choose<searches || t_iso, void, staged_type<TValue>>;
  using StagedSecond = choose<searches || old_iso, void, staged_type<OldValue>>;

  /// The mask is asked once, for T's entries and for C's. Where T has an entry that is allowed, it stands for
  /// C's, too.
  static CUGRB_DEVICE bool keeps(const MatrixMergeArguments& a, const merge_entry& at) {
    constexpr bool keeps_outside = Region::bounds_mask || !replace;
    const bool inside = Region::contains(a, at.row, at.column),
               asks = inside || (!at.of_first && !keeps_outside);
    const bool allowed = asks && Mask::allows(a.mask, at.row, at.column);
    if (at.of_first) return inside && allowed;
    if (!inside) return keeps_outside || allowed;
    return allowed ? Accumulate::keeps_old && !at.both : !replace;
  }
  static CUGRB_DEVICE bool passes_seconds(const MatrixMergeArguments& a, uint64_t i, uint64_t k) {
    constexpr bool no_mask = is_same<Mask, matrix_mask_none>;
    if (is_same<Region, matrix_region_none>) return no_mask && Accumulate::keeps_old;
    return (Region::bounds_mask || !replace || no_mask) && Region::lacks_rows(a, i, k);
  }
  static CUGRB_DEVICE const void* first_values(const MatrixMergeArguments& a, uint64_t p) {
    return static_cast<const TValue*>(a.first.values) + (t_iso ? 0 : p);
  }
  static CUGRB_DEVICE const void* second_values(const MatrixMergeArguments& a, uint64_t q) {
    return static_cast<const OldValue*>(a.second.values) + (old_iso ? 0 : q);
  }
  static CUGRB_DEVICE TValue load_first(const void* values, unsigned n) {
    return static_cast<const TValue*>(values)[t_iso ? 0 : n];
  }
  static CUGRB_DEVICE OldValue load_second(const void* values, unsigned n) {
    return static_cast<const OldValue*>(values)[old_iso ? 0 : n];
  }
  static CUGRB_DEVICE OldValue value(const MatrixMergeArguments&, const merge_entry& at, const TValue& t,
                                     const OldValue& old) {
    if (!at.of_first) return old;
    return at.both ? Accumulate::template combine<OldValue>(old, t) : cast<OldValue>(t);
  }
};

/// Calls on_entry(p, row, column) for the block's tile of a matrix's entries.
template <class Rows, class OnEntry>
CUGRB_DEVICE void for_entries_of_tile(const CsrView& matrix, OnEntry on_entry) {
  const uint64_t begin = tile_begin(), end = tile_end(matrix.entries);
  const auto segments =
      segments_of_tile(static_cast<const typename Rows::Offset*>(matrix.offsets), matrix.rows, begin, end);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    on_entry(p, segments.of_item(p), uint64_t(columns_of<Rows>(matrix)[p]));
  }
}

/// The same for all tiles that fall to the block, where that is little work (EntryTile::moved_entries).
template <class Rows, class OnEntry>
CUGRB_DEVICE void for_moved_entries(const CsrView& matrix, OnEntry on_entry) {
  for_moved_tiles(
      static_cast<const typename Rows::Offset*>(matrix.offsets), matrix.rows, matrix.entries,
      segment_of_tile(), [&](const auto& tile) {
        typename Rows::Column columns[moved_at_once];
        move_entries(
            tile, [&](unsigned k, unsigned n) { columns[k] = columns_of<Rows>(matrix)[tile.begin + n]; },
            [&](unsigned k, unsigned n) {
              on_entry(tile.begin + n, tile.first + tile.of_item(n).known, uint64_t(columns[k]));
            });
      });
}

}  // namespace cugrb
