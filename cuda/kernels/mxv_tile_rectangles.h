// The paper's tile-composite: a warp for each workload of packed rows, row by row as CSR-vector or a lane a
// row as ELL. One launch for each tile adds its sums to T, so that a tile's operands are 64K neighbours.
//
// X. Yang, S. Parthasarathy, P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs: Implications
// for Graph Mining", PVLDB 4(4), 2011, section 3.1: 8 warps a block, operands through the texture cache,
// which is the L1 cache here.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_tiles.h"
#include "cuda/views/tile_rectangles.h"

namespace cugrb {

/// T(i) gains a tile's sum of row i. No other thread of the launch has that row.
template <class Add, class T>
CUGRB_DEVICE void add_to_result(const VectorView& result, uint64_t i, const partial<T>& sum) {
  if (!sum.has) return;
  T* const values = static_cast<T*>(result.values);
  values[i] = result.present[i] != 0 ? Add::combine(values[i], sum.value) : sum.value;
  result.present[i] = 1;
}

/// Adds the term of place p, if an entry takes it.
template <class Product>
CUGRB_DEVICE void add_place(partial<typename Product::type>& sum, const MxvTileRectanglesArguments& a,
                            uint64_t p) {
  using MatrixOperand = typename Product::MatrixOperand;
  using VectorOperand = typename Product::VectorOperand;
  const uint32_t column = read_streaming(a.columns + p);
  if (column == no_rectangle_column) return;
  add_term<typename Product::Add>(
      sum, Product::term(Product::Values::template at<MatrixOperand, true>(a.values, p),
                         read_only(static_cast<const VectorOperand*>(a.reordered) + column)));
}

/// T gains the sums of `count` workloads. One warp for each.
template <class Product, class Mask>
CUGRB_KERNEL(256)
void mxv_tile_rectangles(MxvTileRectanglesArguments a) {
  wait_for_earlier_kernels();
  using Add = typename Product::Add;
  using T = typename Product::type;
  const uint64_t n = global_thread() / warp_lanes;
  if (n >= a.count) return;
  const TileRectangle r = a.workloads[a.first + n];
  const unsigned lane = lane_index();
  if (r.width >= r.height) {
    for (uint32_t row = 0; row < r.rows; ++row) {
      const uint64_t i = a.rows[r.first_row + row], begin = r.start + uint64_t(row) * r.width;
      if (!Mask::allows(a.mask, i)) continue;
      partial<T> sum = no_terms<T>();
      for (uint32_t k = lane; k < r.width; k += warp_lanes) add_place<Product>(sum, a, begin + k);
      sum = sum_over_lanes<Add, warp_lanes>(full_warp, sum);
      if (lane == 0) add_to_result<Add>(a.result, i, sum);
    }
    return;
  }
  for (uint32_t row = lane; row < r.rows; row += warp_lanes) {
    const uint64_t i = a.rows[r.first_row + row];
    if (!Mask::allows(a.mask, i)) continue;
    partial<T> sum = no_terms<T>();
    for (uint32_t k = 0; k < r.width; ++k) add_place<Product>(sum, a, r.start + uint64_t(k) * r.height + row);
    add_to_result<Add>(a.result, i, sum);
  }
}

}  // namespace cugrb
