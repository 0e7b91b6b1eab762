// Pull from ELLPACK storage, whole (ELL) or in slices of 32 rows (SELL): a thread a row.
//
// The n-th entries of neighbouring rows are neighbours in memory, so every load of the matrix is coalesced,
// and a row needs no length: padding is known by its column. A thread asks for the columns and values of
// several entries at once (values do not wait for columns), then for the vector's values, and multiplies
// where there is an entry. What hides the latency is 2048 threads a multiprocessor: 32 registers each. Rows
// of a slice wait for its longest one: this pays where neighbouring rows are alike. After N. Bell and M.
// Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors", SC09,
// section 4.2; slices: A. Monakov, A. Lokhmotov, A. Avetisyan, "Automatically tuning sparse matrix-vector
// multiplication for GPU architectures", HiPEAC 2010.
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

/// Entries that a thread has in flight, and the blocks of 256 threads that a multiprocessor holds: measured,
/// more entries and fewer threads are slower (docs/formats.md). Large values leave no registers for so many.
template <class Product>
constexpr int ell_term_bytes = sizeof(typename Product::Column) + sizeof(typename Product::MatrixValue) +
                               sizeof(typename Product::VectorValue);
template <class Product>
constexpr int ell_group = ell_term_bytes<Product> <= 12 && Product::Operand::always ? 6 : 4;
template <class Product>
constexpr int ell_resident =
    ell_term_bytes<Product> <= 20 && Product::Operand::always && !stops_early<typename Product::Add> ? 8 : 1;

/// The operands with their matrix from position p on.
template <class Product>
CUGRB_DEVICE MxvOperands from_position(MxvOperands a, uint64_t p) {
  a.matrix.columns = static_cast<const typename Product::Column*>(a.matrix.columns) + p;
  a.matrix.values = Product::Matrix::Values::from_position(a.matrix.values, p);
  return a;
}

/// Adds up to `count` terms of row i, those of positions 0, stride, ..., the first `left` of them; `whole`
/// promises that left is not less than count.
template <class Product, int count, bool whole>
CUGRB_DEVICE void add_ell_terms(partial<typename Product::type>& sum, const MxvOperands& a, uint64_t i,
                                uint64_t stride, unsigned left = count) {
  using Operand = typename Product::Operand;
  using Column = typename Product::Column;
  Column k[count];
  typename Product::MatrixValue x[count];
  typename Product::VectorValue y[count];
  bool use[count];
#pragma unroll
  for (int n = 0; n < count; ++n) {
    // No value is left undefined, although only those in use are looked at: NVRTC 13.0 for sm_90 mixed terms
    // up otherwise (MAX_MIN_UINT8 from slices, an iso bitmap).
    k[n] = ell_padding<Column>;
    x[n] = typename Product::MatrixValue();
    y[n] = typename Product::VectorValue();
    if (whole || unsigned(n) < left) {
      k[n] = Product::template column<true>(a, uint64_t(n) * stride);
      x[n] = Product::template matrix_value<true>(a, uint64_t(n) * stride);
    }
  }
#pragma unroll
  for (int n = 0; n < count; ++n) {
    use[n] = k[n] != ell_padding<Column>;
    if constexpr (!Operand::always) use[n] = use[n] && Operand::has(a.vector, k[n]);
  }
#pragma unroll
  for (int n = 0; n < count; ++n) {
    // No branch around a load of a full vector: padding reads its first value.
    if (Operand::always || use[n]) y[n] = Product::vector_value(a, use[n] ? k[n] : Column(0));
  }
#pragma unroll
  for (int n = 0; n < count; ++n) {
    if (use[n]) add_term<typename Product::Add>(sum, Product::term_of(x[n], y[n], i, k[n]));
  }
}

/// The sum of row i by the calling thread: whole groups of entries, and an end of one and a half groups at
/// most that is cut in two, so that no last step waits for a single entry.
template <class Product>
CUGRB_DEVICE partial<typename Product::type> sum_ell_row(const MxvOperands& a, const EllView& ell,
                                                         uint64_t i) {
  using Add = typename Product::Add;
  constexpr unsigned group = ell_group<Product>, half = group / 2;
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  const ell_row row = Product::Matrix::Layout::row(ell, i);
  MxvOperands rest = from_position<Product>(a, row.first);
  unsigned left = row.width;
  if constexpr (stops_at_once<Add>) {  // the first term mostly decides
    if (left == 0) return sum;
    add_ell_terms<Product, 1, true>(sum, rest, i, row.stride);
    if (is_final<Add>(sum)) return sum;
    rest = from_position<Product>(rest, row.stride);
    --left;
  }
#pragma unroll 1
  while (left > group + half) {
    add_ell_terms<Product, group, true>(sum, rest, i, row.stride);
    if constexpr (stops_early<Add>) {
      if (is_final<Add>(sum)) return sum;
    }
    rest = from_position<Product>(rest, group * row.stride);
    left -= group;
  }
  if (left > group) {
    add_ell_terms<Product, half, true>(sum, rest, i, row.stride);
    if constexpr (stops_early<Add>) {
      if (is_final<Add>(sum)) return sum;
    }
    rest = from_position<Product>(rest, half * row.stride);
    left -= half;
  }
  add_ell_terms<Product, group, false>(sum, rest, i, row.stride, left);
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
CUGRB_KERNEL_RESIDENT(256, ell_resident<Product>)
void mxv_ell(MxvEllArguments args) {
  wait_for_earlier_kernels();
  const uint64_t i = global_thread();
  if (i < args.ell.rows) store_ell_row<Product, Mask, full_result>(args.operands, args.ell, i);
}

/// The same over slices: a warp takes one.
template <class Product, class Mask, bool full_result>
CUGRB_KERNEL_RESIDENT(256, ell_resident<Product>)
void mxv_sell(MxvEllArguments args) {
  wait_for_earlier_kernels();
  const uint64_t i = global_thread();
  if (i < args.ell.rows) store_ell_row<Product, Mask, full_result>(args.operands, args.ell, i);
}

}  // namespace cugrb
