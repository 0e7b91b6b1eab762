// The Kronecker product: T(iA * rows(B) + iB, jA * columns(B) + jB) = op(A(iA,jA), B(iB,jB)).
//
// Row iA * rows(B) + iB holds the pairs of an entry of A's row iA and one of B's row iB, those of A's first
// entry first: its columns ascend as it is written. Its length and its offset follow from A's and B's offsets
// alone.
#pragma once
#include "cuda/kernels/mxm_operands.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/kronecker.h"

namespace cugrb {

/// offsets[r] = entries before row r: all of B for each entry of A before row iA; of row iA's own, one for
/// each entry of B before row iB. One thread for each of rows + 1.
template <class ARows, class BRows, class Offset>
CUGRB_KERNEL(256)
void kronecker_offsets(KroneckerArguments a) {
  const uint64_t r = global_thread(), rows = a.a.rows * a.b.rows;
  if (r > rows) return;
  if (r == rows) {
    static_cast<Offset*>(a.offsets)[r] = Offset(a.entries);
    return;
  }
  const uint64_t begin = row_begin<ARows>(a.a, r / a.b.rows), end = row_begin<ARows>(a.a, r / a.b.rows + 1);
  static_cast<Offset*>(a.offsets)[r] =
      Offset(begin * a.b.entries + (end - begin) * row_begin<BRows>(a.b, r % a.b.rows));
}

/// op of the entries p of A and q of B, which are at (ia, ja) and (ib, jb) as the operator sees them.
/// `k_of_second`: the operator's k is B's row, else A's column (semirings/positional_operators.def).
template <class Op, class ARows, class BRows, bool k_of_second>
CUGRB_DEVICE typename Op::z_type kronecker_value(const KroneckerArguments& a, uint64_t p, uint64_t q,
                                                 uint64_t ia, uint64_t ja, uint64_t ib, uint64_t jb) {
  return multiply<Op>(ARows::Values::template at<typename Op::x_type, false>(a.a.values, p),
                      BRows::Values::template at<typename Op::y_type, false>(a.b.values, q), ia,
                      k_of_second ? ib : ja, jb);
}

/// Columns and, unless `iso`, values. `flipped`: A, B and T are given by columns. Grid: one block for each
/// tile of entries of T.
template <class Op, class ARows, class BRows, class Offset, class Column, bool flipped, bool k_of_second,
          bool iso>
CUGRB_KERNEL(EntryTile::threads)
void kronecker_entries(KroneckerArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.entries);
  const Offset* const offsets = static_cast<const Offset*>(a.offsets);
  const tile_segments<Offset> rows = segments_of_tile(offsets, a.a.rows * a.b.rows, begin, end);
  for (uint64_t n = begin + thread_index(); n < end; n += EntryTile::threads) {
    const uint64_t r = rows.of_item(n), ia = r / a.b.rows, ib = r - ia * a.b.rows;
    const uint64_t first = row_begin<BRows>(a.b, ib), length = row_begin<BRows>(a.b, ib + 1) - first;
    const uint64_t pair = n - uint64_t(offsets[r]), turn = pair / length;
    const uint64_t p = row_begin<ARows>(a.a, ia) + turn, q = first + (pair - turn * length);
    const uint64_t ja = columns_of<ARows>(a.a)[p], jb = columns_of<BRows>(a.b)[q];
    static_cast<Column*>(a.columns)[n] = Column(ja * a.b.columns_count + jb);
    if constexpr (!iso) {
      static_cast<typename Op::z_type*>(a.values)[n] =
          flipped ? kronecker_value<Op, ARows, BRows, k_of_second>(a, p, q, ja, ia, jb, ib)
                  : kronecker_value<Op, ARows, BRows, k_of_second>(a, p, q, ia, ja, ib, jb);
    }
  }
}

}  // namespace cugrb
