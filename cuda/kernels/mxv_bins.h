// Pull over rows that are sorted into bins by length: each bin's rows get as many lanes as suit their length,
// up to a block, and to several blocks, whose sums a second kernel adds in order. All bins share one launch;
// the longest rows come first. After T. Wu, B. Wang, Y. Shan, F. Yan, Y. Wang, N. Xu, "Efficient PageRank and
// SpMV computation on AMD GPUs", ICPP 2010, section V-B.
//
// A matrix type tells where a record's entries are:
//     static uint64_t row(const MxvBinsArguments&, uint64_t record);
//     find(args, record, row): what tells where the row's entries lie, all of its loads under way together.
//     Its size, and visit(args, low, high, add): calls add(place, begin, end) for the entries low to high of
//     the row, in order; entry n of [begin, end) lies at position place(n)
#pragma once
#include "cuda/kernels/mxv_rows.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/row_bins.h"

namespace cugrb {

/// Rows of one bin, `lanes` lanes each: 8 or more when `streaming`. (No template argument: where one kernel
/// has all bins six copies of the row's loop took the compiler 0.4 s. Measured on an H200: mxv_adcsr is 1 to
/// 5 % slower with two copies; mxv_binned_csr, which has three bins of lanes, was 2 to 20 % slower and keeps
/// its three.)
template <class Product, class Mask, bool full_result, bool streaming>
CUGRB_DEVICE void sum_bin_by_lanes(const MxvBinsArguments& args, const BinSpan& span, unsigned lanes) {
  using Rows = typename Product::Matrix;
  using Offset = typename Product::Offset;
  const uint64_t r = (block_index() - span.first_block) * (256 / lanes) + thread_index() / lanes;
  if (r >= span.records) return;
  const MxvOperands& a = args.operands;
  const uint64_t record = span.first_record + r, i = Rows::row(args, record);
  const unsigned group_mask = lanes_of_group(lanes);
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  if (Mask::allows(a.mask, i)) {
    const auto found = Rows::find(args, record, i);
    if (args.long_rows != nullptr && found.size > args.longest_by_lane * lanes) return;  // blocks have it
    found.visit(args, 0, found.size, [&](const auto& place, Offset begin, Offset end) {
      add_range_by_lanes<Product, streaming>(sum, a, i, place, begin, end, lanes, group_mask);
    });
  }
  for (unsigned delta = lanes / 2; delta > 0; delta /= 2) {
    add_other_lane<typename Product::Add>(group_mask, sum, delta, int(lanes));
  }
  if (lane_index() % lanes == 0) store_result<full_result>(a, i, sum);
}

/// The listed long rows, which the first blocks take in turn: the host does not know how many there are.
template <class Product, class Mask, bool full_result>
CUGRB_DEVICE void sum_long_rows(const MxvBinsArguments& args) {
  using Rows = typename Product::Matrix;
  using Offset = typename Product::Offset;
  const uint64_t count = args.long_rows[0];
  for (uint64_t r = block_index(); r < count; r += args.long_blocks) {
    const uint64_t record = args.long_rows[1 + r], i = Rows::row(args, record);
    if (!Mask::allows(args.operands.mask, i)) continue;  // its lanes store "no entry"
    partial<typename Product::type> sum = no_terms<typename Product::type>();
    const auto found = Rows::find(args, record, i);
    found.visit(args, 0, found.size, [&](const auto& place, Offset begin, Offset end) {
      add_range_by_block<Product>(sum, args.operands, i, place, begin, end);
    });
    sum = sum_over_block<typename Product::Add>(sum);
    if (thread_index() == 0) store_result<full_result>(args.operands, i, sum);
    sync_block();
  }
}

/// The longest rows, one block each, and before them the chunks of rows that several blocks sum.
template <class Product, class Mask, bool full_result>
CUGRB_DEVICE void sum_bin_by_block(const MxvBinsArguments& args, const BinSpan& whole,
                                   const BinSpan& chunked) {
  using Rows = typename Product::Matrix;
  using Offset = typename Product::Offset;
  using T = typename Product::type;
  const bool is_chunk = block_index() < whole.first_block;
  const uint64_t chunk = block_index() - chunked.first_block;  // of a chunk
  uint64_t record = whole.first_record + (block_index() - whole.first_block), low = 0;
  uint64_t high = ~uint64_t(0);
  if (is_chunk) {
    const uint64_t r = last_start_at_most(args.chunk_starts, 0, chunked.records, chunk);
    record = chunked.first_record + r;
    low = (chunk - args.chunk_starts[r]) * args.chunk_entries;
    // The last chunk has what the row has got since the chunks were cut.
    if (chunk + 1 < args.chunk_starts[r + 1]) high = low + args.chunk_entries;
  }
  const uint64_t i = Rows::row(args, record);
  const auto found = Rows::find(args, record, i);
  if (high > found.size) high = found.size;
  partial<T> sum = no_terms<T>();
  if (Mask::allows(args.operands.mask, i)) {
    found.visit(args, low, high, [&](const auto& place, Offset begin, Offset end) {
      add_range_by_block<Product>(sum, args.operands, i, place, begin, end);
    });
  }
  sum = sum_over_block<typename Product::Add>(sum);
  if (thread_index() != 0) return;
  if (is_chunk) {
    static_cast<T*>(args.carry_values)[chunk] = sum.value;
    args.carry_has[chunk] = sum.has ? 1 : 0;
  } else {
    store_result<full_result>(args.operands, i, sum);
  }
}

/// Grid: the blocks of all spans, longest rows first: bin n has 2^n lanes for each row. Spans without records
/// begin where the next one does, and are passed over. `fine`: there are bins of 2, 4 and 8 lanes.
template <class Product, class Mask, bool full_result, bool fine>
CUGRB_DEVICE void sum_bins(const MxvBinsArguments& args) {
  const uint64_t block = block_index();
  const BinSpan(&spans)[bin_classes] = args.spans;
  if (block < spans[5].first_block) {
    return sum_bin_by_block<Product, Mask, full_result>(args, spans[6], spans[7]);
  }
  if constexpr (!fine) {
    if (block >= spans[0].first_block)
      return sum_bin_by_lanes<Product, Mask, full_result, false>(args, spans[0], 1);
    if (block >= spans[4].first_block)
      return sum_bin_by_lanes<Product, Mask, full_result, true>(args, spans[4], 16);
    return sum_bin_by_lanes<Product, Mask, full_result, true>(args, spans[5], 32);
  }
  if (block < spans[2].first_block) {
    const unsigned bin = block < spans[4].first_block ? 5 : block < spans[3].first_block ? 4 : 3;
    const BinSpan& span = bin == 5 ? spans[5] : bin == 4 ? spans[4] : spans[3];
    return sum_bin_by_lanes<Product, Mask, full_result, true>(args, span, 1u << bin);
  }
  const unsigned bin = block < spans[1].first_block ? 2 : block < spans[0].first_block ? 1 : 0;
  const BinSpan& span = bin == 2 ? spans[2] : bin == 1 ? spans[1] : spans[0];
  sum_bin_by_lanes<Product, Mask, full_result, false>(args, span, 1u << bin);
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
