// Pull from ELLPACK storage, whole (ELL) or in slices of 32 rows (SELL): a thread a row.
//
// The n-th entries of neighbouring rows are neighbours in memory, so every load of the matrix is coalesced,
// and a row needs no length: padding is known by its column. A thread asks for the columns and values of
// several entries at once (values do not wait for columns), then for the vector's values, and multiplies
// where there is an entry. Rows of a slice wait for its longest one: this pays where neighbouring rows are
// alike. After N. Bell and M. Garland, "Implementing sparse matrix-vector multiplication on
// throughput-oriented processors", SC09, section 4.2; slices: A. Monakov, A. Lokhmotov, A. Avetisyan,
// "Automatically tuning sparse matrix-vector multiplication for GPU architectures", HiPEAC 2010.
#pragma once
#include "cuda/kernels/ell_layout.h"
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_operands.h"

namespace cugrb {

/// The matrix types of a product over ELLPACK storage.
template <class LayoutType, class ColumnType, class ValuesType>
struct ell_rows {
  using Layout = LayoutType;
  using Offset = uint64_t;
  using Column = ColumnType;
  using Values = ValuesType;
};

/// Entries that a thread has in flight: as many as fit the registers of 2048 threads a multiprocessor, or
/// half as many threads where values are large.
template <class Product>
constexpr int ell_unroll = sizeof(typename Product::Column) + sizeof(typename Product::MatrixValue) +
                                       sizeof(typename Product::VectorValue) >
                                   20
                               ? 4
                               : 8;

/// Adds up to `unroll` terms of row i, those of positions p, p + stride, ..., the first `left` of them.
template <class Product, int unroll>
CUGRB_DEVICE void add_ell_terms(partial<typename Product::type>& sum, const MxvOperands& a, uint64_t i,
                                uint64_t p, uint64_t stride, uint64_t left) {
  using Operand = typename Product::Operand;
  using Column = typename Product::Column;
  Column k[unroll];
  typename Product::MatrixValue x[unroll];
  typename Product::VectorValue y[unroll];
  bool use[unroll];
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    k[n] = ell_padding<Column>;
    if (uint64_t(n) < left) {
      k[n] = Product::template column<true>(a, p + uint64_t(n) * stride);
      x[n] = Product::template matrix_value<true>(a, p + uint64_t(n) * stride);
    }
  }
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    use[n] = k[n] != ell_padding<Column>;
    if constexpr (!Operand::always) use[n] = use[n] && Operand::has(a.vector, k[n]);
  }
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    // No branch around a load of a full vector: padding reads its first value.
    if (Operand::always || use[n]) y[n] = Product::vector_value(a, use[n] ? k[n] : Column(0));
  }
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    if (use[n]) add_term<typename Product::Add>(sum, Product::term_of(x[n], y[n], i, k[n]));
  }
}

/// The sum of row i by the calling thread.
template <class Product>
CUGRB_DEVICE partial<typename Product::type> sum_ell_row(const MxvOperands& a, const EllView& ell,
                                                         uint64_t i) {
  using Add = typename Product::Add;
  constexpr int unroll = ell_unroll<Product>;
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  const ell_row row = Product::Matrix::Layout::row(ell, i);
  uint64_t n = 0;
  if constexpr (stops_at_once<Add>) {  // the first term mostly decides
    if (row.width > 0) add_ell_terms<Product, 1>(sum, a, i, row.first, row.stride, 1);
    n = is_final<Add>(sum) ? row.width : 1;
  }
  for (; n < row.width; n += unroll) {
    add_ell_terms<Product, unroll>(sum, a, i, row.first + n * row.stride, row.stride, row.width - n);
    if constexpr (stops_early<Add>) {
      if (is_final<Add>(sum)) break;
    }
  }
  return sum;
}

/// T(i) by the calling thread. The mask is asked before any entry is read.
template <class Product, class Mask, bool full_result>
CUGRB_DEVICE void store_ell_row(const MxvOperands& a, const EllView& ell, uint64_t i) {
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  if (Mask::allows(a.mask, i)) sum = sum_ell_row<Product>(a, ell, i);
  store_result<full_result>(a, i, sum);
}

/// T(i) for all rows, one thread each; time O(rows * width / threads).
template <class Product, class Mask, bool full_result>
CUGRB_KERNEL(256)
void mxv_ell(MxvEllArguments args) {
  const uint64_t i = global_thread();
  if (i < args.ell.rows) store_ell_row<Product, Mask, full_result>(args.operands, args.ell, i);
}

/// The same over slices: a warp takes one.
template <class Product, class Mask, bool full_result>
CUGRB_KERNEL(256)
void mxv_sell(MxvEllArguments args) {
  const uint64_t i = global_thread();
  if (i < args.ell.rows) store_ell_row<Product, Mask, full_result>(args.operands, args.ell, i);
}

}  // namespace cugrb
