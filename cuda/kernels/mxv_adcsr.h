// Pull from dynamic CSR with adaptive binning: rows in bins of size, as many lanes for each as suit it. After
// "Efficient SpMM using Dynamic-CSR on GPUs", section 4.2, and A. Ashari et al., "Fast sparse matrix-vector
// multiplication on GPUs for graph applications", SC14.
#pragma once
#include "cuda/kernels/mxv_dcsr.h"

namespace cugrb {

/// The matrix types of a product over dynamic CSR whose records are its rows by bins.
template <class OffsetType, class RowType, class ColumnType, class ValuesType>
struct adcsr_rows {
  using Offset = OffsetType;
  using Column = ColumnType;
  using Values = ValuesType;
  static CUGRB_DEVICE uint64_t row(const MxvBinsArguments& args, uint64_t record) {
    return uint64_t(read_only(static_cast<const RowType*>(args.rows) + record));
  }
  static CUGRB_DEVICE row_segments<Offset, false> find(const MxvBinsArguments& args, uint64_t, uint64_t i) {
    return {args, i};
  }
};

/// Blocks that a multiprocessor holds. Sums of eight bytes and more would spill with registers for five.
template <class Product>
constexpr int adcsr_resident = sizeof(typename Product::type) >= 8 ? 4 : 5;

template <class Product, class Mask, bool full_result>
CUGRB_KERNEL_RESIDENT(256, adcsr_resident<Product>)
void mxv_adcsr(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  if (block_index() < args.long_blocks) return sum_long_rows<Product, Mask, full_result>(args);
  sum_bins<Product, Mask, full_result, true>(args);
}

/// Grid: one warp a row of the last span.
template <class Product, bool full_result>
CUGRB_KERNEL(256)
void mxv_adcsr_carries(MxvBinsArguments args) {
  wait_for_earlier_kernels();
  add_bin_carries<Product, full_result>(args);
}

}  // namespace cugrb
