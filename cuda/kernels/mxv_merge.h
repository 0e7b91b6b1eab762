// Pull by merge path: every warp takes the same number of rows plus entries, however the rows' lengths are
// spread.
//
// The path merges the rows' ends with the entries' ordinals; a step consumes an entry of the current row or
// ends the row. Warps cut it at equal distances (cut points are found once a matrix: merge_tile_rows). A warp
// loads, gathers and multiplies its entries in storage order (coalesced), then each lane sums a few that
// follow each other, and sums of rows that go on in the next lane are passed along by a segmented scan. No
// warp waits for another: a row that crosses from tile to tile leaves a piece in each, and a second kernel
// adds them in a fixed order: no atomics, the same bits every time. After D. Merrill and M. Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC16, with segmented sums over lanes (G.
// Blelloch, M. Heroux, M. Zagha, CMU-CS-93-173) in place of walks along the path.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/merge_path.h"
#include "cuda/kernels/mxv_operands.h"

namespace cugrb {

/// A warp's piece of the path.
template <class Offset>
struct merge_tile {
  uint64_t row;            ///< the first
  Offset begin, end;       ///< its entries
  unsigned rows, entries;  ///< how many rows end in it or begin before its end; how many entries it has
  bool last_unfinished;    ///< the last of those rows ends on the path in a later tile
};

/// A row's entries; what a tile has of them.
template <class Offset>
struct merge_row {
  Offset begin, end;

