// Pull on tile-composite: popular columns' values in shared memory, 16-bit column indices, no row offsets at
// all.
//
// Random loads from L2 bound SpMV on graphs (about 150 G/s on an H200, 0.7 a clock and multiprocessor);
// shared memory serves an order more. A power-law graph's most popular 57,344 columns, one FP32 tile, hold
// half of the entries or more. Every block keeps one tile for its whole life (so a tile is loaded once for
// each of its blocks, not once for each row of the matrix). A warp walks a contiguous stretch of the tile's
// steps: 128 entries each, whose addresses need nothing but the step's number, so that loads run ahead of the
// sums. Where a workload ends, lanes hand over their rows' sums without a branch among them. The cold part
// goes the same way with 32-bit places and operands from memory. A row's sums meet in tile_combine, always in
// the same order: the same bits every time. After X. Yang, S. Parthasarathy and P. Sadayappan, "Fast Sparse
// Matrix-Vector Multiplication on GPUs: Implications for Graph Mining", VLDB 2011 (tiling by column
// popularity, rows ranked by length and packed into rectangular workloads), with the texture cache replaced
// by shared memory.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_tiles.h"
#include "cuda/views/tile_composite.h"

namespace cugrb {

/// reordered[r] = u(gathered_columns[r]), then u itself. One thread for four elements.
template <class Values, class Operand>
CUGRB_KERNEL(256)
void tile_gather(TileGatherArguments a) {
  wait_for_earlier_kernels();
  const uint64_t first = uint64_t(block_index()) * TileGatherArguments::block_places + thread_index(),
                 count = a.gathered + a.copied;
  uint64_t from[TileGatherArguments::each];
#pragma unroll
  for (unsigned n = 0; n < TileGatherArguments::each; ++n) {
    const uint64_t r = first + uint64_t(n) * TileGatherArguments::threads;
    from[n] = r < a.gathered ? read_streaming(a.gathered_columns + r) : r < count ? r - a.gathered : 0;
  }
#pragma unroll
  for (unsigned n = 0; n < TileGatherArguments::each; ++n) {
    const uint64_t r = first + uint64_t(n) * TileGatherArguments::threads;
    if (r < count) {
      static_cast<Operand*>(a.reordered)[r] = Values::template at<Operand, false>(a.vector.values, from[n]);
    }
  }
}

/// Operands in shared memory, by column in the tile.
template <class Operand>
struct operands_in_tile {
  using Column = uint16_t;
  const Operand* tile;
  CUGRB_DEVICE Operand at(uint16_t column) const { return tile[column]; }
};
/// Operands in memory, by place: the popular columns' in order, the others' where the vector has them.
template <class Operand>
struct operands_in_memory {
  using Column = uint32_t;
  const Operand* popular;
  const Operand* others;
  uint32_t popular_count;
  CUGRB_DEVICE Operand at(uint32_t place) const {
    return read_only(place < popular_count ? popular + place : others + (place - popular_count));
  }
};

template <class Column>
constexpr Column no_column = Column(~Column(0));

/// What a lane has loaded for one step.
template <class Product, class Column>
struct tile_entries {
  Column columns[4];
  typename Product::MatrixOperand values[4];
};

/// Adds a step's entries to the lane's sum. The first entry of a lane is always there (a lane without one
/// belongs to no row, and nobody asks for its sum).
template <class Product, class Operands, class Column>
CUGRB_DEVICE void add_entries(typename Product::type& sum, bool first,
                              const tile_entries<Product, Column>& entries, const Operands& operands) {
  using T = typename Product::type;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const Column column = entries.columns[j];
    const bool there = column != no_column<Column>;
    if (j > 0) {
      if (there) sum = Product::Add::combine(sum, Product::term(entries.values[j], operands.at(column)));
      continue;
    }
    // No branch: the lanes of a warp begin together.
    const T term = Product::term(entries.values[0], operands.at(there ? column : Column(0)));
    const T combined = first ? term : Product::Add::combine(sum, term);
    if (first || there) sum = combined;
  }
}

/// Ends of the workloads that a warp walks, 32 at a time in its lanes, the next 32 on their way.
struct workload_ends {
  const uint32_t* offsets;
  uint32_t workload, last;  ///< lane 0 has the end of `workload`
  uint32_t now, later;
  unsigned lane;

