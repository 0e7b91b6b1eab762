// Pull from binned CSR: a row is a record (first entry, size, position), records are sorted by bins of size.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_bins.h"

namespace cugrb {

/// A row's entries, which follow each other.
template <class Offset>
struct range_of_entries {
  Offset begin;
  uint64_t size;
  template <class Add>
  CUGRB_DEVICE void visit(const MxvBinsArguments&, uint64_t low, uint64_t high, const Add& add) const {
    add(at_their_numbers(), Offset(begin + Offset(low)), Offset(begin + Offset(high)));
  }
};

/// The matrix types of a product over binned CSR.
template <class OffsetType, class RowType, class ColumnType, class ValuesType>
struct binned_csr_rows {
  using Offset = OffsetType;
  using Column = ColumnType;
  using Values = ValuesType;
  static CUGRB_DEVICE uint64_t row(const MxvBinsArguments& args, uint64_t record) {
    return uint64_t(read_only(static_cast<const RowType*>(args.rows) + record));
  }
  static CUGRB_DEVICE range_of_entries<Offset> find(const MxvBinsArguments& args, uint64_t record, uint64_t) {
    return {read_only(static_cast<const Offset*>(args.begins) + record),
            uint64_t(read_only(static_cast<const Offset*>(args.sizes) + record))};
  }
};

/// Blocks that a multiprocessor holds: sums of eight bytes need registers for their gathers to be in flight
/// together.
template <class Product>
constexpr int binned_csr_resident = sizeof(typename Product::type) >= 8 ? 6 : 8;

template <class Product, class Mask, bool full_result>
CUGRB_KERNEL_RESIDENT(256, binned_csr_resident<Product>)
void mxv_binned_csr(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  sum_bins<Product, Mask, full_result, false>(args);
}

/// Grid: one warp a row of the last span.
template <class Product, bool full_result>
CUGRB_KERNEL(256)
void mxv_binned_csr_carries(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  add_bin_carries<Product, full_result>(args);
}

}  // namespace cugrb