  CUGRB_DEVICE bool starts_before(const merge_tile<Offset>& tile) const { return begin < tile.begin; }
  CUGRB_DEVICE bool ends_later(const merge_tile<Offset>& tile) const { return end > tile.end; }
  CUGRB_DEVICE bool is_in(const merge_tile<Offset>& tile) const {
    return (begin > tile.begin ? begin : tile.begin) < (end < tile.end ? end : tile.end);
  }
  /// Of a row that is in the tile: its entries there, counted from the tile's first.
  CUGRB_DEVICE unsigned low(const merge_tile<Offset>& tile) const {
    return begin > tile.begin ? unsigned(begin - tile.begin) : 0;
  }
  CUGRB_DEVICE unsigned high(const merge_tile<Offset>& tile) const {
    return unsigned((end < tile.end ? end : tile.end) - tile.begin);
  }
};

/// Place of a tile's entry in shared memory: lanes that read each their own few meet in no bank.
template <class T>
CUGRB_DEVICE constexpr unsigned merge_place(unsigned e) {
  return e + e / (sizeof(T) >= 8 ? 16 : 32);
}

/// Tile t of the merge path; every lane of the warp gets it.
template <class Offset>
CUGRB_DEVICE merge_tile<Offset> merge_tile_at(const MxvMergeArguments& args, uint64_t t) {
  const CsrView& matrix = args.operands.matrix;
  const uint64_t begin = t * merge_tile_steps, length = matrix.rows + matrix.entries;
  const uint64_t end = begin + merge_tile_steps < length ? begin + merge_tile_steps : length;
  const uint64_t next_row = read_only(args.tile_rows + t + 1);
  merge_tile<Offset> tile;
  tile.row = read_only(args.tile_rows + t);
  tile.begin = Offset(begin - tile.row);
  tile.end = Offset(end - next_row);
  tile.entries = unsigned(tile.end - tile.begin);
  tile.last_unfinished = next_row < matrix.rows;
  tile.rows = unsigned(next_row - tile.row) + (tile.last_unfinished ? 1 : 0);
  return tile;
}

/// Row r of the tile.
template <class Product, class Offset>
CUGRB_DEVICE merge_row<Offset> merge_row_at(const MxvOperands& a, const merge_tile<Offset>& tile,
                                            unsigned r) {
  const Offset* offsets = Product::offsets(a) + tile.row + r;
  return {read_only(offsets), read_only(offsets + 1)};
}

// ---- where rows end: the lanes' marks, a byte for each of a lane's entries, 1 at the last of a row's
// entries

/// Bit of entry j of the lane.
CUGRB_DEVICE bool is_marked(uint32_t marks, int j) { return (marks >> 8 * j & 1u) != 0; }

/// Marks without any row: what lies after the tile's last entry is by itself.
CUGRB_DEVICE uint32_t no_rows_marked(unsigned entries) {
  const unsigned first = lane_index() * merge_items;
  if (first + merge_items <= entries) return 0;
  return first >= entries ? 0x01010101u : 0x01010101u << 8 * (entries - first);
}

/// Marks the rows' last entries in the tile. `mine`: the lane's first row. The warp's marks are its own
/// lanes'.
template <class Product, class Offset>
CUGRB_DEVICE void mark_rows(const MxvOperands& a, const merge_tile<Offset>& tile,
                            const merge_row<Offset>& mine, uint32_t* marks) {
  marks[lane_index()] = no_rows_marked(tile.entries);
  sync_warp(full_warp);
  uint8_t* ends = reinterpret_cast<uint8_t*>(marks);
  if (mine.is_in(tile)) ends[mine.high(tile) - 1] = 1;
#pragma unroll 1
  for (unsigned r = lane_index() + 32; r < tile.rows; r += 32) {
    const merge_row<Offset> row = merge_row_at<Product>(a, tile, r);
    if (row.is_in(tile)) ends[row.high(tile) - 1] = 1;
  }
}

// ---- bits for a tile's entries: bit l of word j stands for entry 32 * j + l; all lanes have the same words

using merge_bits = unsigned[merge_items];

/// The bits of the entries from `low` to `high` in one word, counted from its first.
CUGRB_DEVICE unsigned bits_between(int low, int high) {
  low = low > 0 ? low : 0;
  high = high < 32 ? high : 32;
  return low < high ? ~0u >> (32 - (high - low)) << low : 0;
}

CUGRB_DEVICE bool any_between(const merge_bits& words, unsigned low, unsigned high) {
  unsigned found = 0;
#pragma unroll
  for (int j = 0; j < merge_items; ++j)
    found |= words[j] & bits_between(int(low) - 32 * j, int(high) - 32 * j);
  return found != 0;
}

/// The bits of the calling lane's own entries; the lowest is the first's.
CUGRB_DEVICE unsigned bits_of_lane(const merge_bits& words) {
  const unsigned first = lane_index() * merge_items;
  unsigned word = words[0];
#pragma unroll
  for (int j = 1; j < merge_items; ++j) {
    if (first / 32 == unsigned(j)) word = words[j];
  }
  return word >> first % 32 & ((1u << merge_items) - 1u);
}

/// Which entries' rows the mask allows.
template <class Product, class Mask, class Offset>
CUGRB_DEVICE void ask_mask(const MxvOperands& a, const merge_tile<Offset>& tile, merge_bits& allowed) {
#pragma unroll
  for (int j = 0; j < merge_items; ++j) allowed[j] = 0;
  for (unsigned base = 0; base < tile.rows; base += 32) {
    const unsigned r = base + lane_index();
    merge_row<Offset> row = {0, 0};
    if (r < tile.rows) row = merge_row_at<Product>(a, tile, r);
    const bool asked = row.is_in(tile) && Mask::allows(a.mask, tile.row + r);
    const int low = asked ? int(row.low(tile)) : 0, high = asked ? int(row.high(tile)) : 0;
#pragma unroll
    for (int j = 0; j < merge_items; ++j) {
      allowed[j] |= or_of_warp(bits_between(low - 32 * j, high - 32 * j));
    }
  }
}

// ---- products and sums

/// What a lane has loaded of the tile's entries: those at lane, lane + 32, ...
template <class Product>
struct merge_entries {
  typename Product::Column columns[merge_items];
  typename Product::MatrixValue values[merge_items];
  bool use[merge_items];  ///< it is in the tile and may have a term
};

/// All of a lane's loads are in flight at once. `allowed`: which entries' rows are, when `masked`. Past the
/// tile's end the last entry is read again: no branch around any load.
template <class Product, bool masked, class Offset>
CUGRB_DEVICE void load_entries(const MxvOperands& a, const merge_tile<Offset>& tile,
                               const merge_bits& allowed, merge_entries<Product>& entries) {
  const unsigned lane = lane_index();
  const Offset last = tile.end > 0 ? tile.end - 1 : 0;  // of this tile, or one before it
#pragma unroll
  for (int j = 0; j < merge_items; ++j) {
    const unsigned e = lane + 32 * unsigned(j);
    const Offset p = e < tile.entries ? tile.begin + e : last;
    entries.use[j] = e < tile.entries && (!masked || (allowed[j] >> lane & 1u) != 0);
    if constexpr (masked) {
      entries.columns[j] = 0;
      entries.values[j] = typename Product::MatrixValue();
      if (!entries.use[j]) continue;
    }
    entries.columns[j] = Product::template column<true>(a, p);
    entries.values[j] = Product::template matrix_value<true>(a, p);
  }
}

/// The tile's products, in storage order. `has`, when `flagged`: which entries have a term.
template <class Product, bool flagged>
CUGRB_DEVICE void multiply_entries(const MxvOperands& a, merge_entries<Product>& entries,
                                   typename Product::type* products, merge_bits& has) {
  using T = typename Product::type;
  typename Product::VectorValue y[merge_items];
  if constexpr (Product::Matrix::has_gaps) {
#pragma unroll
    for (int j = 0; j < merge_items; ++j)
      entries.use[j] = entries.use[j] && entries.columns[j] != Product::Matrix::gap;
  }
  if constexpr (!Product::Operand::always) {
#pragma unroll
    for (int j = 0; j < merge_items; ++j)
      entries.use[j] = entries.use[j] && Product::Operand::has(a.vector, entries.columns[j]);
  }
#pragma unroll
  for (int j = 0; j < merge_items; ++j) {
    if constexpr (flagged) {
      y[j] = typename Product::VectorValue();
      if (!entries.use[j]) continue;
    }
    y[j] = Product::vector_value(a, entries.columns[j]);
  }
#pragma unroll
  for (int j = 0; j < merge_items; ++j) {
    // T(i)'s own position is not known here: operators that ask for it do not come this way.
    T term = T();
    if (!flagged || entries.use[j]) term = Product::term_of(entries.values[j], y[j], 0, entries.columns[j]);
    products[merge_place<T>(lane_index()) + unsigned(j) * merge_place<T>(32)] = term;
    if constexpr (flagged) has[j] = ballot(full_warp, entries.use[j]);
  }
}

/// Sums the products in place: where a row's last entry of the tile is stands its sum in the tile afterwards.
/// `flagged`: entries without a term (has) count for nothing.
template <class Product, bool flagged>
CUGRB_DEVICE void sum_tile(typename Product::type* products, uint32_t marks, const merge_bits& has_words) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  const unsigned lane = lane_index(), has = flagged ? bits_of_lane(has_words) : ~0u;
  T* own = products + merge_place<T>(lane * merge_items);
  partial<T> sum = no_terms<T>();
#pragma unroll
  for (int j = 0; j < merge_items; ++j) {
    if (j > 0 && is_marked(marks, j - 1)) sum = no_terms<T>();
    if (!flagged || (has >> j & 1u) != 0) add_term<Add>(sum, own[j]);
    if (is_marked(marks, j) && sum.has) own[j] = sum.value;
  }
  // A lane begins a run of the scan when a row ends in it, or at the end of the lane before.
  const unsigned ended = ballot(full_warp, marks != 0);
  const unsigned closed = ballot(full_warp, is_marked(marks, merge_items - 1));
  const unsigned starts = (ended & ~closed) | closed << 1 | 1u;
  const unsigned run = lane - unsigned(highest_bit(starts & ~0u >> (31 - lane)));  // lanes of it before this
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    partial<T> left;
    left.value = shuffle_up(full_warp, sum.value, delta);
    left.has = flagged ? shuffle_up(full_warp, sum.has, delta) : true;
    if (run >= delta) {
      add_partial<Add>(left, sum);
      sum = left;
    }
  }
  partial<T> before;
  before.value = shuffle_up(full_warp, sum.value, 1);
  before.has = flagged ? shuffle_up(full_warp, sum.has, 1) : true;
  const bool open = lane > 0 && (closed >> (lane - 1) & 1u) == 0;
  if (!open || marks == 0 || !before.has) return;
  const int first = lowest_bit(marks) / 8;
  if (!flagged || (has & ((2u << first) - 1u)) != 0) add_term<Add>(before, own[first]);
  own[first] = before.value;
}

