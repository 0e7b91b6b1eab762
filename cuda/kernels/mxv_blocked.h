// Pull in two passes that gather from shared memory alone: no operand comes from L2 by itself.
//
// Entries are stored by (column tile, bin of entries). mxv_blocked: a block holds a tile's operands in shared
// memory and multiplies its entries; a piece's products go side by side to the piece's bin. mxv_blocked_sums:
// a block holds a bin's products in shared memory; a bin is equally many consecutive entries in the order of
// rows, and 16-bit positions say where their products are, so that a thread sums consecutive entries whatever
// the rows' lengths. Rows that go on in the next bin are carried (mxv_blocked_carries), always in the same
// order: no atomics, the same bits every time. Memory sees streams only: per entry 2 bytes of column, its
// value, its product written and read, 2 bytes of position, and less than a byte of what else there is. After
// S. Beamer, K. Asanovic, D. Patterson, "Reducing Pagerank Communication via Propagation Blocking", IPDPS
// 2017, with the bins laid out when the format is made.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_merge.h"
#include "cuda/kernels/mxv_tiles.h"
#include "cuda/views/blocked.h"

namespace cugrb {

/// Multiplies a share's entries, four a thread and round, `ahead` rounds' loads in flight.
template <class Product, int ahead>
CUGRB_DEVICE void multiply_share(const MxvBlockedArguments& a, const BlockedShare& share,
                                 const typename Product::VectorOperand* tile) {
  using T = typename Product::type;
  constexpr unsigned fours = blocked_chunk / 4;
  const uint64_t last = uint64_t(share.last_chunk) * fours;
  const unsigned stride = block_threads();
  for (uint64_t base = uint64_t(share.first_chunk) * fours + thread_index(); base < last;
       base += uint64_t(stride) * ahead) {
    uint16_t columns[ahead][4];
    typename Product::MatrixOperand values[ahead][4];
    uint32_t destinations[ahead];
#pragma unroll
    for (int d = 0; d < ahead; ++d) {
      const uint64_t four = base + unsigned(d) * stride, q = four < last ? four : last - 1;
      read_streaming_four(a.matrix.columns + q * 4, columns[d]);
      values_by_four<typename Product::Values>::read(a.matrix.values, q * 4, values[d]);
      destinations[d] = read_only(a.matrix.destinations + q / fours);
    }
#pragma unroll
    for (int d = 0; d < ahead; ++d) {
      const uint64_t four = base + unsigned(d) * stride;
      if (four >= last) break;
      T products[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        products[j] = T();
        if (columns[d][j] != no_blocked_column) {
          products[j] = Product::term(values[d][j], tile[columns[d][j]]);
        }
      }
      write_four(static_cast<T*>(a.products) + uint64_t(destinations[d]) * blocked_chunk + four % fours * 4,
                 products);
    }
  }
}

/// Products of all entries. Grid: as many blocks of up to 1024 threads as there are lists of shares; dynamic
/// shared memory: a tile of operands.
template <class Product, class VectorValues, int ahead>
CUGRB_KERNEL_RESIDENT(1024, 1)
void mxv_blocked(MxvBlockedArguments a) {
  using Operand = typename Product::VectorOperand;
  CUGRB_DYNAMIC_SHARED(Operand, tile);
  const uint32_t last = a.first_shares[block_index() + 1];
  for (uint32_t s = a.first_shares[block_index()]; s < last; ++s) {
    const BlockedShare share = a.shares[s];
    sync_block();  // nobody reads the tile before any more
    load_tile<VectorValues>(tile, a.vector.values, share.first_column, share.columns);
    sync_block();
    multiply_share<Product, ahead>(a, share, tile);
  }
}

/// Copies a bin's products to shared memory.
template <class T>
CUGRB_DEVICE void load_products(T* to, const MxvBlockedArguments& a) {
  const uint64_t first = a.matrix.bin_chunks[block_index()];
  const uint32_t count = uint32_t(a.matrix.bin_chunks[block_index() + 1] - first) * blocked_chunk;
  const T* from = static_cast<const T*>(a.products) + first * blocked_chunk;
#pragma unroll 4
  for (uint32_t k = thread_index() * 4; k < count; k += block_threads() * 4) {
    T four[4];
    read_streaming_four(from + k, four);
    write_four(to + k, four);
  }
}

/// T(i) for the ordinal-th row with entries.
template <class Mask, bool full_result, class T>
CUGRB_DEVICE void store_row(const MxvBlockedArguments& a, uint32_t ordinal, const partial<T>& sum) {
  const uint64_t i = a.matrix.rows == nullptr ? ordinal : read_only(a.matrix.rows + ordinal);
  if (!Mask::allows(a.mask, i)) return;
  static_cast<T*>(a.result.values)[i] = sum.value;
  if constexpr (!full_result) a.result.present[i] = 1;
}

/// Sums of the rows. Grid: a block of `threads` a bin of threads * blocked_run entries; dynamic shared
/// memory: the largest bin's products. T starts without entries unless it is full.
template <class Add, class Mask, bool full_result, int threads>
CUGRB_KERNEL_RESIDENT(threads, 2)
void mxv_blocked_sums(MxvBlockedArguments a) {
  using T = typename Add::type;
  CUGRB_DYNAMIC_SHARED(T, products);
  const uint64_t run = uint64_t(block_index()) * threads + thread_index();
  const uint32_t ends = read_streaming(a.matrix.row_ends + run);
  uint32_t ordinal = read_streaming(a.matrix.ordinals + run);
  // Two positions a word: item / 8 * 128 words, then four for each lane.
  const uint32_t* positions =
      static_cast<const uint32_t*>(a.matrix.positions) + run / 32 * 512 + lane_index() * 4;
  uint32_t pairs[4];
  read_streaming_four(positions, pairs);
  const uint64_t rest = a.matrix.entries > run * blocked_run ? a.matrix.entries - run * blocked_run : 0;
  const unsigned length = rest < blocked_run ? unsigned(rest) : blocked_run;
  load_products(products, a);
  sync_block();

  partial<T> head = no_terms<T>(), tail = no_terms<T>();
  uint32_t head_ordinal = 0;
  bool ended = false;
#pragma unroll
  for (unsigned group = 0; group < 4; ++group) {
    uint32_t next[4] = {};
    if (group < 3) read_streaming_four(positions + (group + 1) * 128, next);
#pragma unroll
    for (unsigned n = 0; n < 8; ++n) {
      const unsigned j = group * 8 + n;
      const uint32_t position = n % 2 == 0 ? pairs[n / 2] & 0xffffu : pairs[n / 2] >> 16;
      if (j < length) add_term<Add>(tail, products[position]);
      if ((ends >> j & 1u) == 0) continue;
      if (ended) {
        store_row<Mask, full_result>(a, ordinal, tail);
      } else {
        head = tail;
        head_ordinal = ordinal;
        ended = true;
      }
      ++ordinal;
      tail = no_terms<T>();
    }
#pragma unroll
    for (int w = 0; w < 4; ++w) pairs[w] = next[w];
  }
  partial<T> total;
  partial<T> carried = carry_in<Add, threads / 32>(tail, ended, total);
  if (ended) {
    add_partial<Add>(carried, head);
    store_row<Mask, full_result>(a, head_ordinal, carried);
  }
  if (thread_index() == threads - 1) {
    static_cast<T*>(a.carry_values)[block_index()] = total.value;
    a.carry_has[block_index()] = total.has ? 1 : 0;
  }
}

/// Adds to each row what earlier bins carry to it. Grid: one warp a bin; the first bin of a run of carries to
/// the same row works for the run. The bin after it has stored what it had of the row.
template <class Add, class Mask, bool full_result, int threads>
CUGRB_KERNEL(256)
void mxv_blocked_carries(MxvBlockedArguments a) {
  using T = typename Add::type;
  const uint64_t first = global_thread() / 32;
  if (first >= a.matrix.bins || a.carry_has[first] == 0) return;
  const auto row_after = [=](uint64_t bin) { return a.matrix.ordinals[(bin + 1) * threads]; };
  const uint32_t ordinal = row_after(first);
  if (first > 0 && a.carry_has[first - 1] != 0 && row_after(first - 1) == ordinal) return;
  partial<T> sum = no_terms<T>();
  uint64_t last = first;  // of the run
  while (true) {
    const uint64_t bin = last + lane_index();
    const bool inside = bin < a.matrix.bins && a.carry_has[bin] != 0 && row_after(bin) == ordinal;
    if (inside) add_term<Add>(sum, static_cast<const T*>(a.carry_values)[bin]);
    const unsigned lanes_inside = ballot(full_warp, inside);
    last += uint64_t(count_bits(lanes_inside));
    if (lanes_inside != full_warp) break;
  }
  sum = sum_over_lanes<Add, 32>(full_warp, sum);
  if (lane_index() != 0) return;
  const uint64_t i = a.matrix.rows == nullptr ? ordinal : read_only(a.matrix.rows + ordinal);
  if (!Mask::allows(a.mask, i)) return;
  add_term<Add>(sum, static_cast<const T*>(a.result.values)[i]);
  static_cast<T*>(a.result.values)[i] = sum.value;
}

}  // namespace cugrb
