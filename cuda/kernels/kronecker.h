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

/// A row of T as a thread goes through it, from pair to pair: no division an entry. Offset: of T, and so wide
/// enough for what is counted of A and of B, none of which has more entries.
template <class ARows, class BRows, class Offset>
struct kronecker_row {
  uint64_t ia, ib;
  Offset end = 0;                   ///< of T's entries
  Offset a_begin, b_begin, length;  ///< of the rows of A and of B
  Offset turn, rest;                ///< of the pair: entries of A's row and of B's row before it
  Offset turns, rests;              ///< of as many pairs as a warp has lanes

  CUGRB_DEVICE void enter(const KroneckerArguments& a, uint64_t r, Offset pair, Offset row_end) {
    ia = r / a.b.rows;
    ib = r - ia * a.b.rows;
    end = row_end;
    a_begin = Offset(row_begin<ARows>(a.a, ia));
    b_begin = Offset(row_begin<BRows>(a.b, ib));
    length = Offset(row_begin<BRows>(a.b, ib + 1)) - b_begin;
    turn = pair / length;
    rest = pair - turn * length;
    turns = Offset(warp_lanes) / length;
    rests = Offset(warp_lanes) - turns * length;
  }
  /// As many pairs further as a warp has lanes, in the same row.
  CUGRB_DEVICE void advance() {
    turn += turns;
    rest += rests;
    if (rest >= length) {
      rest -= length;
      ++turn;
    }
  }
};

/// Columns and, unless `iso`, values. `flipped`: A, B and T are given by columns. Grid: blocks that take
/// tiles of entries of T. (With no number of blocks ptxas aims at 32 registers, and spills some.)
template <class Op, class ARows, class BRows, class Offset, class Column, bool flipped, bool k_of_second,
          bool iso>
CUGRB_KERNEL_RESIDENT(EntryTile::threads, 4)
void kronecker_entries(KroneckerArguments a) {
  using Value = typename Op::z_type;
  const Offset* const offsets = static_cast<const Offset*>(a.offsets);
  // A warp takes entries that follow each other: its threads seldom come into another row.
  constexpr unsigned of_warp = EntryTile::moved_entries / EntryTile::threads * warp_lanes;
  const Column columns_of_b = Column(a.b.columns_count);
  for_moved_tiles(offsets, a.a.rows * a.b.rows, a.entries, segment_of_tile(), [&](const auto& tile) {
    const unsigned first = thread_index() / warp_lanes * of_warp + lane_index();
    kronecker_row<ARows, BRows, Offset> row;
    for (unsigned turn = 0; turn < of_warp; turn += moved_at_once * warp_lanes) {
      Column columns[moved_at_once];
      Value values[iso ? 1 : moved_at_once];
#pragma unroll
      for (unsigned k = 0; k < moved_at_once; ++k) {
        const unsigned m = first + turn + k * warp_lanes;
        if (m >= tile.count()) continue;
        const Offset n = Offset(tile.begin) + m;
        if (n < row.end) {
          row.advance();
        } else {
          const auto found = tile.of_item(m);
          const uint64_t segment = tile.first + found.known;
          row.enter(a, segment, Offset(n - Offset(found.start)), offsets[segment + 1]);
        }
        const Offset p = row.a_begin + row.turn, q = row.b_begin + row.rest;
        const uint64_t ja = columns_of<ARows>(a.a)[p], jb = columns_of<BRows>(a.b)[q];
        columns[k] = Column(ja) * columns_of_b + Column(jb);
        if constexpr (!iso) {
          values[k] = flipped
                          ? kronecker_value<Op, ARows, BRows, k_of_second>(a, p, q, ja, row.ia, jb, row.ib)
                          : kronecker_value<Op, ARows, BRows, k_of_second>(a, p, q, row.ia, ja, row.ib, jb);
        }
      }
#pragma unroll
      for (unsigned k = 0; k < moved_at_once; ++k) {
        const unsigned m = first + turn + k * warp_lanes;
        if (m >= tile.count()) continue;
        const uint64_t n = tile.begin + m;
        static_cast<Column*>(a.columns)[n] = columns[k];
        if constexpr (!iso) static_cast<Value*>(a.values)[n] = values[k];
      }
    }
  });
}

}  // namespace cugrb
