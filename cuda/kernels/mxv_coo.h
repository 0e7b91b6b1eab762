// Pull from a list of entries sorted by row: a segmented reduction, whatever the rows' lengths.
//
// Blocks take tiles of equally many entries. Entries are loaded and multiplied in storage order (coalesced);
// then every thread sums a few that follow each other, and sums of rows that go on in the next thread are
// passed along (carry_in). The last row of every tile is left to a second kernel, which adds its pieces in a
// fixed order: no atomics, the same bits every time. Rows without entries are not seen: T starts without
// entries. After N. Bell, M. Garland, SC09, section 4.5, with the carries of cuda/kernels/mxv_carries.h. The
// lists of HYB (ibid., section 4.6) and of TILE-COO go the same way, added to what T holds already.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_carries.h"
#include "cuda/views/coo.h"

namespace cugrb {

/// The matrix types of a product over a list of entries.
template <class RowType, class ColumnType, class ValuesType>
struct coo_entry {
  using Offset = uint64_t;
  using Row = RowType;
  using Column = ColumnType;
  using Values = ValuesType;
};

/// Place of a tile's entry in shared memory: threads that read each their own `items` meet in no bank.
CUGRB_DEVICE constexpr unsigned coo_place(unsigned e) { return e + e / 32; }

/// What a block knows of its tile's entries.
template <class Product>
struct coo_tile {
  typename Product::type* products;
  typename Product::Matrix::Row* rows;
  bool* has;
  unsigned count;
};

/// Multiplies `batch` entries per thread, from entry `first` of the tile on.
template <class Product, class Mask, bool flagged, int batch>
CUGRB_DEVICE void multiply_coo_batch(const MxvCooArguments& args, const coo_tile<Product>& tile,
                                     uint64_t begin, unsigned first) {
  using Operand = typename Product::Operand;
  using Row = typename Product::Matrix::Row;
  const MxvOperands& a = args.operands;
  Row row[batch];
  typename Product::Column k[batch];
  typename Product::MatrixValue x[batch];
  typename Product::VectorValue y[batch];
  unsigned use = 0;  // bit n: item n has a term
#pragma unroll
  for (int n = 0; n < batch; ++n) {
    const unsigned e = first + n * 256;
    const uint64_t p = begin + (e < tile.count ? e : tile.count - 1);  // no branch around any load
    if (e < tile.count) use |= 1u << n;
    row[n] = read_streaming(static_cast<const Row*>(args.rows) + p, a.policy);
    k[n] = Product::template column<true>(a, p);
    x[n] = Product::template matrix_value<true>(a, p);
  }
  if constexpr (flagged) {
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if ((use >> n & 1u) != 0 && !(Mask::allows(a.mask, row[n]) && Operand::has(a.vector, k[n])))
        use &= ~(1u << n);
    }
  }
#pragma unroll
  for (int n = 0; n < batch; ++n) {
    if (!flagged || (use >> n & 1u) != 0) y[n] = Product::vector_value(a, k[n]);
  }
#pragma unroll
  for (int n = 0; n < batch; ++n) {
    const unsigned e = first + n * 256;
    const bool used = (use >> n & 1u) != 0;
    if (e >= tile.count) continue;
    tile.rows[coo_place(e)] = row[n];
    if (used) tile.products[coo_place(e)] = Product::term_of(x[n], y[n], row[n], k[n]);
    if (flagged) tile.has[coo_place(e)] = used;
  }
}

/// What T(i) holds.
template <bool full_result, class T>
CUGRB_DEVICE partial<T> read_result(const MxvOperands& a, uint64_t i) {
  partial<T> old = no_terms<T>();
  old.has = full_result || a.result.present[i] != 0;
  if (old.has) old.value = static_cast<const T*>(a.result.values)[i];
  return old;
}

/// Whether an entry may have no term: a mask forbids its row, or its operand may be missing.
template <class Product, class Mask>
constexpr bool coo_flagged = !Mask::allows_all || !Product::Operand::always;

/// Beside sums that are added to T's, ptxas spills a float on sm_100, where it aims at 40 registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
constexpr int coo_accumulating_residency = 5;
#else
constexpr int coo_accumulating_residency = 0;
#endif

/// Blocks that a multiprocessor holds at least; 0: as many as shared memory lets in, for which the compiler
/// goes down to 32 registers: too few for flags beside sums of 8 bytes (a position's is spilled on sm_100).
template <class Product, class Mask, bool full_result, bool accumulate>
constexpr int coo_residency = coo_flagged<Product, Mask> && sizeof(typename Product::type) >= 8 ? 6
                              : accumulate && !full_result ? coo_accumulating_residency
                                                           : 0;

/// Adds to T the sums of the rows that ended in the tile; their products' places hold them (`has`: if any).
/// Each thread asks for four of T's values at once: one after the other, as rows end, they would be what a
/// short list takes.
template <class Product, bool full_result, bool flagged>
CUGRB_DEVICE void add_coo_sums(const MxvOperands& a, const coo_tile<Product>& tile) {
  using T = typename Product::type;
  constexpr int batch = 4;
#pragma unroll 1
  for (unsigned base = thread_index(); base < tile.count; base += 256 * batch) {
    partial<T> old[batch];
    unsigned use = 0;  // bit n: a row with terms ended at item n
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const unsigned e = base + n * 256;
      old[n] = no_terms<T>();
      if (e + 1 >= tile.count || tile.rows[coo_place(e)] == tile.rows[coo_place(e + 1)]) continue;
      if (flagged && !tile.has[coo_place(e)]) continue;
      const uint64_t i = tile.rows[coo_place(e)];
      use |= 1u << n;
      old[n] = read_result<full_result, T>(a, i);
    }
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if ((use >> n & 1u) == 0) continue;
      const unsigned e = base + n * 256;
      add_term<typename Product::Add>(old[n], tile.products[coo_place(e)]);
      store_result<full_result>(a, tile.rows[coo_place(e)], old[n]);
    }
  }
}