/// Stores the tile's rows; pieces of rows that cross are left to the second kernel.
template <class Product, bool flagged, bool full_result, class Offset>
CUGRB_DEVICE void store_rows(const MxvMergeArguments& args, uint64_t t, const merge_tile<Offset>& tile,
                             merge_row<Offset> row, const typename Product::type* products,
                             const merge_bits& has) {
  using T = typename Product::type;
#pragma unroll 1
  for (unsigned r = lane_index(); r < tile.rows; r += 32) {
    if (r >= 32) row = merge_row_at<Product>(args.operands, tile, r);
    partial<T> sum = no_terms<T>();
    if (!row.is_in(tile)) {
      const bool unfinished = tile.last_unfinished && r + 1 == tile.rows;
      if (!full_result && row.begin == row.end && !unfinished)
        store_result<full_result>(args.operands, tile.row + r, sum);
      continue;  // else a tile that has entries of it answers for it
    }
    const unsigned high = row.high(tile);
    sum.has = !flagged || any_between(has, row.low(tile), high);
    if (sum.has) sum.value = products[merge_place<T>(high - 1)];
    const bool later = row.ends_later(tile);
    if (!later && !row.starts_before(tile)) {
      store_result<full_result>(args.operands, tile.row + r, sum);
      continue;
    }
    static_cast<T*>(later ? args.tails : args.heads)[t] = sum.value;
    if constexpr (flagged) (later ? args.tail_has : args.head_has)[t] = sum.has ? 1 : 0;
  }
}

