// Dynamic CSR in products. Pull: a group of lanes a row, two segments at a time. After "Efficient SpMM using
// Dynamic-CSR on GPUs", section 3.1.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_bins.h"
#include "cuda/views/dcsr.h"

namespace cugrb {

/// Where entry n of a row lies, for those in two segments one after the other.
template <class Offset>
struct in_two_segments {
  Offset split;          ///< entries from there on lie in the second one
  Offset first, second;  ///< positions of entry 0, if the segment went back so far
  CUGRB_DEVICE Offset operator()(Offset n) const { return Offset(n + (n < split ? first : second)); }
};

/// Segments s and s + 1 of row i; empty where the row cannot have so many.
template <class Offset>
struct two_segments {
  Offset begins[2], ends[2];
  CUGRB_DEVICE two_segments(const MxvBinsArguments& args, uint64_t i, uint64_t s) {
    const Offset* const segment = static_cast<const Offset*>(args.segments) + 2 * i + s * args.pitch;
    begins[0] = read_only(segment), ends[0] = read_only(segment + 1);
    const bool has_second = s + 1 < args.slots;
    begins[1] = has_second ? read_only(segment + args.pitch) : 0;
    ends[1] = has_second ? read_only(segment + args.pitch + 1) : 0;
  }
};

/// A row's size and its first two segments: read at once, because each of these loads would wait for the one
/// before.
template <class Offset>
struct row_segments {
  uint64_t row, size;
  two_segments<Offset> first;
  CUGRB_DEVICE row_segments(const MxvBinsArguments& args, uint64_t i)
      : row(i), size(read_only(static_cast<const Offset*>(args.sizes) + i)), first(args, i, 0) {}

  /// Calls add(place, begin, end) for the entries low to high, in order: two segments at a time. So a row of
  /// two segments takes as many steps as one of one.
  template <class Add>
  CUGRB_DEVICE void visit(const MxvBinsArguments& args, uint64_t low, uint64_t high, const Add& add) const {
    two_segments<Offset> pair = first;
    uint64_t before = 0;  // entries that the earlier segments have room for
    for (uint64_t s = 0;;) {
      const uint64_t split = before + uint64_t(pair.ends[0] - pair.begins[0]);
      const uint64_t after = split + uint64_t(pair.ends[1] - pair.begins[1]);
      const in_two_segments<Offset> place{Offset(split), Offset(pair.begins[0] - Offset(before)),
                                          Offset(pair.begins[1] - Offset(split))};
      const uint64_t from = low > before ? low : before, to = high < after ? high : after;
      if (from < to) add(place, Offset(from), Offset(to));
      before = after;
      s += 2;
      if (s >= args.slots || before >= high) break;
      pair = two_segments<Offset>(args, row, s);
    }
  }
};

/// The matrix types of a product over dynamic CSR; a record is a row.
template <class OffsetType, class ColumnType, class ValuesType>
struct dcsr_rows {
  using Offset = OffsetType;
  using Column = ColumnType;
  using Values = ValuesType;
  static CUGRB_DEVICE uint64_t row(const MxvBinsArguments&, uint64_t record) { return record; }
  static CUGRB_DEVICE row_segments<Offset> find(const MxvBinsArguments& args, uint64_t, uint64_t i) {
    return {args, i};
  }
  /// As csr_rows has them.
  template <class Arguments>
  static CUGRB_DEVICE Offset length(const Arguments& args, uint64_t i) {
    return static_cast<const Offset*>(args.sizes)[i];
  }
  template <class Arguments>
  static CUGRB_DEVICE uint64_t position(const Arguments& args, uint64_t i, uint64_t n) {
    const Offset* segment = static_cast<const Offset*>(args.segments) + 2 * i;
    uint64_t capacity = uint64_t(segment[1]) - uint64_t(segment[0]);
    for (uint64_t s = 1; n >= capacity && s < args.slots; ++s) {
      n -= capacity;
      segment += args.pitch;
      capacity = uint64_t(segment[1]) - uint64_t(segment[0]);
    }
    return uint64_t(segment[0]) + n;
  }
};

/// Grid: `lanes` lanes for each row, all in one span. (A template argument: read from the arguments they cost
/// 28 % on an H200. Registers for the gathers of several entries: with those of full occupancy the compiler
/// loads one entry after the other.)
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, 6)
void mxv_dcsr(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  sum_bin_by_lanes<Product, Mask, full_result, (lanes >= 8)>(args, args.spans[0], lanes);
}

/// The same with blocks for the long rows, which come first.
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, 6)
void mxv_dcsr_long(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  if (block_index() < args.long_blocks) return sum_long_rows<Product, Mask, full_result>(args);
  sum_bin_by_lanes<Product, Mask, full_result, (lanes >= 8)>(args, args.spans[0], lanes);
}

}  // namespace cugrb
