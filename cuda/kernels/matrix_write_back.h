// The one write-back of matrices: C<M, replace> accum= T, for a T that is there.
//
// The rule of cuda/kernels/write_back.h, for each position (i, j):
//     Z(i,j) = T(i,j), or C(i,j) accum T(i,j) where both have an entry  (with an accumulator: the one that
//     has, else) C(i,j) = Z(i,j) where the mask allows; elsewhere C(i,j), or nothing with replace
//
// The result's entries come from T's (those that the mask allows) and from C's (those that survive beside
// T's). Each entry decides for itself by binary searches in the row's other lists; two prefix sums over the
// decisions place it. An entry of T at column j follows the kept entries of T before it and those of C with
// smaller places. No row's length matters: O((|T| + |C|) log row) work, evenly spread.
#pragma once
#include "cuda/kernels/index_set.h"
#include "cuda/kernels/matrix_mask.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/matrix_write_back.h"

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
  static constexpr bool bounds_mask = false;
  static CUGRB_DEVICE bool contains(const MatrixWriteBackArguments&, uint64_t, uint64_t) { return true; }
};
/// Those in named rows and columns. `bounds_mask_`: mask and replace act on them alone (GxB_subassign), else
/// on all of C (GrB_assign).
template <class RowSet, class ColumnSet, bool bounds_mask_>
struct matrix_region {
  static constexpr bool bounds_mask = bounds_mask_;
  static CUGRB_DEVICE bool contains(const MatrixWriteBackArguments& a, uint64_t i, uint64_t j) {
    return RowSet::contains(a.region_rows, i) && ColumnSet::contains(a.region_columns, j);
  }
};

/// csr_rows of C and T; Old and T know their value types. `has_old`: C's old entries may matter.
template <class TRows, class TValue, class OldRows, class OldValue, class MaskType, class AccumulateType,
          bool replace_, class KeptType, class Region = matrix_region_none>
struct matrix_exit {
  using T = TRows;
  using Old = OldRows;
  using TType = TValue;
  using C = OldValue;
  using Mask = MaskType;
  using Accumulate = AccumulateType;
  using Kept = KeptType;
  static constexpr bool replace = replace_;

  static CUGRB_DEVICE bool keeps_t(const MatrixWriteBackArguments& a, uint64_t i, uint64_t j) {
    return Region::contains(a, i, j) && Mask::allows(a.mask, i, j);
  }
  /// As an entry of its own: where T has one too that is allowed, T's stands for both.
  static CUGRB_DEVICE bool keeps_old(const MatrixWriteBackArguments& a, uint64_t i, uint64_t j) {
    if (!Region::contains(a, i, j)) return Region::bounds_mask || !replace || Mask::allows(a.mask, i, j);
    if (!Mask::allows(a.mask, i, j)) return !replace;
    uint64_t p;
    return Accumulate::keeps_old && !find_entry<T>(a.t, i, j, p);
  }
  static CUGRB_DEVICE const Kept* t_kept(const MatrixWriteBackArguments& a) {
    return static_cast<const Kept*>(a.t_kept);
  }
  static CUGRB_DEVICE const Kept* old_kept(const MatrixWriteBackArguments& a) {
    return static_cast<const Kept*>(a.old_kept);
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

/// Which entries of T stay. Grid: a block of 256 for each tile of T's entries.
template <class Exit>
CUGRB_KERNEL(256)
void matrix_write_back_t_kept(MatrixWriteBackArguments a) {
  for_entries_of_tile<typename Exit::T>(a.t, [&](uint64_t p, uint64_t i, uint64_t j) {
    static_cast<typename Exit::Kept*>(a.t_kept)[p] = Exit::keeps_t(a, i, j) ? 1 : 0;
  });
}

/// Which entries of C stay. Grid: a block of 256 for each tile of C's entries.
template <class Exit>
CUGRB_KERNEL(256)
void matrix_write_back_old_kept(MatrixWriteBackArguments a) {
  for_entries_of_tile<typename Exit::Old>(a.old, [&](uint64_t p, uint64_t i, uint64_t j) {
    static_cast<typename Exit::Kept*>(a.old_kept)[p] = Exit::keeps_old(a, i, j) ? 1 : 0;
  });
}

/// offsets[i] = kept entries before row i. One thread for each of rows + 1.
template <class Exit, class NewOffset>
CUGRB_KERNEL(256)
void matrix_write_back_offsets(MatrixWriteBackArguments a) {
  const uint64_t i = global_thread();
  if (i > a.t.rows) return;
  static_cast<NewOffset*>(a.offsets)[i] =
      NewOffset(Exit::t_kept(a)[row_begin<typename Exit::T>(a.t, i)] +
                Exit::old_kept(a)[row_begin<typename Exit::Old>(a.old, i)]);
}

/// T's kept entries, joined with C's where both have one. Grid as in t_kept. `t_iso`, `old_iso`, `iso`: one
/// value for all, of T, C and the result; then none is written.
template <class Exit, class NewColumn, bool t_iso, bool old_iso, bool iso>
CUGRB_KERNEL(256)
void matrix_write_back_t(MatrixWriteBackArguments a) {
  using C = typename Exit::C;
  for_entries_of_tile<typename Exit::T>(a.t, [&](uint64_t p, uint64_t i, uint64_t j) {
    const auto before = Exit::t_kept(a)[p];
    if (Exit::t_kept(a)[p + 1] == before) return;
    uint64_t q = 0;
    const bool both = find_entry<typename Exit::Old>(a.old, i, j, q);
    const uint64_t place = uint64_t(before) + Exit::old_kept(a)[q];
    static_cast<NewColumn*>(a.columns)[place] = NewColumn(j);
    if constexpr (iso) return;
    const auto t = static_cast<const typename Exit::TType*>(a.t.values)[t_iso ? 0 : p];
    static_cast<C*>(a.values)[place] =
        both ? Exit::Accumulate::template combine<C>(static_cast<const C*>(a.old.values)[old_iso ? 0 : q], t)
             : cast<C>(t);
  });
}

/// C's kept entries. Grid as in old_kept.
template <class Exit, class NewColumn, bool old_iso, bool iso>
CUGRB_KERNEL(256)
void matrix_write_back_old(MatrixWriteBackArguments a) {
  using C = typename Exit::C;
  for_entries_of_tile<typename Exit::Old>(a.old, [&](uint64_t q, uint64_t i, uint64_t j) {
    const auto before = Exit::old_kept(a)[q];
    if (Exit::old_kept(a)[q + 1] == before) return;
    uint64_t p = 0;
    find_entry<typename Exit::T>(a.t, i, j, p);
    const uint64_t place = uint64_t(before) + Exit::t_kept(a)[p];
    static_cast<NewColumn*>(a.columns)[place] = NewColumn(j);
    if constexpr (!iso)
      static_cast<C*>(a.values)[place] = static_cast<const C*>(a.old.values)[old_iso ? 0 : q];
  });
}

}  // namespace cugrb
