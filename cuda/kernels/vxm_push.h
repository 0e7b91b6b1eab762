// Push: every entry u(k) sends its terms along row k of a matrix to the positions of its columns.
//
//     T(j) = sum over the entries k of u, over the entries (k, j) of the matrix
//
// The edges are split evenly over the threads, however the rows' lengths are spread; their number is read
// from device memory, so the host need not wait for it. The mask is asked before a term is made. Terms meet
// in a dense T: with ANY one of the racing stores wins, with other monoids T starts from the identity
// (start_of_sum) and is updated atomically. Time O(length + edges / threads); sums of floating-point numbers
// depend on the order of the updates.
#pragma once
#include "cuda/kernels/atomic_sum.h"
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_operands.h"
#include "cuda/kernels/segments.h"
#include "cuda/kernels/sum_start.h"

namespace cugrb {

/// T has no entries; the lengths of the rows that u selects. One thread a position and a u-entry, whichever
/// are more.
template <class Product>
CUGRB_KERNEL(256)
void vxm_push_begin(VxmPushArguments args) {
  wait_for_earlier_kernels();
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  using Index = typename Product::Operand::Index;
  const MxvOperands& a = args.operands;
  const uint64_t n = global_thread();
  if (n < a.result.length) {
    a.result.present[n] = 0;
    if constexpr (Add::has_identity)
      static_cast<typename Product::type*>(a.result.values)[n] = start_of_sum<Add>();
  }
  if (n < a.vector.entries) {
    const uint64_t k = static_cast<const Index*>(a.vector.indices)[n];
    static_cast<Offset*>(args.edge_starts)[n] = Product::Matrix::length(args, k);
  }
}

/// T(j) = T(j) + term.
template <class Add, class T>
CUGRB_DEVICE void send_term(const MxvOperands& a, uint64_t j, const T& term) {
  T* place = static_cast<T*>(a.result.values) + j;
  uint8_t* present = a.result.present + j;
  if constexpr (Add::is_any) {
    if (relaxed_load(present) != 0) return;  // somebody's term is there already
    relaxed_store(place, term);
  } else {
    add_atomically<Add>(place, term);
    if (relaxed_load(present) != 0) return;
  }
  relaxed_store(present, uint8_t(1));
}

/// Any grid of 256 threads: blocks take tiles of 256 * items edges in turn.
template <class Product, class Mask, int items>
CUGRB_KERNEL(256)
void vxm_push(VxmPushArguments args) {
  wait_for_earlier_kernels();
  using Offset = typename Product::Offset;
  using Index = typename Product::Operand::Index;
  const MxvOperands& a = args.operands;
  const Offset* starts = static_cast<const Offset*>(args.edge_starts);
  const uint64_t edges = starts[a.vector.entries];
  constexpr uint64_t tile_edges = 256 * items;
  for (uint64_t begin = block_index() * tile_edges; begin < edges; begin += grid_blocks() * tile_edges) {
    const uint64_t end = begin + tile_edges < edges ? begin + tile_edges : edges;
    const tile_segments<Offset> segments = segments_of_tile(starts, a.vector.entries, begin, end);
    uint64_t q[items], p[items], j[items];
    bool use[items];
#pragma unroll
    for (int n = 0; n < items; ++n) {
      const uint64_t edge = begin + n * 256 + thread_index();
      use[n] = edge < end;
      if (!use[n]) continue;
      q[n] = segments.of_item(edge);
      const uint64_t k = static_cast<const Index*>(a.vector.indices)[q[n]];
      p[n] = Product::Matrix::position(args, k, edge - starts[q[n]]);
      j[n] = Product::template column<true>(a, p[n]);
    }
#pragma unroll
    for (int n = 0; n < items; ++n) use[n] = use[n] && Mask::allows(a.mask, j[n]);
#pragma unroll
    for (int n = 0; n < items; ++n) {
      if (!use[n]) continue;
      const uint64_t k = static_cast<const Index*>(a.vector.indices)[q[n]];
      send_term<typename Product::Add>(a, j[n], Product::template term<true>(a, p[n], q[n], j[n], k));
    }
    sync_block();
  }
}

}  // namespace cugrb
