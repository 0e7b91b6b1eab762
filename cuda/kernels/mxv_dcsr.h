// Dynamic CSR in products. Pull: a group of lanes a row, segment after segment. After "Efficient SpMM using
// Dynamic-CSR on GPUs", section 3.1.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_bins.h"
#include "cuda/views/dcsr.h"

namespace cugrb {

/// Calls add(begin, end) for the positions of the entries low to high of row i, in order.
template <class Offset, class Add>
CUGRB_DEVICE void visit_segments(const MxvBinsArguments& args, uint64_t i, uint64_t low, uint64_t high,
                                 const Add& add) {
  uint64_t before = 0;  // entries that the earlier segments have room for
  for (uint64_t s = 0; s < args.slots && before < high; ++s) {
    const Offset* segment = static_cast<const Offset*>(args.segments) + 2 * i + s * args.pitch;
    const Offset begin = read_only(segment), capacity = read_only(segment + 1) - begin;
    const uint64_t from = low > before ? low - before : 0;
    const uint64_t to = high - before < capacity ? high - before : capacity;
    if (from < to) add(begin + Offset(from), begin + Offset(to));
    before += capacity;
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

/// Grid: `lanes` lanes for each row, all in one span. (Registers for the gathers of several entries: with
/// those of full occupancy the compiler loads one entry after the other.)
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, 6)
void mxv_dcsr(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  sum_bin_by_lanes<Product, Mask, full_result, (lanes >= 8)>(args, args.spans[0], lanes);
}

/// The listed long rows, which blocks of spans[6] take in turn: the host does not know how many there are.
template <class Product, class Mask, bool full_result>
CUGRB_DEVICE void sum_long_rows(const MxvBinsArguments& args) {
  using Rows = typename Product::Matrix;
  using Offset = typename Product::Offset;
  const uint64_t count = args.long_rows[0];
  for (uint64_t r = block_index(); r < count; r += args.spans[6].records) {
    const uint64_t i = args.long_rows[1 + r];
    partial<typename Product::type> sum = no_terms<typename Product::type>();
    if (Mask::allows(args.operands.mask, i)) {
      Rows::visit_ranges(args, i, 0, Rows::size(args, i), [&](Offset begin, Offset end) {
        add_range_by_block<Product>(sum, args.operands, i, begin, end);
      });
    }
    sum = sum_over_block<typename Product::Add>(sum);
    if (thread_index() == 0) store_result<full_result>(args.operands, i, sum);
    sync_block();
  }
}

/// The same with blocks for the long rows, which come first.
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, 6)
void mxv_dcsr_long(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  const BinSpan& span = args.spans[0];
  if (block_index() < span.first_block) return sum_long_rows<Product, Mask, full_result>(args);
  const uint64_t i = (block_index() - span.first_block) * (256 / lanes) + thread_index() / lanes;
  if (i < span.records && Product::Matrix::size(args, i) > args.longest_short) return;
  sum_bin_by_lanes<Product, Mask, full_result, (lanes >= 8)>(args, span, lanes);
}

}  // namespace cugrb