/// One tile, by the calling block.
template <class Product, class Mask, bool full_result, bool accumulate, int items>
CUGRB_DEVICE void sum_coo_tile(const MxvCooArguments& args) {
  using T = typename Product::type;
  using Row = typename Product::Matrix::Row;
  using Add = typename Product::Add;
  static_assert(items * sizeof(T) <= 64, "a tile of products takes at most 16 KB of shared memory");
  constexpr unsigned tile_entries = 256 * items, places = coo_place(tile_entries);
  constexpr bool flagged = coo_flagged<Product, Mask>;
  CUGRB_SHARED(T, products, places);
  CUGRB_SHARED(Row, rows, places);
  CUGRB_SHARED(bool, has, flagged ? places : 1);
  const MxvOperands& a = args.operands;
  const uint64_t begin = uint64_t(block_index()) * tile_entries, rest = a.matrix.entries - begin;
  const coo_tile<Product> tile = {products, rows, has, rest < tile_entries ? unsigned(rest) : tile_entries};
  constexpr int batch = sizeof(T) >= 8 && items >= 8 ? items / 2 : items;
#pragma unroll 1
  for (unsigned base = 0; base < tile.count; base += 256 * batch) {
    multiply_coo_batch<Product, Mask, flagged, batch>(args, tile, begin, base + thread_index());
  }
  sync_block();

  // A row's sum goes to T, or where T has values already, to the place of the row's last product first.
  const auto end_row = [&](unsigned e, partial<T> sum) {
    if constexpr (accumulate) {
      products[coo_place(e)] = sum.value;
      if (flagged) has[coo_place(e)] = sum.has;
    } else {
      store_result<full_result>(a, rows[coo_place(e)], sum);
    }
  };
  partial<T> head = no_terms<T>(), tail = no_terms<T>();
  unsigned head_end = 0;
  bool ended = false;  // a row ended among this thread's entries
  const unsigned first = thread_index() * items;
  const unsigned stop = first + items < tile.count ? first + items : tile.count;
  for (unsigned e = first; e < stop; ++e) {
    if (!flagged || has[coo_place(e)]) add_term<Add>(tail, products[coo_place(e)]);
    if (e + 1 == tile.count || rows[coo_place(e)] == rows[coo_place(e + 1)]) continue;
    if (ended) {
      end_row(e, tail);
    } else {
      head = tail;
      head_end = e;
      ended = true;
    }
    tail = no_terms<T>();
  }
  partial<T> total;
  partial<T> carried = carry_in<Add>(tail, ended, total);
  if (ended) {
    add_partial<Add>(carried, head);
    end_row(head_end, carried);
  }
  if constexpr (accumulate) {
    sync_block();
    add_coo_sums<Product, full_result, flagged>(a, tile);
  }
  if (thread_index() == 255) {
    static_cast<T*>(args.carry_values)[block_index()] = total.value;
    args.carry_has[block_index()] = total.has ? 1 : 0;
  }
}

/// Adds to each row what tiles carry to it; the first of the tiles that end with the same row works for them
/// all, by a warp.
template <class Product, bool full_result, bool accumulate, int items>
CUGRB_DEVICE void add_coo_carries(const MxvCooArguments& args) {
  using T = typename Product::type;
  using Row = typename Product::Matrix::Row;
  using Add = typename Product::Add;
  constexpr uint64_t tile_entries = 256 * items;
  const MxvOperands& a = args.operands;
  const Row* rows = static_cast<const Row*>(args.rows);
  const uint64_t entries = a.matrix.entries, first = global_thread() / 32;
  const auto last_row = [=](uint64_t tile) {
    const uint64_t end = (tile + 1) * tile_entries;
    return rows[(end < entries ? end : entries) - 1];
  };
  if (first >= args.tiles) return;
  const Row row = last_row(first);
  if (first > 0 && last_row(first - 1) == row) return;
  uint64_t last = first;  // of the run
  partial<T> sum = sum_carries<Add>(static_cast<const T*>(args.carry_values), args.carry_has, last,
                                    [=](uint64_t t) { return t < args.tiles && last_row(t) == row; });
  if (lane_index() != 0 || !sum.has) return;
  // Has tile `last`, in which the row ended, stored terms of its own? A result with gaps tells by itself.
  const bool stored = last < args.tiles && rows[last * tile_entries] == row;
  if (accumulate || !full_result || stored) {
    partial<T> old = read_result<full_result, T>(a, row);
    add_partial<Add>(old, sum);
    sum = old;
  }
  store_result<full_result>(a, row, sum);
}

/// Grid: one block of 256 threads a tile of 256 * items entries. With `accumulate` (the second part of HYB,
/// the parts of TILE-COO) the list's sums are added to T; else T starts without entries unless it is full.
template <class Product, class Mask, bool full_result, bool accumulate, int items>
CUGRB_KERNEL_RESIDENT(256, (coo_residency<Product, Mask, full_result, accumulate>))
void mxv_coo(MxvCooArguments args) {
  wait_for_earlier_kernels();
  sum_coo_tile<Product, Mask, full_result, accumulate, items>(args);
}

/// Grid: one warp a tile.
template <class Product, bool full_result, bool accumulate, int items>
CUGRB_KERNEL(256)
void mxv_coo_carries(MxvCooArguments args) {
  wait_for_earlier_kernels();
  add_coo_carries<Product, full_result, accumulate, items>(args);
}

}  // namespace cugrb
