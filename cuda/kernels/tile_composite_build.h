// Construction of tile-composite from CSR: columns by popularity, rows by their length in each tile, entries
// to their places. src/formats/tile_composite.cpp calls these in order.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/views/tile_composite.h"

namespace cugrb {

// ---- columns
// ------------------------------------------------------------------------------------------------

/// Keys and payload of the sort by count. One thread a column.
template <int>
CUGRB_KERNEL(256)
void tile_column_keys(TileColumnsArguments a) {
  const uint64_t k = global_thread();
  if (k >= a.matrix.columns_count) return;
  a.keys[k] = ~a.counts[k];
  a.payload[k] = k;
}

/// Where each column goes: the first `gathered` in order, the others behind them in their own order.
template <int>
CUGRB_KERNEL(256)
void tile_column_places(TileColumnsArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.matrix.columns_count) return;
  const uint64_t column = a.payload[r];
  a.places[column] = uint32_t(r < a.gathered ? r : a.gathered + column);
  if (r < a.gathered) a.gathered_columns[r] = uint32_t(column);
}

// ---- rows of a tile
// -----------------------------------------------------------------------------------------

/// The tile of a place; `tiles` for all that are cold.
template <class Arguments>
CUGRB_DEVICE int part_of_place(const Arguments& a, uint32_t place) {
  const uint32_t tile = place / a.tile_columns;
  return tile < uint32_t(a.tiles) ? int(tile) : a.tiles;
}

/// Entries of a row that its warp takes a round, in loads that are in flight together: a row may have 10^5 of
/// them.
constexpr int tile_batch = 4;

/// The places of tile_batch * 32 entries from `base` on, and their parts; past the end of the row -1.
template <class Arguments, class Offset, class Column>
CUGRB_DEVICE void load_places(const Arguments& a, const Column* columns, Offset base, Offset end,
                              uint32_t (&places)[tile_batch], int (&parts)[tile_batch]) {
  Column loaded[tile_batch];
#pragma unroll
  for (int n = 0; n < tile_batch; ++n) {
    const Offset p = base + Offset(n * 32) + lane_index();
    loaded[n] = read_only(columns + (p < end ? p : end - 1));
  }
#pragma unroll
  for (int n = 0; n < tile_batch; ++n) places[n] = read_only(a.places + loaded[n]);
#pragma unroll
  for (int n = 0; n < tile_batch; ++n) {
    parts[n] = base + Offset(n * 32) + lane_index() < end ? part_of_place(a, places[n]) : -1;
  }
}

/// lengths[t * rows + i] = entries of row i in tile t, or in the cold part (t == tiles). One warp a row: lane
/// t counts part t.
template <class Offset, class Column>
CUGRB_KERNEL(256)
void tile_row_lengths(TileRowsArguments a) {
  const uint64_t i = global_thread() / 32;
  if (i >= a.matrix.rows) return;
  const Offset* offsets = static_cast<const Offset*>(a.matrix.offsets);
  const Offset begin = offsets[i], end = offsets[i + 1];
  uint32_t length = 0;
  for (Offset base = begin; base < end; base += 32 * tile_batch) {
    uint32_t places[tile_batch];
    int parts[tile_batch];
    load_places(a, static_cast<const Column*>(a.matrix.columns), base, end, places, parts);
    for (int t = 0; t <= a.tiles; ++t) {
      uint32_t members = 0;
#pragma unroll
      for (int n = 0; n < tile_batch; ++n) members += uint32_t(count_bits(ballot(full_warp, parts[n] == t)));
      if (int(lane_index()) == t) length += members;
    }
  }
  if (int(lane_index()) <= a.tiles) a.lengths[uint64_t(lane_index()) * a.matrix.rows + i] = length;
}

/// flags[i]: row i has entries in the tile, and few enough to be a row of a workload (`long_ones`: too many).
template <bool long_ones>
CUGRB_KERNEL(256)
void tile_row_flags(TileRowsArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.matrix.rows) return;
  const uint32_t length = a.lengths[uint64_t(a.tile) * a.matrix.rows + i];
  const bool is_long = a.classes.is_long(length);
  a.flags[i] = length > 0 && is_long == long_ones ? 1 : 0;
}

/// Keys that bring rows of a class together, neighbours within windows (their sums are stored near each
/// other), the longest of a window first (little padding). Counts the classes. One thread a flagged row.
template <int>
CUGRB_KERNEL(256)
void tile_row_keys(TileRowsArguments a) {
  const uint64_t n = global_thread();
  int row_class = -1;
  if (n < a.count) {
    const uint64_t i = a.positions[n];
    const uint32_t length = a.lengths[uint64_t(a.tile) * a.matrix.rows + i];
    row_class = a.classes.class_of(length);
    const uint64_t window = row_class == tile_classes - 1 ? i / a.window_rows : 0;
    a.keys[n] = uint64_t(row_class) << 60 | window << 16 | (0xffffu - length);
  }
#pragma unroll
  for (int c = 1; c < tile_classes; ++c) {
    const unsigned members = ballot(full_warp, row_class == c);
    if (lane_index() == 0 && members != 0) atomic_add(a.class_counts + c, uint64_t(count_bits(members)));
  }
}

