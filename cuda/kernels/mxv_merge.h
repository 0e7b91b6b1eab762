// Pull by merge path: every block takes the same number of rows plus entries, however the rows' lengths are
// spread.
//
// The path merges the rows' ends with the entries' ordinals; a step consumes an entry of the current row or
// ends the row. Blocks cut it at equal distances (cut points are found once a matrix: merge_tile_rows),
// threads cut their block's piece again. Entries are loaded and multiplied in storage order (coalesced), then
// summed along the path. What a tile leaves of its last row is carried to a second kernel, which adds the
// carries of a row in a fixed order: no atomics, the same bits every time. After D. Merrill and M. Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC16.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/merge_path.h"
#include "cuda/kernels/mxv_operands.h"

namespace cugrb {

/// A block's piece of the path.
struct merge_tile {
  uint64_t row, entry;     ///< the first
  unsigned rows, entries;  ///< how many rows end in it; how many entries it has
};

/// A thread's sum along its piece: what came before its first row end, and what follows its last one.
template <class T>
struct merge_sums {
  partial<T> head, tail;
  unsigned head_row;
  bool ended;  ///< a row ended; otherwise there is only `tail`
};

/// Inclusive scan step of (sum, a row ended in it): `left` comes before `right`.
template <class Add, class T>
CUGRB_DEVICE void join_tails(const partial<T>& left, bool left_ended, partial<T>& right, bool& right_ended) {
  if (!right_ended) {
    partial<T> joined = left;
    add_partial<Add>(joined, right);
    right = joined;
  }
  right_ended = right_ended || left_ended;
}

/// What all threads before this one carry into it; `total` (in the last thread): what the block of so many
/// warps carries out.
template <class Add, int warps_of_block = 8, class T>
CUGRB_DEVICE partial<T> carry_in(const partial<T>& tail, bool ended, partial<T>& total) {
  CUGRB_SHARED(partial<T>, warp_tails, warps_of_block);
  CUGRB_SHARED(bool, warp_ended, warps_of_block);
  const unsigned lane = lane_index(), warp = thread_index() / 32;
  partial<T> sum = tail;
  bool any_ended = ended;
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    partial<T> left;
    left.value = shuffle_up(full_warp, sum.value, delta);
    left.has = shuffle_up(full_warp, sum.has, delta);
    const bool left_ended = shuffle_up(full_warp, any_ended, delta);
    if (lane >= delta) join_tails<Add>(left, left_ended, sum, any_ended);
  }
  if (lane == 31) {
    warp_tails[warp] = sum;
    warp_ended[warp] = any_ended;
  }
  partial<T> before;
  before.value = shuffle_up(full_warp, sum.value, 1);
  before.has = shuffle_up(full_warp, sum.has, 1);
  bool before_ended = shuffle_up(full_warp, any_ended, 1);
  if (lane == 0) {
    before = no_terms<T>();
    before_ended = false;
  }
  sync_block();
  partial<T> warps = no_terms<T>();
  bool warps_ended = false;
  for (unsigned w = warp; w > 0 && !warps_ended; --w) {  // back to the last one in which a row ended
    partial<T> left = warp_tails[w - 1];
    warps_ended = warp_ended[w - 1];
    add_partial<Add>(left, warps);
    warps = left;
  }
  join_tails<Add>(warps, warps_ended, before, before_ended);
  bool through_ended = ended;
  total = tail;
  join_tails<Add>(before, false, total, through_ended);
  return before;
}

/// The sum of a run of carries to one row, by a warp, in its first lane: those from `last` on for which
/// inside(t) holds. `last`: afterwards, the first after the run.
template <class Add, class T, class Inside>
CUGRB_DEVICE partial<T> sum_carries(const T* values, const uint8_t* has, uint64_t& last, Inside inside) {
  partial<T> sum = no_terms<T>();
  while (true) {
    const uint64_t t = last + lane_index();
    const bool member = inside(t);
    if (member && has[t] != 0) add_term<Add>(sum, values[t]);
    const unsigned members = ballot(full_warp, member);
    last += uint64_t(count_bits(members));
    if (members != full_warp) return sum_over_lanes<Add, 32>(full_warp, sum);
  }
}