  CUGRB_DEVICE uint32_t load(uint32_t first) const {
    const uint32_t w = first + 1 + lane_index();
    return read_only(offsets + (w < last ? w : last));
  }
  CUGRB_DEVICE uint32_t begin() {
    now = load(workload);
    later = load(workload + 32);
    lane = 0;
    return shuffle(full_warp, now, 0);
  }
  CUGRB_DEVICE uint32_t next() {
    if (++lane == 32) {
      lane = 0;
      workload += 32;
      now = later;
      later = load(workload + 32);
    }
    return shuffle(full_warp, now, int(lane));
  }
};

/// A warp's stretches, a class each: from first(c) up to last(c). In the warp's lanes, class after class.
struct tile_stretches {
  uint32_t word;

  CUGRB_DEVICE TileCut first(int c) const {
    return {shuffle(full_warp, word, 4 * c), shuffle(full_warp, word, 4 * c + 1)};
  }
  CUGRB_DEVICE TileCut last(int c) const {
    return {shuffle(full_warp, word, 4 * c + 2), shuffle(full_warp, word, 4 * c + 3)};
  }
};
CUGRB_DEVICE tile_stretches stretches_of(const TileCompositeView& matrix, const TileLayout& layout,
                                         uint32_t warp) {
  const unsigned row_class = lane_index() / 4 % tile_classes;
  const TileCut* cuts = matrix.cuts + layout.first_cut + uint64_t(row_class) * (layout.warps + 1) + warp;
  const TileCut& cut = cuts[lane_index() / 2 % 2];
  return {read_only(lane_index() % 2 == 0 ? &cut.workload : &cut.step)};
}

/// One warp's stretch of one class of workloads. `columns` are those from step `base` on. (The class is no
/// template argument: four copies of the steps' loop took the compiler 0.3 s.)
template <class Product, int ahead, class Operands>
CUGRB_DEVICE void walk_class(const MxvTileCompositeArguments& args, const TileWorkloads& work, unsigned lanes,
                             TileCut from, TileCut to, const typename Operands::Column* columns,
                             uint32_t base, const Operands& operands) {
  using Column = typename Operands::Column;
  using T = typename Product::type;
  const unsigned rows_each = 32 / lanes;
  if (from.workload >= to.workload) return;
  uint32_t step = from.step;
  const uint32_t end = to.step;
  const uint64_t place = (uint64_t(step) * 32 + lane_index()) * 4;
  const Column* next_columns = columns + (place - uint64_t(base) * tile_step_entries);
  uint64_t next_value = place;
  tile_entries<Product, Column> entries[ahead];
  const auto load = [&](tile_entries<Product, Column>& to) {
    read_streaming_four(next_columns, to.columns);
    values_by_four<typename Product::Values>::read(args.matrix.values, next_value, to.values);
    next_columns += tile_step_entries;
    next_value += tile_step_entries;
  };
#pragma unroll
  for (int d = 0; d < ahead; ++d) {
    if (step + d < end) load(entries[d]);
  }
  workload_ends ends{args.matrix.step_offsets, from.workload, to.workload, 0, 0, 0};
  uint32_t stop = ends.begin();
  T* sums = static_cast<T*>(args.sums) + work.slot_base + (from.workload - work.first) * rows_each +
            lane_index() / lanes;
  const bool stores = lane_index() % lanes == 0;
  T sum = T();
  bool first = true;
  while (true) {
#pragma unroll
    for (int d = 0; d < ahead; ++d) {
      add_entries<Product>(sum, first, entries[d], operands);
      first = false;
      if (step + ahead < end) load(entries[d]);
      if (++step != stop) continue;
#pragma unroll 1
      for (unsigned delta = lanes / 2; delta > 0; delta /= 2) {
        sum = Product::Add::combine(sum, shuffle_down(full_warp, sum, delta, int(lanes)));
      }
      if (stores) *sums = sum;
      if (step == end) return;
      sums += rows_each;
      first = true;
      stop = ends.next();
    }
  }
}

template <class Product, int ahead, class Operands>
CUGRB_DEVICE void walk_tile(const MxvTileCompositeArguments& args, const TileLayout& layout,
                            const tile_stretches& stretches, const typename Operands::Column* columns,
                            uint32_t base, const Operands& operands) {
#pragma unroll 1
  for (int c = 0; c < tile_classes; ++c) {
    unsigned lanes = tile_class_lanes[0];
#pragma unroll
    for (int n = 1; n < tile_classes; ++n) {
      if (n == c) lanes = tile_class_lanes[n];
    }
    walk_class<Product, ahead>(args, layout.classes[c], lanes, stretches.first(c), stretches.last(c), columns,
                               base, operands);
  }
}

