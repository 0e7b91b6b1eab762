// Pull over rows that are sorted into bins by length: each bin's rows get as many lanes as suit their length,
// up to a block, and to several blocks, whose sums a second kernel adds in order. All bins share one launch;
// the longest rows come first. After T. Wu, B. Wang, Y. Shan, F. Yan, Y. Wang, N. Xu, "Efficient PageRank and
// SpMV computation on AMD GPUs", ICPP 2010, section V-B.
//
// A matrix type tells where a record's entries are:
//     static uint64_t row(const MxvBinsArguments&, uint64_t record);
//     static uint64_t size(const MxvBinsArguments&, uint64_t record);
//     visit_ranges(args, record, low, high, add): calls add(begin, end) for the entries low to high of the
//     row
#pragma once
#include "cuda/kernels/mxv_rows.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/row_bins.h"

namespace cugrb {

/// Rows of one bin, `lanes` lanes each.
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_DEVICE void sum_bin_by_lanes(const MxvBinsArguments& args, const BinSpan& span) {
  using Rows = typename Product::Matrix;
  using Offset = typename Product::Offset;
  const uint64_t r = (block_index() - span.first_block) * (256 / lanes) + thread_index() / lanes;
  if (r >= span.records) return;
  const MxvOperands& a = args.operands;
  const uint64_t record = span.first_record + r, i = Rows::row(args, record);
  const unsigned group_mask = lanes_of_group<lanes>();
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  if (Mask::allows(a.mask, i)) {
    Rows::visit_ranges(args, record, 0, Rows::size(args, record), [&](Offset begin, Offset end) {
      add_range_by_lanes<Product, lanes>(sum, a, i, begin, end, group_mask);
    });
  }
  sum = sum_over_lanes<typename Product::Add, lanes>(group_mask, sum);
  if (lane_index() % lanes == 0) store_result<full_result>(a, i, sum);
}

/// The sum of entries low to high of a record's row by the calling block, in its first thread.
template <class Product, class Mask>
CUGRB_DEVICE partial<typename Product::type> sum_record_by_block(const MxvBinsArguments& args,
                                                                 uint64_t record, uint64_t i, uint64_t low,
                                                                 uint64_t high) {
  using Offset = typename Product::Offset;
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  if (Mask::allows(args.operands.mask, i)) {
    Product::Matrix::visit_ranges(args, record, low, high, [&](Offset begin, Offset end) {
      add_range_by_block<Product>(sum, args.operands, i, begin, end);
    });
  }
  return sum_over_block<typename Product::Add>(sum);
}

/// A chunk of a row that several blocks sum.
template <class Product, class Mask>
CUGRB_DEVICE void sum_chunk(const MxvBinsArguments& args, const BinSpan& span) {
  using Rows = typename Product::Matrix;
  const uint64_t chunk = block_index() - span.first_block;
  const uint64_t r = last_start_at_most(args.chunk_starts, 0, span.records, chunk);
  const uint64_t record = span.first_record + r, size = Rows::size(args, record);
  const uint64_t low = (chunk - args.chunk_starts[r]) * args.chunk_entries;
  const uint64_t high = low + args.chunk_entries < size ? low + args.chunk_entries : size;
  const auto sum = sum_record_by_block<Product, Mask>(args, record, Rows::row(args, record), low, high);
  if (thread_index() == 0) {
    static_cast<typename Product::type*>(args.carry_values)[chunk] = sum.value;
    args.carry_has[chunk] = sum.has ? 1 : 0;
  }
}

/// Grid: the blocks of all spans, longest rows first. `fine`: there are bins of 2, 4 and 8 lanes. Spans
/// without records begin where the next one does, and are passed over.
template <class Product, class Mask, bool full_result, bool fine>
CUGRB_DEVICE void sum_bins(const MxvBinsArguments& args) {
  const uint64_t block = block_index();
  const BinSpan(&spans)[bin_classes] = args.spans;
  if (block >= spans[0].first_block) return sum_bin_by_lanes<Product, Mask, full_result, 1>(args, spans[0]);
  if constexpr (fine) {
    if (block >= spans[1].first_block) return sum_bin_by_lanes<Product, Mask, full_result, 2>(args, spans[1]);
    if (block >= spans[2].first_block) return sum_bin_by_lanes<Product, Mask, full_result, 4>(args, spans[2]);
    if (block >= spans[3].first_block) return sum_bin_by_lanes<Product, Mask, full_result, 8>(args, spans[3]);
  }
  if (block >= spans[4].first_block) return sum_bin_by_lanes<Product, Mask, full_result, 16>(args, spans[4]);
  if (block >= spans[5].first_block) return sum_bin_by_lanes<Product, Mask, full_result, 32>(args, spans[5]);
  if (block < spans[6].first_block) return sum_chunk<Product, Mask>(args, spans[7]);
  using Rows = typename Product::Matrix;
  const uint64_t record = spans[6].first_record + (block - spans[6].first_block), i = Rows::row(args, record);
  const auto sum = sum_record_by_block<Product, Mask>(args, record, i, 0, Rows::size(args, record));
  if (thread_index() == 0) store_result<full_result>(args.operands, i, sum);
}

/// T(i) of the rows that several blocks have summed. Grid: one warp a row.
template <class Product, bool full_result>
CUGRB_DEVICE void add_bin_carries(const MxvBinsArguments& args) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  const BinSpan& span = args.spans[bin_classes - 1];
  const uint64_t r = global_thread() / 32;
  if (r >= span.records) return;
  const uint64_t begin = args.chunk_starts[r], end = args.chunk_starts[r + 1];
  partial<T> sum = no_terms<T>();
  for (uint64_t n = begin + lane_index(); n < end; n += 32) {
    if (args.carry_has[n] != 0) add_term<Add>(sum, static_cast<const T*>(args.carry_values)[n]);
  }
  sum = sum_over_lanes<Add, 32>(full_warp, sum);
  if (lane_index() == 0) {
    store_result<full_result>(args.operands, Product::Matrix::row(args, span.first_record + r), sum);
  }
}

}  // namespace cugrb
