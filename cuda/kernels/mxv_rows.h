// Pull: T(i) from row i of a CSR matrix, by a group of 1, 2, 4, 8, 16 or 32 lanes a row, and by a block for
// long rows.
//
// A group that covers a row's mean length in a few steps keeps column loads coalesced and wastes few lanes.
// Rows much longer than that would hold a warp up (one row of an RMAT graph has 10^5 entries). So they are
// listed once a matrix and get a block each, ahead of the others in the same launch. The mask is asked before
// any entry is read, and a sum that no further term can change ends its row.
#pragma once
#include "cuda/kernels/counted.h"
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_operands.h"

namespace cugrb {

/// Gathers that a thread keeps in flight.
constexpr int mxv_unroll = 4;

/// Adds the terms of the entries from `begin` to `end` of row i, entry n at position place(n), to the sums of
/// the calling block's 256 threads; all of them must call with the same range.
template <class Product, class Place>
CUGRB_DEVICE void add_range_by_block(partial<typename Product::type>& sum, const MxvOperands& a, uint64_t i,
                                     const Place& place, typename Product::Offset begin,
                                     typename Product::Offset end) {
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  for (Offset base = begin; base < end; base += 256 * mxv_unroll) {
    add_terms<Product, mxv_unroll, true>(sum, a, i, place, base + thread_index(), end, 256);
    if constexpr (stops_early<Add>) {
      if (sync_block_or(is_final<Add>(sum))) break;
    }
  }
}

/// The sum over a block of 256 threads, in its first thread. Before the next call the block must pass a
/// barrier.
template <class Add, class T>
CUGRB_DEVICE partial<T> sum_over_block(partial<T> sum) {
  CUGRB_SHARED(partial<T>, warp_sums, 8);
  sum = sum_over_lanes<Add, 32>(full_warp, sum);
  if (lane_index() == 0) warp_sums[thread_index() / 32] = sum;
  sync_block();
  if (thread_index() == 0) {
    for (int w = 1; w < 8; ++w) add_partial<Add>(sum, warp_sums[w]);
  }
  return sum;
}

/// T(i) by the calling block of 256 threads; every thread must call with the same i, which the mask allows.
/// Whether the calling thread has stored an entry.
template <class Product, bool full_result>
CUGRB_DEVICE bool sum_row_by_block(const MxvOperands& a, uint64_t i) {
  using T = typename Product::type;
  using Offset = typename Product::Offset;
  const Offset begin = read_only(Product::offsets(a) + i), end = read_only(Product::offsets(a) + i + 1);
  partial<T> sum = no_terms<T>();
  add_range_by_block<Product>(sum, a, i, at_their_numbers(), begin, end);
  sum = sum_over_block<typename Product::Add>(sum);
  if (thread_index() != 0) return false;
  store_result<full_result>(a, i, sum);
  return sum.has;
}

/// Whether any lane of the calling group says so. `mask` names the group's lanes.
CUGRB_DEVICE bool any_of_group(unsigned lanes, unsigned mask, bool predicate) {
  return lanes == 1 ? predicate : any_lane(mask, predicate) != 0;
}

/// Adds the terms of the entries from `begin` to `end`, at least one, of row i to the sums of a group of
/// lanes; entry n lies at position place(n). `mask` names the group's lanes. `streaming`: for 8 lanes or more
/// (fewer come back to the same 32 bytes).
template <class Product, bool streaming, class Place>
CUGRB_DEVICE void add_range_by_lanes(partial<typename Product::type>& sum, const MxvOperands& a, uint64_t i,
                                     const Place& place, typename Product::Offset begin,
                                     typename Product::Offset end, unsigned lanes, unsigned mask) {
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  const unsigned lane = lane_index() % lanes;
  Offset base = begin;
  if constexpr (stops_at_once<Add>) {  // the first few terms mostly decide
    if (base < end) add_terms<Product, 1, streaming>(sum, a, i, place, base + lane, end, lanes);
    base += lanes;
    if (any_of_group(lanes, mask, is_final<Add>(sum))) base = end;
  }
  for (; base < end; base += lanes * mxv_unroll) {
    add_terms<Product, mxv_unroll, streaming>(sum, a, i, place, base + lane, end, lanes);
    if constexpr (stops_early<Add>) {
      if (any_of_group(lanes, mask, is_final<Add>(sum))) break;
    }
  }
}

/// The lanes of the calling thread's group.
CUGRB_DEVICE unsigned lanes_of_group(unsigned lanes) {
  return lanes == 32 ? full_warp : ((1u << (lanes % 32)) - 1u) << (lane_index() / lanes * lanes);
}

/// Blocks that a multiprocessor holds. Sums of eight bytes need registers for their gathers to be in flight
/// together, where few lanes have a row; whole warps hide a gather better by being many.
template <class Product, int lanes>
constexpr int rows_resident = sizeof(typename Product::type) >= 8 && lanes <= 16 ? 6 : 8;

/// Nothing happens at a position before its row's turn.
struct nothing_before {
  static constexpr bool any = false;
  CUGRB_DEVICE void visit(uint64_t) const {}
};

/// T(i) of a long row by the calling block. Whether the calling thread has stored an entry.
template <class Product, class Mask, bool full_result, class Before>
CUGRB_DEVICE bool long_row_by_block(const MxvOperands& a, uint64_t i, const Before& before) {
  if constexpr (Before::any) {
    if (thread_index() == 0) before.visit(i);
    sync_block();
  }
  if (Mask::allows(a.mask, i)) return sum_row_by_block<Product, full_result>(a, i);
  if constexpr (Before::any) {  // else its group stores that there is no entry
    if (thread_index() == 0) store_result<full_result>(a, i, no_terms<typename Product::type>());
  }
  return false;
}

/// T(i) for all rows, those of the calling thread's group or block; `before` is done at each position first,
/// by one thread. Whether the calling thread has stored an entry.
template <class Product, class Mask, bool full_result, int lanes, class Before>
CUGRB_DEVICE bool sum_rows(const MxvRowsArguments& args, const Before& before) {
  using Offset = typename Product::Offset;
  const MxvOperands& a = args.operands;
  if (block_index() < args.long_count)
    return long_row_by_block<Product, Mask, full_result>(a, args.long_rows[block_index()], before);
  const uint64_t i = (global_thread() - args.long_count * 256) / lanes;
  if (i >= a.matrix.rows) return false;
  const unsigned group_mask = lanes_of_group(lanes);
  if constexpr (Before::any) {
    if (args.long_count > 0 &&
        read_only(Product::offsets(a) + i + 1) - read_only(Product::offsets(a) + i) > args.longest_short)
      return false;  // a block has it
    if (lane_index() % lanes == 0) before.visit(i);
    if constexpr (lanes > 1) sync_warp(group_mask);
  }
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  if (Mask::allows(a.mask, i)) {
    const Offset begin = read_only(Product::offsets(a) + i), end = read_only(Product::offsets(a) + i + 1);
    if (args.long_count > 0 && end - begin > args.longest_short) return false;  // a block has it
    if (begin < end)
      add_range_by_lanes<Product, (lanes >= 8)>(sum, a, i, at_their_numbers(), begin, end, lanes, group_mask);
  }
  sum = sum_over_lanes<typename Product::Add, lanes>(group_mask, sum);
  if (lane_index() % lanes != 0) return false;
  store_result<full_result>(a, i, sum);
  return sum.has;
}

/// Grid: long_count blocks, then one group of `lanes` lanes for each row. Launched with 256 threads.
/// T(i) for all rows; O(entries of the rows that the mask allows).
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, (rows_resident<Product, lanes>))
void mxv_rows(MxvRowsArguments args) {
  wait_for_earlier_kernels();
  const bool stored = sum_rows<Product, Mask, full_result, lanes>(args, nothing_before());
  if constexpr (!full_result) count_stored(args.counted, stored);
}

/// Grid: one block a row. For matrices of few, long rows.
template <class Product, class Mask, bool full_result>
CUGRB_KERNEL(256)
void mxv_row_block(MxvRowsArguments args) {
  wait_for_earlier_kernels();
  const MxvOperands& a = args.operands;
  const uint64_t i = block_index();
  bool stored = false;
  if (Mask::allows(a.mask, i)) {
    stored = sum_row_by_block<Product, full_result>(a, i);
  } else if (thread_index() == 0) {
    store_result<full_result>(a, i, no_terms<typename Product::type>());
  }
  if constexpr (!full_result) count_stored(args.counted, stored);
}

}  // namespace cugrb