/// Where the n-th of the sorted rows stands in its class.
struct tile_row_place {
  uint64_t workload;
  uint32_t group, lanes;
  uint64_t slot;
};
CUGRB_DEVICE tile_row_place place_of_sorted(const TileRowsArguments& a, uint64_t n, uint32_t length) {
  const int c = a.classes.class_of(length);
  const uint64_t rank = n - a.first_of_class[c];
  tile_row_place place;
  place.lanes = uint32_t(tile_class_lanes[c]);
  const uint32_t rows = 32 / place.lanes;
  place.workload = a.layout.classes[c].first + rank / rows;
  place.group = uint32_t(rank % rows);
  place.slot = a.layout.classes[c].slot_base + rank;
  return place;
}

/// Steps of the workloads: the first row of each finds its longest. Counts the rows' slots. One thread a
/// sorted row.
template <int>
CUGRB_KERNEL(256)
void tile_row_places(TileRowsArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t i = a.sorted_rows[n];
  const uint32_t* lengths = a.lengths + uint64_t(a.tile) * a.matrix.rows;
  const tile_row_place place = place_of_sorted(a, n, lengths[i]);
  ++a.slot_counts[i];
  if (place.group != 0) return;
  const int c = a.classes.class_of(lengths[i]);
  const uint64_t class_end = c + 1 < tile_classes ? a.first_of_class[c + 1] : a.count;
  uint32_t longest = 0;
  for (uint64_t other = n; other < n + 32 / place.lanes && other < class_end; ++other) {
    const uint32_t length = lengths[a.sorted_rows[other]];
    longest = length > longest ? length : longest;
  }
  const uint32_t a_step = 4 * place.lanes;
  a.steps[place.workload] = (longest + a_step - 1) / a_step;
}

/// Lists the slots by row, in the order of the parts: slot_counts, cleared, counts again. One thread a sorted
/// row, then a long row.
template <int>
CUGRB_KERNEL(256)
void tile_list_slots(TileSlotsArguments a) {
  const TileRowsArguments& rows = a.rows;
  const uint64_t n = global_thread();
  if (n < rows.count) {
    const uint64_t i = rows.sorted_rows[n];
    const uint32_t length = rows.lengths[uint64_t(rows.tile) * rows.matrix.rows + i];
    rows.row_slots[rows.row_offsets[i] + rows.slot_counts[i]++] =
        uint32_t(place_of_sorted(rows, n, length).slot);
  } else if (n - rows.count < a.long_count) {
    const TileLongRow row = a.long_rows[n - rows.count];
    const uint32_t pieces = rows.classes.pieces_of(row.length);
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      rows.row_slots[rows.row_offsets[row.row] + rows.slot_counts[row.row]++] =
          uint32_t(row.first_slot + piece);
    }
  }
}

/// Counts the pieces of a part's long rows as slots. One thread a long row.
template <int>
CUGRB_KERNEL(256)
void tile_count_pieces(TileSlotsArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.long_count) return;
  const TileLongRow row = a.long_rows[n];
  a.rows.slot_counts[row.row] += a.rows.classes.pieces_of(row.length);
}

/// flags[i]: row i has many slots. One thread a row.
template <int>
CUGRB_KERNEL(256)
void tile_many_slots(TileRowsArguments a) {
  const uint64_t i = global_thread();
  if (i < a.matrix.rows) a.flags[i] = a.slot_counts[i] > most_row_slots ? 1 : 0;
}

// ---- entries
// ------------------------------------------------------------------------------------------------

/// Where the rank-th entry of a row goes: `lanes` lanes of 4 entries a step.
CUGRB_DEVICE uint64_t tile_entry_place(uint32_t first_step, uint32_t lanes, uint32_t group, uint32_t rank) {
  const uint64_t step = first_step + rank / (4 * lanes);
  const uint32_t lane = group * lanes + rank / 4 % lanes;
  return (step * 32 + lane) * 4 + rank % 4;
}