/// Six blocks of 256 threads leave 40 registers a thread: enough for plain sums of up to 8 bytes, also of
/// rows with gaps. `asks`: the mask, or which entries u has.
template <class Product, bool asks>
constexpr int merge_residency = asks || sizeof(typename Product::type) > 8 ||
                                        sizeof(typename Product::Offset) > 4
                                    ? 4
                                    : 6;

template <class Product, class Mask>
constexpr bool merge_asks = !Mask::allows_all || !Product::Operand::always;
/// Not every entry has a term.
template <class Product, class Mask>
constexpr bool merge_flagged = merge_asks<Product, Mask> || Product::Matrix::has_gaps;

/// Grid: one warp a tile of the path, blocks of 256 threads. Time O(1) a lane, and O(rows / 32) where a tile
/// has many rows.
template <class Product, class Mask, bool full_result>
CUGRB_KERNEL_RESIDENT(256, (merge_residency<Product, merge_asks<Product, Mask>>))
void mxv_merge(MxvMergeArguments args) {
  using T = typename Product::type;
  using Offset = typename Product::Offset;
  constexpr bool masked = !Mask::allows_all, flagged = merge_flagged<Product, Mask>;
  constexpr unsigned places = merge_place<T>(merge_tile_steps);
  CUGRB_SHARED(T, products_of_block, 8 * places);
  CUGRB_SHARED(uint32_t, marks_of_block, 256);
  wait_for_earlier_kernels();
  const uint64_t t = global_thread() / 32;
  if (t >= args.tiles) return;
  T* products = products_of_block + thread_index() / 32 * places;
  uint32_t* marks = marks_of_block + thread_index() / 32 * 32;
  const merge_tile<Offset> tile = merge_tile_at<Offset>(args, t);
  merge_bits has = {};
  if constexpr (masked) ask_mask<Product, Mask>(args.operands, tile, has);
  merge_entries<Product> entries;
  load_entries<Product, masked>(args.operands, tile, has, entries);
  merge_row<Offset> mine = {0, 0};
  if (lane_index() < tile.rows) mine = merge_row_at<Product>(args.operands, tile, lane_index());
  mark_rows<Product>(args.operands, tile, mine, marks);  // while entries are on their way
  multiply_entries<Product, flagged>(args.operands, entries, products, has);
  sync_warp(full_warp);
  sum_tile<Product, flagged>(products, marks[lane_index()], has);
  sync_warp(full_warp);
  store_rows<Product, flagged, full_result>(args, t, tile, mine, products, has);
}

