// Load balancing over segments: which segment holds the n-th item, when segment s holds items starts[s] up to
// starts[s + 1]? A block finds the segments of its tile of items once and keeps their starts in shared
// memory.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/entry_tile.h"

namespace cugrb {

/// The last s in [low, high) with starts[s] <= item; starts[low] <= item. Segments without items are never
/// found.
template <class Offset>
CUGRB_DEVICE uint64_t last_start_at_most(const Offset* starts, uint64_t low, uint64_t high, uint64_t item) {
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (uint64_t(starts[middle]) <= item) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The last n in [low, high) that `holds` holds for, as it does for low and for none behind one that it does
/// not hold for. Called by a whole warp, which asks at 32 places at once: a search by one thread waits for
/// five times as many loads, one after the other.
template <class Holds>
CUGRB_DEVICE uint64_t last_by_warp(uint64_t low, uint64_t high, Holds holds) {
  while (high - low > 1) {
    const uint64_t step = (high - low + 31) / 32, probe = low + lane_index() * step;
    const unsigned held = ballot(full_warp, probe < high && holds(probe));
    low += uint64_t(count_bits(held) - 1) * step;
    high = low + step < high ? low + step : high;
  }
  return low;
}

/// The first p in [low, high) with values[p] >= wanted, else high. Values ascend.
template <class Value>
CUGRB_DEVICE uint64_t lower_bound(const Value* values, uint64_t low, uint64_t high, uint64_t wanted) {
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (uint64_t(read_only(values + middle)) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The segments of one tile.
template <class Offset>
struct tile_segments {
  static constexpr unsigned capacity = 1024;  ///< of shared memory
  const Offset*
      starts;  ///< of `count` segments from `first` on, in shared memory when they fit, else in the array
  uint64_t first, count;
  /// Counted from `first`.
  CUGRB_DEVICE uint64_t segment_of_item(uint64_t item) const {
    return last_start_at_most(starts, 0, count, item);
  }
  CUGRB_DEVICE uint64_t of_item(uint64_t item) const { return first + segment_of_item(item); }
};

/// Where the block's tile of so many entries begins and ends (EntryTile).
CUGRB_DEVICE uint64_t tile_begin() { return uint64_t(block_index()) * EntryTile::entries; }
CUGRB_DEVICE uint64_t tile_end(uint64_t entries) {
  const uint64_t end = tile_begin() + EntryTile::entries;
  return end < entries ? end : entries;
}

/// The same where a block only moves entries (EntryTile::moved_entries).
CUGRB_DEVICE uint64_t move_begin() { return uint64_t(block_index()) * EntryTile::moved_entries; }
CUGRB_DEVICE uint64_t move_end(uint64_t entries) {
  const uint64_t end = move_begin() + EntryTile::moved_entries;
  return end < entries ? end : entries;
}

/// Called by all threads of a block of EntryTile::threads: the segments `first` to `last`, which hold a
/// tile's items. Before the next call, and before the block reuses its shared memory, it must pass a barrier.
template <class Offset, unsigned capacity = tile_segments<Offset>::capacity>
CUGRB_DEVICE tile_segments<Offset> staged_segments(const Offset* starts, uint64_t first, uint64_t last) {
  CUGRB_SHARED(Offset, staged, capacity);
  tile_segments<Offset> tile;
  tile.first = first;
  tile.count = last - first + 1;
  tile.starts = starts + first;
  if (tile.count <= capacity) {
    for (unsigned s = thread_index(); s < tile.count; s += EntryTile::threads) staged[s] = tile.starts[s];
    tile.starts = staged;
  }
  sync_block();
  return tile;
}

/// The same of a non-empty tile [begin, end), whose segments are searched for. `starts` holds `segments`
/// starts.
template <class Offset, unsigned capacity = tile_segments<Offset>::capacity>
CUGRB_DEVICE tile_segments<Offset> segments_of_tile(const Offset* starts, uint64_t segments, uint64_t begin,
                                                    uint64_t end) {
  CUGRB_SHARED(uint64_t, ends_of_range, 2);
  const unsigned warp = thread_index() / 32;
  if (warp < 2) {
    const uint64_t item = warp == 0 ? begin : end - 1;
    const uint64_t found = last_by_warp(0, segments, [&](uint64_t s) { return uint64_t(starts[s]) <= item; });
    if (lane_index() == 0) ends_of_range[warp] = found;
  }
  sync_block();
  return staged_segments<Offset, capacity>(starts, ends_of_range[0], ends_of_range[1]);
}

/// The same of the block's tile of entries that are moved.
template <class Offset>
CUGRB_DEVICE tile_segments<Offset> segments_of_moved(const Offset* starts, uint64_t segments,
                                                     uint64_t entries) {
  return segments_of_tile<Offset, EntryTile::moved_entries / 2>(starts, segments, move_begin(),
                                                                move_end(entries));
}

/// Entries that a thread has under way at once.
constexpr unsigned moved_at_once = 4;

/// Calls load(k, p) for some entries p of the block's tile that fall to the calling thread, counted by
/// k < moved_at_once, then store(k, p) for each of them, and so on. Their loads come before the first store,
/// so that they are under way together.
template <class Load, class Store>
CUGRB_DEVICE void move_entries(uint64_t entries, Load load, Store store) {
  const uint64_t end = move_end(entries);
  constexpr uint64_t apart = EntryTile::threads;
  for (uint64_t first = move_begin() + thread_index(); first < end; first += moved_at_once * apart) {
#pragma unroll
    for (unsigned k = 0; k < moved_at_once; ++k) {
      if (first + k * apart < end) load(k, first + k * apart);
    }
#pragma unroll
    for (unsigned k = 0; k < moved_at_once; ++k) {
      if (first + k * apart < end) store(k, first + k * apart);
    }
  }
}

/// starts[i] = p for each segment i in [low, high]; none where high is below low. Called by a whole warp,
/// each of whose threads has segments of its own; all of them help with many.
template <class Offset>
CUGRB_DEVICE void store_starts(Offset* starts, uint64_t low, uint64_t high, uint64_t p) {
  constexpr uint64_t few = 8;
  const bool many = low + few <= high;
  if (!many) {
    for (uint64_t i = low; i <= high; ++i) starts[i] = Offset(p);
  }
  for (unsigned rest = ballot(full_warp, many); rest != 0; rest &= rest - 1) {
    const int lane = lowest_bit(rest);
    const uint64_t first = shuffle(full_warp, low, lane), last = shuffle(full_warp, high, lane),
                   start = shuffle(full_warp, p, lane);
    for (uint64_t i = first + lane_index(); i <= last; i += warp_lanes) starts[i] = Offset(start);
  }
}

}  // namespace cugrb
