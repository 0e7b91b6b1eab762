// Pull in two passes that gather from shared memory alone: no operand comes from L2 by itself.
//
// Entries are stored by (column tile, bin of entries). mxv_blocked: a block holds a tile's operands in shared
// memory and multiplies its entries; a piece's products go side by side to the piece's bin. mxv_blocked_sums:
// a block holds a bin's products in shared memory. A bin is equally many consecutive entries in the order of
// rows, and 16-bit positions say where their products are, so that a thread sums consecutive entries whatever
// the rows' lengths. Rows that go on in the next bin are carried (mxv_blocked_carries), always in the same
// order: no atomics, the same bits every time. Memory sees streams only: per entry 2 bytes of column, its
// value, its product written and read, 2 bytes of position, and less than a byte of what else there is. After
// S. Beamer, K. Asanovic, D. Patterson, "Reducing Pagerank Communication via Propagation Blocking", IPDPS
// 2017, with the bins laid out when the format is made.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_carries.h"
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
      write_together(
          static_cast<T*>(a.products) + uint64_t(destinations[d]) * blocked_chunk + four % fours * 4,
          products);
    }
  }
}

/// Products of all entries. Grid: as many blocks of up to 1024 threads as there are lists of shares; dynamic
/// shared memory: a tile of operands.
template <class Product, class VectorValues, int ahead>
CUGRB_KERNEL_RESIDENT(1024, 1)
void mxv_blocked(MxvBlockedArguments a) {
  wait_for_earlier_kernels();
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
    write_together(to + k, four);
  }
}

/// A thread's sums along its run: those of the rows that end in it go to `sums` by ordinal, the first one
/// without what is carried into it.
template <class T>
struct run_sums {
  T tail;  ///< what follows the last end
  bool has_tail;
};
template <class Add, class T>
CUGRB_DEVICE run_sums<T> sum_run(const uint32_t* positions, uint32_t ends, const T* products, T* sums) {
  uint32_t pairs[4];
  read_streaming_four(positions, pairs);
  T sum = T();
#pragma unroll
  for (unsigned group = 0; group < 4; ++group) {
    uint32_t next[4] = {};
    if (group < 3) read_streaming_four(positions + (group + 1) * 128, next);
#pragma unroll
    for (unsigned n = 0; n < 8; ++n) {
      const unsigned j = group * 8 + n;
      const T product = products[n % 2 == 0 ? pairs[n / 2] & 0xffffu : pairs[n / 2] >> 16];
      const bool fresh = j == 0 || (ends >> (j - 1) & 1u) != 0;
      sum = fresh ? product : Add::combine(sum, product);
      if ((ends >> j & 1u) != 0) *sums++ = sum;
    }
#pragma unroll
    for (int w = 0; w < 4; ++w) pairs[w] = next[w];
  }
  return {sum, ends >> (blocked_run - 1) == 0};
}

/// T of the rows that end in the bin, from their sums.
template <class Mask, bool full_result, class T>
CUGRB_DEVICE void store_rows(const MxvBlockedArguments& a, const T* sums, uint32_t first, uint32_t count) {
  for (uint32_t n = thread_index(); n < count; n += block_threads()) {
    const uint64_t i = a.matrix.rows == nullptr ? first + n : read_only(a.matrix.rows + first + n);
    if (!Mask::allows(a.mask, i)) continue;
    static_cast<T*>(a.result.values)[i] = sums[n];
    if constexpr (!full_result) a.result.present[i] = 1;
  }
}

/// Sums of the rows. Grid: a block of `threads` a bin of threads * blocked_run entries; dynamic shared
/// memory: most_products of a bin, then most_rows sums. T starts without entries unless it is full. Positions
/// past the last entry are 0: what is summed there ends no row.
template <class Add, class Mask, bool full_result, int threads>
CUGRB_KERNEL_RESIDENT(threads, 2)
void mxv_blocked_sums(MxvBlockedArguments a) {
  wait_for_earlier_kernels();
  using T = typename Add::type;
  CUGRB_DYNAMIC_SHARED(T, products);
  T* const sums = products + a.most_products;
  const uint64_t run = uint64_t(block_index()) * threads + thread_index();
  const uint32_t ends = read_streaming(a.matrix.row_ends + run);
  const uint32_t ordinal = read_streaming(a.matrix.ordinals + run);
  const uint32_t first = read_only(a.matrix.bin_rows + block_index());
  const uint32_t last = read_only(a.matrix.bin_rows + block_index() + 1);
  load_products(products, a);
  sync_block();
  // Two positions a word: item / 8 * 128 words, then four for each lane.
  const uint32_t* positions =
      static_cast<const uint32_t*>(a.matrix.positions) + run / 32 * 512 + lane_index() * 4;
  T* const own = sums + (ordinal - first);
  const run_sums<T> found = sum_run<Add>(positions, ends, products, own);
  partial<T> tail;
  tail.value = found.tail;
  tail.has = found.has_tail;
  partial<T> total;
  partial<T> carried = carry_in<Add, threads / 32>(tail, ends != 0, total);
  if (ends != 0 && carried.has) {
    add_term<Add>(carried, *own);
    *own = carried.value;
  }
  if (thread_index() == threads - 1) {
    static_cast<T*>(a.carry_values)[block_index()] = total.value;
    a.carry_has[block_index()] = total.has ? 1 : 0;
  }
  sync_block();
  store_rows<Mask, full_result>(a, sums, first, last - first);
}

/// Adds to each row what earlier bins carry to it. Grid: one warp a bin; the first bin of a run of carries to
/// the same row works for the run. The bin after it has stored what it had of the row.
template <class Add, class Mask>
CUGRB_KERNEL(256)
void mxv_blocked_carries(MxvBlockedArguments a) {
  wait_for_earlier_kernels();
  using T = typename Add::type;
  const uint64_t first = global_thread() / 32;
  const uint64_t bins = a.matrix.bins - 1;  // that may carry: no row goes on after the last one
  if (first >= bins || a.carry_has[first] == 0) return;
  const auto row_after = [=](uint64_t bin) { return a.matrix.bin_rows[bin + 1]; };
  const uint32_t ordinal = row_after(first);
  if (first > 0 && a.carry_has[first - 1] != 0 && row_after(first - 1) == ordinal) return;
  uint64_t last = first;
  partial<T> sum = sum_carries<Add>(
      static_cast<const T*>(a.carry_values), a.carry_has, last,
      [=](uint64_t bin) { return bin < bins && a.carry_has[bin] != 0 && row_after(bin) == ordinal; });
  if (lane_index() != 0) return;
  const uint64_t i = a.matrix.rows == nullptr ? ordinal : read_only(a.matrix.rows + ordinal);
  if (!Mask::allows(a.mask, i)) return;
  add_term<Add>(sum, static_cast<const T*>(a.result.values)[i]);
  static_cast<T*>(a.result.values)[i] = sum.value;
}

}  // namespace cugrb