/// Multiplies `batch` of the tile's entries per thread in storage order into `products`, from entry `first`
/// on. `has` (when `flagged`): in, whether the entry's row is allowed; out, whether there is a term.
template <class Product, bool flagged, bool masked, int batch>
CUGRB_DEVICE void multiply_batch(const MxvOperands& a, const merge_tile& tile, unsigned first,
                                 typename Product::type* products, bool* has) {
  using Operand = typename Product::Operand;
  const unsigned last =
      tile.entries - 1;  // loads past the end read the last entry again: no branch around any load
  typename Product::Column k[batch];
  unsigned use = 0;  // bit n: item n has a term; one register instead of `batch` predicates
#pragma unroll
  for (int n = 0; n < batch; ++n) {
    const unsigned e = first + n * 256;
    k[n] = Product::template column<true>(a, tile.entry + (e < last ? e : last));
    if (e <= last && (!masked || has[e])) use |= 1u << n;
  }
  if constexpr (!Operand::always) {
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if ((use >> n & 1u) != 0 && !Operand::has(a.vector, k[n])) use &= ~(1u << n);
    }
  }
  typename Product::type terms[batch];
#pragma unroll
  for (int n = 0; n < batch; ++n) {
    const unsigned e = first + n * 256;
    // T(i)'s own position is not known here: operators that ask for it do not come this way.
    if (!flagged || (use >> n & 1u) != 0) {
      terms[n] = Product::template term<true>(a, tile.entry + (e < last ? e : last), k[n], 0, k[n]);
    }
  }
#pragma unroll
  for (int n = 0; n < batch; ++n) {
    const unsigned e = first + n * 256;
    const bool used = (use >> n & 1u) != 0;
    if (used) products[e] = terms[n];
    if (flagged && e <= last) has[e] = used;
  }
}

/// The tile's products. All of a thread's loads are in flight at once, or half of them where registers would
/// run short.
template <class Product, bool flagged, bool masked, int items>
CUGRB_DEVICE void multiply_tile(const MxvOperands& a, const merge_tile& tile,
                                typename Product::type* products, bool* has) {
  constexpr int batch = sizeof(typename Product::type) >= 8 && items >= 8 ? items / 2 : items;
#pragma unroll 1
  for (unsigned base = 0; base < tile.entries; base += 256 * batch) {
    multiply_batch<Product, flagged, masked, batch>(a, tile, base + thread_index(), products, has);
  }
}

/// Calls on_entry(row, entry) and on_row_end(row) along this thread's piece of the tile's path.
template <int items, class OnEntry, class OnRowEnd>
CUGRB_DEVICE void walk_path(const uint16_t* ends, const merge_tile& tile, OnEntry on_entry,
                            OnRowEnd on_row_end) {
  const unsigned length = tile.rows + tile.entries;
  unsigned d = thread_index() * items;
  if (d >= length) return;
  unsigned row = unsigned(merge_path_rows(ends, tile.rows, tile.entries, d)), entry = d - row;
  const unsigned stop = d + items < length ? d + items : length;
  for (; d < stop; ++d) {
    if (entry < ends[row]) {
      on_entry(row, entry++);
    } else {
      on_row_end(row++);
    }
  }
}

/// This thread's sums; rows that begin and end in its piece are stored.
template <class Product, bool flagged, bool full_result, int items>
CUGRB_DEVICE merge_sums<typename Product::type> sum_path(const MxvOperands& a, const merge_tile& tile,
                                                         const uint16_t* ends,
                                                         const typename Product::type* products,
                                                         const bool* has) {
  using T = typename Product::type;
  merge_sums<T> sums;
  sums.head = sums.tail = no_terms<T>();
  sums.head_row = 0;
  sums.ended = false;
  walk_path<items>(
      ends, tile,
      [&](unsigned, unsigned entry) {
        if (!flagged || has[entry]) add_term<typename Product::Add>(sums.tail, products[entry]);
      },
      [&](unsigned row) {
        if (sums.ended) {
          store_result<full_result>(a, tile.row + row, sums.tail);
        } else {
          sums.head = sums.tail;
          sums.head_row = row;
          sums.ended = true;
        }
        sums.tail = no_terms<T>();
      });
  return sums;
}

