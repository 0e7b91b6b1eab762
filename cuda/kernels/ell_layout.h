// Where the entries of a row lie in ELLPACK storage (cuda/views/ell.h).
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/ell.h"

namespace cugrb {

/// Entry n of the row is at first + n * stride, for n < width. (No memory holds a slice of 2^32 columns.)
struct ell_row {
  uint64_t first, stride;
  uint32_t width;
};

struct ell_whole {
  static CUGRB_DEVICE ell_row row(const EllView& ell, uint64_t i) {
    return {i, ell.pitch, uint32_t(ell.width)};
  }
};

template <class Offset>
struct ell_sliced {
  static CUGRB_DEVICE ell_row row(const EllView& ell, uint64_t i) {
    const Offset* offsets = static_cast<const Offset*>(ell.slice_offsets) + i / ell_slice_rows;
    const uint64_t begin = uint64_t(read_only(offsets)), end = uint64_t(read_only(offsets + 1));
    return {begin * ell_slice_rows + i % ell_slice_rows, ell_slice_rows, uint32_t(end - begin)};
  }
};

/// The column of a position that holds no entry. Matrices have fewer columns than that.
template <class Column>
constexpr Column ell_padding = Column(~Column(0));

}  // namespace cugrb
