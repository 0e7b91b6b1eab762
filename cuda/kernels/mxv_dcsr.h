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

/// Calls add(place, begin, end) for the entries low to high of row i, in order: two segments at a time. So a
/// row of two segments takes as many steps as one of one; the second one is only looked at where it is asked
/// for.
template <class Offset, class Add>
CUGRB_DEVICE void visit_segments(const MxvBinsArguments& args, uint64_t i, uint64_t low, uint64_t high,
                                 const Add& add) {
  uint64_t before = 0;  // entries that the earlier segments have room for
  for (uint64_t s = 0; s < args.slots && before < high; s += 2) {
    const Offset* segment = static_cast<const Offset*>(args.segments) + 2 * i + s * args.pitch;
    const Offset begin = read_only(segment);
    const uint64_t split = before + (read_only(segment + 1) - begin);
    in_two_segments<Offset> place{Offset(split), Offset(begin - Offset(before)), 0};
    uint64_t after = split;
    if (split < high && s + 1 < args.slots) {
      const Offset next = read_only(segment + args.pitch);
      after += read_only(segment + args.pitch + 1) - next;
      place.second = Offset(next - Offset(split));
    }
    const uint64_t from = low > before ? low : before, to = high < after ? high : after;
    if (from < to) add(place, Offset(from), Offset(to));
    before = after;
  }
}

/// The matrix types of a product over dynamic CSR; a record is a row.
template <class OffsetType, class ColumnType, class ValuesType>
struct dcsr_rows {
  using Offset = OffsetType;
  using Column = ColumnType;
  using Values = ValuesType;
  static CUGRB_DEVICE uint64_t row(const MxvBinsArguments&, uint64_t record) { return record; }
  static CUGRB_DEVICE uint64_t size(const MxvBinsArguments& args, uint64_t record) {
    return uint64_t(read_only(static_cast<const Offset*>(args.sizes) + record));
  }
  template <class Add>
  static CUGRB_DEVICE void visit_ranges(const MxvBinsArguments& args, uint64_t record, uint64_t low,
                                        uint64_t high, const Add& add) {
    visit_segments<Offset>(args, record, low, high, add);
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
