// Push of several vectors at once (cuda/kernels/mxm_dense.h): every position k that some vector has sends its
// terms along row k of A' (A, by rows of the other orientation).
//
// The edges of those rows are split evenly over groups of vector_lanes lanes, a lane for every vector: an
// edge is read once, and the updates of a position's sums fall into neighbouring places. Sums, masks and
// memory as in cuda/kernels/vxm_push.h. Time O(positions * vectors + edges * vectors / threads).
#pragma once
#include "cuda/kernels/mxm_dense.h"
#include "cuda/kernels/vxm_push.h"

namespace cugrb {

/// T has no entries; the lengths of the rows that some vector selects. One thread a place of T and a row.
template <class Product>
CUGRB_KERNEL(256)
void mxm_dense_push_begin(MxmDenseArguments a) {
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  using Operand = typename Product::Operand;
  const uint64_t n = global_thread();
  if (n < a.operands.result.length) {
    a.operands.result.present[n] = 0;
    if constexpr (Add::has_identity)
      static_cast<typename Product::type*>(a.operands.result.values)[n] = start_of_sum<Add>();
  }
  if (n >= a.operands.matrix.rows) return;
  bool selected = Operand::always;
  for (uint64_t r = 0; r < a.vectors && !selected; ++r)
    selected = Operand::has(a.operands.vector, n * a.vectors + r);
  const Offset* offsets = Product::offsets(a.operands);
  static_cast<Offset*>(a.edge_starts)[n] = selected ? offsets[n + 1] - offsets[n] : 0;
}

/// Any grid of 256 threads: blocks take tiles of 256 / vector_lanes * items edges in turn.
template <class Product, class Mask, int vector_lanes, int per_lane, int items>
CUGRB_KERNEL(256)
void mxm_dense_push(MxmDenseArguments a) {
  using Offset = typename Product::Offset;
  using Operand = typename Product::Operand;
  constexpr uint64_t groups = 256 / vector_lanes, tile_edges = groups * items;
  const Offset* starts = static_cast<const Offset*>(a.edge_starts);
  const uint64_t rows = a.operands.matrix.rows, edges = starts[rows];
  for (uint64_t begin = block_index() * tile_edges; begin < edges; begin += grid_blocks() * tile_edges) {
    const uint64_t end = begin + tile_edges < edges ? begin + tile_edges : edges;
    const tile_segments<Offset> segments = segments_of_tile(starts, rows, begin, end);
    uint64_t k[items], p[items], j[items];
#pragma unroll
    for (int n = 0; n < items; ++n) {
      const uint64_t edge = begin + n * groups + thread_index() / vector_lanes;
      k[n] = rows;  // none
      p[n] = j[n] = 0;
      if (edge >= end) continue;
      k[n] = segments.of_item(edge);
      p[n] = uint64_t(Product::offsets(a.operands)[k[n]]) + (edge - starts[k[n]]);
      j[n] = Product::template column<(groups >= 8)>(a.operands, p[n]);
    }
#pragma unroll
    for (int m = 0; m < per_lane; ++m) {
      const uint64_t r = thread_index() % vector_lanes + m * vector_lanes;
#pragma unroll
      for (int n = 0; n < items; ++n) {
        if (r >= a.vectors || k[n] == rows) continue;
        if (!Operand::has(a.operands.vector, k[n] * a.vectors + r)) continue;
        const uint64_t place = j[n] * a.vectors + r;
        if (!Mask::allows(a.operands.mask, place)) continue;
        send_term<typename Product::Add>(a.operands, place,
                                         Product::template term<(groups >= 8)>(a, p[n], j[n], k[n], r));
      }
    }
    sync_block();
  }
}

}  // namespace cugrb
