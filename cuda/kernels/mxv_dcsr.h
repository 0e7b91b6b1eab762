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

/// A segment of a row.
template <class Offset>
struct row_segment {
  Offset begin = 0, end = 0;
  row_segment() = default;
  /// Segment s of row i; empty where the row cannot have so many.
  CUGRB_DEVICE row_segment(const MxvBinsArguments& args, uint64_t i, uint64_t s) {
    if (s >= args.slots) return;
    const Offset* const segment = static_cast<const Offset*>(args.segments) + 2 * i + s * args.pitch;
    begin = read_only(segment), end = read_only(segment + 1);
  }
  CUGRB_DEVICE uint64_t length() const { return uint64_t(end - begin); }
};

/// A row's size and its first segment; `in_order`: and the second one. They are read at once, because each of
/// these loads would wait for the one before. Where rows come in the order of their numbers the second one
/// costs no bytes of its own; in another order it is 32 for each row, so that it is read where it is asked
/// for.
template <class Offset, bool in_order>
struct row_segments {
  uint64_t row, size;
  row_segment<Offset> first, second;
  CUGRB_DEVICE row_segments(const MxvBinsArguments& args, uint64_t i)
      : row(i), size(read_only(static_cast<const Offset*>(args.sizes) + i)), first(args, i, 0) {
    if constexpr (in_order) second = row_segment<Offset>(args, i, 1);
  }

  /// Calls add(place, begin, end) for the entries low to high, in order: two segments at a time. So a row of
  /// two segments takes as many steps as one of one.
  template <class Add>
  CUGRB_DEVICE void visit(const MxvBinsArguments& args, uint64_t low, uint64_t high, const Add& add) const {
    row_segment<Offset> one = first, other = second;
    uint64_t before = 0;  // entries that the earlier segments have room for
    for (uint64_t s = 0;;) {
      const uint64_t split = before + one.length();
      if ((!in_order || s > 0) && split < high) other = row_segment<Offset>(args, row, s + 1);
      const uint64_t after = split + other.length();
      const in_two_segments<Offset> place{Offset(split), Offset(one.begin - Offset(before)),
                                          Offset(other.begin - Offset(split))};
      const uint64_t from = low > before ? low : before, to = high < after ? high : after;
      if (from < to) add(place, Offset(from), Offset(to));
      before = after;
      s += 2;
      if (s >= args.slots || before >= high) break;
      one = row_segment<Offset>(args, row, s), other = {};
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
  static CUGRB_DEVICE row_segments<Offset, true> find(const MxvBinsArguments& args, uint64_t, uint64_t i) {
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

/// Blocks that a multiprocessor holds: offsets of eight bytes take more registers.
template <class Product>
constexpr int dcsr_rows_resident = sizeof(typename Product::Offset) >= 8 ? 4 : 6;

/// Grid: `lanes` lanes for each row, all in one span. (A template argument: read from the arguments they cost
/// 28 % on an H200. Registers for the gathers of several entries: with those of full occupancy the compiler
/// loads one entry after the other.)
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, (dcsr_rows_resident<Product>))
void mxv_dcsr(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  sum_bin_by_lanes<Product, Mask, full_result, (lanes >= 8)>(args, args.spans[0], lanes);
}

/// The same with blocks for the long rows, which come first.
template <class Product, class Mask, bool full_result, int lanes>
CUGRB_KERNEL_RESIDENT(256, (dcsr_rows_resident<Product>))
void mxv_dcsr_long(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  if (block_index() < args.long_blocks) return sum_long_rows<Product, Mask, full_result>(args);
  sum_bin_by_lanes<Product, Mask, full_result, (lanes >= 8)>(args, args.spans[0], lanes);
}

/// Adds to T(i) of a listed row what it has beyond the positions that it was laid out with, whose sum
/// mxv_merge has stored. `sum`: of these entries.
template <class Product>
CUGRB_DEVICE void add_rest(const MxvRestArguments& args, uint64_t i,
                           const partial<typename Product::type>& sum) {
  using T = typename Product::type;
  const MxvOperands& a = args.rows.operands;
  partial<T> all = no_terms<T>();
  if (a.result.present[i] != 0)
    add_term<typename Product::Add>(all, static_cast<const T*>(a.result.values)[i]);
  add_partial<typename Product::Add>(all, sum);
  store_result<false>(a, i, all);
}

/// Calls visit(found, low) for a row that the mask allows: its entries from `low` on are the rest.
template <class Product, class Mask, class Visit>
CUGRB_DEVICE void visit_rest(const MxvRestArguments& args, uint64_t i, const Visit& visit) {
  using Offset = typename Product::Offset;
  if (!Mask::allows(args.rows.operands.mask, i)) return;
  const Offset* const starts = static_cast<const Offset*>(args.starts) + i;
  const row_segments<Offset, true> found(args.rows, i);
  visit(found, uint64_t(starts[1]) - uint64_t(starts[0]));
}

/// Of listed rows: row r is list[r], or, where they stand from the back, list[-r].
template <class Product, class Mask, int lanes, bool from_back>
CUGRB_DEVICE void add_rests_by_lanes(const MxvRestArguments& args, const uint64_t* list, uint64_t count) {
  using Offset = typename Product::Offset;
  using T = typename Product::type;
  const unsigned group_mask = lanes_of_group(lanes);
  for (uint64_t r = global_thread() / lanes; r < count; r += grid_blocks() * (256 / lanes)) {
    const uint64_t i = from_back ? *(list - r) : list[r];
    visit_rest<Product, Mask>(args, i, [&](const row_segments<Offset, true>& found, uint64_t low) {
      partial<T> sum = no_terms<T>();
      found.visit(args.rows, low, found.size, [&](const auto& place, Offset begin, Offset end) {
        add_range_by_lanes<Product, (lanes >= 8)>(sum, args.rows.operands, i, place, begin, end, lanes,
                                                  group_mask);
      });
      sum = sum_over_lanes<typename Product::Add, lanes>(group_mask, sum);
      if (lane_index() % lanes == 0) add_rest<Product>(args, i, sum);
    });
  }
}

/// What rows have beyond the positions that they were laid out with, which is little of most: blocks, warps
/// and groups of lanes. Any grid of 256 threads.
template <class Product, class Mask>
CUGRB_KERNEL(256)
void mxv_dcsr_rest(MxvRestArguments args) {
  using Offset = typename Product::Offset;
  using T = typename Product::type;
  wait_for_earlier_kernels();
  const uint64_t all_rows = args.rows.operands.matrix.rows;
  const uint64_t* const rows = args.listed + 3;
  for (uint64_t r = block_index(); r < args.listed[2]; r += grid_blocks()) {
    const uint64_t i = rows[all_rows + r];
    visit_rest<Product, Mask>(args, i, [&](const row_segments<Offset, true>& found, uint64_t low) {
      partial<T> sum = no_terms<T>();
      found.visit(args.rows, low, found.size, [&](const auto& place, Offset begin, Offset end) {
        add_range_by_block<Product>(sum, args.rows.operands, i, place, begin, end);
      });
      sum = sum_over_block<typename Product::Add>(sum);
      if (thread_index() == 0) add_rest<Product>(args, i, sum);
    });
    sync_block();
  }
  add_rests_by_lanes<Product, Mask, 32, true>(args, rows + all_rows - 1, args.listed[1]);
  add_rests_by_lanes<Product, Mask, MxvRestArguments::lanes, false>(args, rows, args.listed[0]);
}

}  // namespace cugrb