/// Grid: one block a share; dynamic shared memory: a tile of operands. Blocks of up to 1024 threads. `ahead`:
/// steps whose loads a warp has in flight.
template <class Product, int ahead>
CUGRB_KERNEL_RESIDENT(1024, 1)
void mxv_tile_composite(MxvTileCompositeArguments args) {
  wait_for_earlier_kernels();
  using Operand = typename Product::VectorOperand;
  CUGRB_DYNAMIC_SHARED(Operand, tile);
  const TileShare& share = args.shares[block_index()];
  const TileLayout& layout = share.layout;
  const tile_stretches stretches = stretches_of(args.matrix, layout, share.first_warp + thread_index() / 32);
  const Operand* popular = static_cast<const Operand*>(args.reordered);
  load_tile<values_array<Operand>>(tile, popular, uint64_t(layout.tile) * args.matrix.tile_columns,
                                   layout.columns);
  sync_block();
  walk_tile<Product, ahead>(args, layout, stretches, args.matrix.columns, 0, operands_in_tile<Operand>{tile});
}

/// The cold part. Grid: blocks of 256 threads, a warp for each of cold.warps.
template <class Product, int ahead>
CUGRB_KERNEL(256)
void mxv_tile_composite_cold(MxvTileCompositeArguments args) {
  wait_for_earlier_kernels();
  using Operand = typename Product::VectorOperand;
  const uint32_t warp = uint32_t(global_thread() / 32);
  if (warp >= args.cold.warps) return;
  walk_tile<Product, ahead>(
      args, args.cold, stretches_of(args.matrix, args.cold, warp), args.matrix.cold_columns,
      args.matrix.cold_step,
      operands_in_memory<Operand>{static_cast<const Operand*>(args.reordered),
                                  static_cast<const Operand*>(args.others), args.popular});
}

/// Stores T(i), or that it has no entry.
template <bool full_result, class T>
CUGRB_DEVICE void store_combined(const TileCombineArguments& args, uint64_t i, const partial<T>& sum) {
  if (full_result || sum.has) static_cast<T*>(args.result.values)[i] = sum.value;
  if constexpr (!full_result) args.result.present[i] = sum.has ? 1 : 0;
}

/// Grid: a warp for each long row, in whole blocks, then a thread for each row.
template <class Add, class Mask, bool full_result>
CUGRB_KERNEL(256)
void tile_combine(TileCombineArguments args) {
  wait_for_earlier_kernels();
  using T = typename Add::type;
  constexpr int at_once = 4;  // loads in flight
  const T* sums = static_cast<const T*>(args.sums);
  const uint64_t long_blocks = (args.long_count + 7) / 8;
  partial<T> sum = no_terms<T>();
  if (block_index() < long_blocks) {
    const uint64_t number = global_thread() / 32;
    if (number >= args.long_count) return;
    const uint64_t i = args.long_rows[number];
    if (Mask::allows(args.mask, i)) {
      for (uint32_t p = args.row_offsets[i] + lane_index(); p < args.row_offsets[i + 1]; p += 32) {
        add_term<Add>(sum, sums[args.row_slots[p]]);
      }
    }
    sum = sum_over_lanes<Add, 32>(full_warp, sum);
    if (lane_index() == 0) store_combined<full_result>(args, i, sum);
    return;
  }
  const uint64_t i = global_thread() - long_blocks * 256;
  if (i >= args.rows) return;
  const uint32_t begin = read_only(args.row_offsets + i), end = read_only(args.row_offsets + i + 1);
  if (end - begin > most_row_slots) return;  // a warp has it
  if (begin < end && Mask::allows(args.mask, i)) {
    for (uint32_t base = begin; base < end; base += at_once) {
      uint32_t slots[at_once];
      T found[at_once];
#pragma unroll
      for (uint32_t p = 0; p < at_once; ++p)
        slots[p] = read_only(args.row_slots + (base + p < end ? base + p : base));
#pragma unroll
      for (int p = 0; p < at_once; ++p) found[p] = read_only(sums + slots[p]);
#pragma unroll
      for (uint32_t p = 0; p < at_once; ++p) {
        if (base + p < end) add_term<Add>(sum, found[p]);
      }
    }
  }
  store_combined<full_result>(args, i, sum);
}

}  // namespace cugrb