/// Grid: one block of 256 threads a tile of 256 * items path steps. Time O((rows + entries) / tiles) a block.
template <class Product, class Mask, bool full_result, int items>
CUGRB_KERNEL_RESIDENT(256, 4)
void mxv_merge(MxvMergeArguments args) {
  using T = typename Product::type;
  static_assert(items * sizeof(T) <= 64, "a tile of products takes at most 16 KB of shared memory");
  constexpr unsigned tile_items = 256 * items;
  constexpr bool masked = !Mask::allows_all, flagged = masked || !Product::Operand::always;
  CUGRB_SHARED(uint16_t, ends, tile_items + 1);
  CUGRB_SHARED(T, products, tile_items);
  CUGRB_SHARED(bool, has, flagged ? tile_items : 1);
  const MxvOperands& a = args.operands;
  const uint64_t t = block_index(), length = a.matrix.rows + a.matrix.entries;
  const uint64_t begin = t * tile_items, end = begin + tile_items < length ? begin + tile_items : length;
  merge_tile tile;
  tile.row = args.tile_rows[t];
  tile.entry = begin - tile.row;
  tile.rows = unsigned(args.tile_rows[t + 1] - tile.row);
  tile.entries = unsigned(end - begin) - tile.rows;

  for (unsigned r = thread_index(); r < tile.rows; r += 256) {
    ends[r] = uint16_t(uint64_t(read_only(Product::offsets(a) + tile.row + r + 1)) - tile.entry);
  }
  if (thread_index() == 0) ends[tile.rows] = uint16_t(tile.entries);
  sync_block();
  if constexpr (masked) {
    unsigned asked = ~0u;
    bool allowed = false;
    walk_path<items>(
        ends, tile,
        [&](unsigned row, unsigned entry) {
          if (row != asked) allowed = Mask::allows(a.mask, tile.row + row);
          asked = row;
          has[entry] = allowed;
        },
        [](unsigned) {});
    sync_block();
  }
  multiply_tile<Product, flagged, masked, items>(a, tile, products, has);
  sync_block();

  merge_sums<T> sums = sum_path<Product, flagged, full_result, items>(a, tile, ends, products, has);
  partial<T> total;
  partial<T> carried = carry_in<typename Product::Add>(sums.tail, sums.ended, total);
  if (sums.ended) {
    add_partial<typename Product::Add>(carried, sums.head);
    store_result<full_result>(a, tile.row + sums.head_row, carried);
  }
  if (thread_index() == 255) {
    args.carry_rows[t] = tile.row + tile.rows;
    static_cast<T*>(args.carry_values)[t] = total.value;
    args.carry_has[t] = total.has ? 1 : 0;
  }
}

/// Adds to each row what earlier tiles carry to it. Grid: one warp a tile; the first tile of a run of carries
/// to the same row works for the run.
template <class Product, bool full_result, int items>
CUGRB_KERNEL(256)
void mxv_merge_carries(MxvMergeArguments args) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  const MxvOperands& a = args.operands;
  const uint64_t first = global_thread() / 32;
  if (first >= args.tiles) return;
  const uint64_t row = args.carry_rows[first];
  if (row >= a.matrix.rows || (first > 0 && args.carry_rows[first - 1] == row)) return;
  uint64_t last = first;  // of the run
  partial<T> sum = sum_carries<Add>(static_cast<const T*>(args.carry_values), args.carry_has, last,
                                    [=](uint64_t t) { return t < args.tiles && args.carry_rows[t] == row; });
  if (lane_index() != 0 || !sum.has) return;
  // Tile `last` ended the row: has it stored terms of its own?
  partial<T> own = no_terms<T>();
  if constexpr (full_result) {
    const uint64_t tile_entry = last * 256 * items - args.tile_rows[last];
    own.has = uint64_t(Product::offsets(a)[row + 1]) > tile_entry;
  } else {
    own.has = a.result.present[row] != 0;
  }
  if (own.has) own.value = static_cast<const T*>(a.result.values)[row];
  add_partial<Add>(sum, own);
  store_result<full_result>(a, row, sum);
}

}  // namespace cugrb