/// What lane t of a row's warp knows of the row in part t.
struct tile_row_target {
  uint32_t length, seen;  ///< entries; how many are placed already
  uint32_t workload;      ///< the row's, or its first piece's
  uint32_t step, lanes, group;
};
CUGRB_DEVICE tile_row_target target_of(const TileFillArguments& a, uint64_t i) {
  tile_row_target target = {};
  const int part = int(lane_index());
  if (part <= a.tiles) target.length = a.lengths[uint64_t(part) * a.matrix.rows + i];
  const TileRowClasses& classes = part == a.tiles ? a.cold_rows : a.tile_rows;
  const int row_class = classes.class_of(target.length);
  const uint32_t slots = row_class == 0 ? classes.pieces_of(target.length) : target.length > 0 ? 1 : 0;
  uint32_t before = slots;  // slots of the parts up to this one
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const uint32_t left = shuffle_up(full_warp, before, delta);
    if (lane_index() >= delta) before += left;
  }
  if (slots == 0) return target;
  const uint64_t slot = a.row_slots[a.row_offsets[i] + before - slots];
  const TileWorkloads work = a.parts[part].classes[row_class];
  target.lanes = uint32_t(tile_class_lanes[row_class]);
  const uint32_t rows_each = 32 / target.lanes;
  target.workload = uint32_t(work.first + (slot - work.slot_base) / rows_each);
  target.group = uint32_t((slot - work.slot_base) % rows_each);
  target.step = a.step_offsets[target.workload];
  return target;
}

/// Puts entry p, the rank-th of its row in its part, where it belongs.
template <class Element>
CUGRB_DEVICE void put_entry(const TileFillArguments& a, int part, uint32_t place, uint64_t p, uint32_t rank,
                            const tile_row_target& target) {
  uint32_t step = target.step;
  const TileRowClasses& classes = part == a.tiles ? a.cold_rows : a.tile_rows;
  if (classes.is_long(target.length)) {
    const uint32_t piece = uint32_t(uint64_t(rank) * classes.pieces_of(target.length) / target.length);
    rank -= uint32_t(classes.begin_of_piece(target.length, piece));
    step = a.step_offsets[target.workload + piece];
  }
  const uint64_t q = tile_entry_place(step, target.lanes, target.group, rank);
  if (part < a.tiles) {
    a.columns[q] = uint16_t(place - uint32_t(part) * a.tile_columns);
  } else {
    a.cold_columns[q - uint64_t(a.cold_step) * tile_step_entries] = place;
  }
  move_element<Element>(a.values, q, a.matrix.values, p);
}

/// Entries to their places. One warp a row: lane t keeps count of part t.
template <class Offset, class Column, class Element>
CUGRB_KERNEL(256)
void tile_fill(TileFillArguments a) {
  const uint64_t i = global_thread() / 32;
  if (i >= a.matrix.rows) return;
  const Offset* offsets = static_cast<const Offset*>(a.matrix.offsets);
  const Offset begin = offsets[i], end = offsets[i + 1];
  if (begin == end) return;
  tile_row_target target = target_of(a, i);
  const unsigned before = (1u << lane_index()) - 1u;
  for (Offset base = begin; base < end; base += 32 * tile_batch) {
    uint32_t places[tile_batch];
    int parts[tile_batch];
    load_places(a, static_cast<const Column*>(a.matrix.columns), base, end, places, parts);
#pragma unroll
    for (int n = 0; n < tile_batch; ++n) {
      uint32_t rank = 0, count = 0;  // of this entry among its part's; of lane t's part in this round
      for (int t = 0; t <= a.tiles; ++t) {
        const unsigned members = ballot(full_warp, parts[n] == t);
        if (parts[n] == t) rank = uint32_t(count_bits(members & before));
        if (int(lane_index()) == t) count = uint32_t(count_bits(members));
      }
      const tile_row_target whose = shuffle(full_warp, target, parts[n] < 0 ? 0 : parts[n]);
      target.seen += count;
      if (parts[n] < 0) continue;
      const uint64_t p = base + Offset(n * 32) + lane_index();
      put_entry<Element>(a, parts[n], places[n], p, whose.seen + rank, whose);
    }
  }
}

/// Cuts each class of a tile's workloads into about equal numbers of steps, one for each warp. One thread a
/// cut.
template <int>
CUGRB_KERNEL(256)
void tile_cuts(TileCutsArguments a) {
  const uint64_t cuts = a.layout.warps + uint64_t(1), n = global_thread();
  if (n >= cuts * tile_classes) return;
  const TileWorkloads work = a.layout.classes[n / cuts];
  const uint64_t first = a.step_offsets[work.first], last = a.step_offsets[work.last];
  const uint64_t wanted = first + (last - first) * (n % cuts) / a.layout.warps;
  uint64_t low = work.first, high = work.last;  // the first workload that begins at `wanted` or after it
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (a.step_offsets[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  a.cuts[a.layout.first_cut + n] = {uint32_t(low), a.step_offsets[low]};
}

}  // namespace cugrb