// ---- rows that cross from tile to tile

/// The tiles that a row lies in: it begins in tile `first` and has its last entry in `last`.
struct merge_run {
  uint64_t row, first, last;
};

/// The row that begins in tile t and goes on, if there is one; else first == last.
template <class Product>
CUGRB_DEVICE merge_run merge_run_from(const MxvMergeArguments& args, uint64_t t) {
  using Offset = typename Product::Offset;
  merge_run run = {0, t, t};
  if (t >= args.tiles) return run;
  const merge_tile<Offset> tile = merge_tile_at<Offset>(args, t);
  if (!tile.last_unfinished) return run;
  const merge_row<Offset> row = merge_row_at<Product>(args.operands, tile, tile.rows - 1);
  if (!row.is_in(tile) || row.starts_before(tile) || !row.ends_later(tile)) return run;
  run.row = tile.row + tile.rows - 1;
  run.last = (uint64_t(row.end) - 1 + run.row) / merge_tile_steps;
  return run;
}

/// Adds up the pieces of the rows that cross. Grid: one thread a tile; a warp together where a row has pieces
/// in many.
template <class Product, bool flagged, bool full_result>
CUGRB_KERNEL(256)
void mxv_merge_carries(MxvMergeArguments args) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  constexpr uint64_t most_alone = 8;  // tiles
  const auto add_pieces = [&](partial<T>& sum, const merge_run& run, uint64_t first, uint64_t step) {
#pragma unroll 4
    for (uint64_t q = run.first + first; q <= run.last; q += step) {
      const bool head = q == run.last;
      if (flagged && (head ? args.head_has : args.tail_has)[q] == 0) continue;
      add_term<Add>(sum, static_cast<const T*>(head ? args.heads : args.tails)[q]);
    }
  };
  // What was queued before the kernel that leaves the pieces is done, since that one has waited: the matrix
  // can be read already.
  const merge_run mine = merge_run_from<Product>(args, global_thread());
  wait_for_earlier_kernels();
  const bool crosses = mine.last > mine.first, shared = mine.last - mine.first > most_alone;
  if (crosses && !shared) {
    partial<T> sum = no_terms<T>();
    add_pieces(sum, mine, 0, 1);
    store_result<full_result>(args.operands, mine.row, sum);
  }
  for (unsigned waiting = ballot(full_warp, shared); waiting != 0; waiting &= waiting - 1) {
    const merge_run run = shuffle(full_warp, mine, lowest_bit(waiting));
    partial<T> sum = no_terms<T>();
    add_pieces(sum, run, lane_index(), 32);
    sum = sum_over_lanes<Add, 32>(full_warp, sum);
    if (lane_index() == 0) store_result<full_result>(args.operands, run.row, sum);
  }
}

}  // namespace cugrb
