// CSR to ELLPACK storage and back. Blocks of 256 threads take 32 rows each, a lane a row, and their eight
// warps take the columns of positions in turn. What is written (or read) on the ELLPACK side is coalesced,
// and the entries of a row, which lie together on the CSR side, are asked for at about the same time.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/ell_layout.h"

namespace cugrb {

/// slice_widths[s] = the longest row of slice s, at most `threshold`. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void slice_widths(EllBuildArguments a) {
  const Offset* offsets = static_cast<const Offset*>(a.csr.offsets);
  const uint64_t i = global_thread();
  uint64_t width = 0;
  if (i < a.csr.rows) width = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]);
  if (width > a.threshold) width = a.threshold;
#pragma unroll
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const uint64_t other = shuffle_down(full_warp, width, delta);
    if (other > width) width = other;
  }
  if (lane_index() == 0 && i < a.csr.rows)
    static_cast<Offset*>(a.slice_widths)[i / ell_slice_rows] = Offset(width);
}

/// Writes all positions: the first entries of every row, then padding. Values move unless Element is void.
/// Grid: a block for 32 rows. A whole layout has positions for rows beyond the last one, too: they are
/// padding.
template <class Layout, class Offset, class Column, class Element>
CUGRB_KERNEL(256)
void ell_fill(EllBuildArguments a) {
  const Offset* offsets = static_cast<const Offset*>(a.csr.offsets);
  const uint64_t i = block_index() * ell_slice_rows + lane_index();
  const bool inside = i < a.csr.rows;
  const uint64_t begin = inside ? uint64_t(offsets[i]) : 0, end = inside ? uint64_t(offsets[i + 1]) : 0;
  const ell_row row = Layout::row(a.ell, i);
  for (uint64_t n = thread_index() / 32; n < row.width; n += 8) {
    const uint64_t q = row.first + n * row.stride, p = begin + n;
    const bool entry = p < end;
    static_cast<Column*>(a.columns)[q] =
        entry ? static_cast<const Column*>(a.csr.columns)[p] : ell_padding<Column>;
    if constexpr (!is_same<Element, void>) {
      static_cast<Element*>(a.values)[q] = entry ? static_cast<const Element*>(a.csr.values)[p] : Element();
    }
  }
}

/// lengths[i] = entries of row i. One thread a row; O(log(width)) loads, for entries come before padding.
template <class Layout, class Column, class Offset>
CUGRB_KERNEL(256)
void ell_row_lengths(EllBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.ell.rows) return;
  const ell_row row = Layout::row(a.ell, i);
  uint64_t low = 0, high = row.width;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (static_cast<const Column*>(a.columns)[row.first + middle * row.stride] == ell_padding<Column>) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  static_cast<Offset*>(a.lengths)[i] = Offset(low);
}

/// The way back: entry n of row i goes to csr.offsets[i] + n. Grid: a block for 32 rows.
template <class Layout, class Offset, class Column, class Element>
CUGRB_KERNEL(256)
void ell_compress(EllBuildArguments a) {
  const uint64_t i = block_index() * ell_slice_rows + lane_index();
  if (i >= a.ell.rows) return;
  const uint64_t begin = uint64_t(static_cast<const Offset*>(a.csr.offsets)[i]);
  const ell_row row = Layout::row(a.ell, i);
  for (uint64_t n = thread_index() / 32; n < row.width; n += 8) {
    const uint64_t q = row.first + n * row.stride;
    const Column column = static_cast<const Column*>(a.columns)[q];
    if (column == ell_padding<Column>) return;
    static_cast<Column*>(const_cast<void*>(a.csr.columns))[begin + n] = column;
    if constexpr (!is_same<Element, void>) {
      static_cast<Element*>(const_cast<void*>(a.csr.values))[begin + n] =
          static_cast<const Element*>(a.values)[q];
    }
  }
}

}  // namespace cugrb
