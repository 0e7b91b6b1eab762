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

/// Items of a tile that fall to a thread.
constexpr unsigned items_of_thread = EntryTile::entries / EntryTile::threads;

/// Where the block's tile of so many entries begins and ends (EntryTile).
CUGRB_DEVICE uint64_t tile_begin() { return uint64_t(block_index()) * EntryTile::entries; }
CUGRB_DEVICE uint64_t tile_end(uint64_t entries) {
  const uint64_t end = tile_begin() + EntryTile::entries;
  return end < entries ? end : entries;
}

/// Called by all threads of a block of EntryTile::threads: the segments `first` to `last`, which hold a
/// tile's items. Before the next call, and before the block reuses its shared memory, it must pass a barrier.
template <class Offset>
CUGRB_DEVICE tile_segments<Offset> staged_segments(const Offset* starts, uint64_t first, uint64_t last) {
  constexpr unsigned capacity = tile_segments<Offset>::capacity;
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
template <class Offset>
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
  return staged_segments(starts, ends_of_range[0], ends_of_range[1]);
}

/// Calls load(k, p) for each item p in [begin, end) that falls to the calling thread of a block of
/// EntryTile::threads, then store(k, p) for each; `k` counts them from 0. All loads of a thread come before
/// its first store, so that they are under way together.
template <class Load, class Store>
CUGRB_DEVICE void for_items_of_tile(uint64_t begin, uint64_t end, Load load, Store store) {
#pragma unroll
  for (unsigned k = 0; k < items_of_thread; ++k) {
    const uint64_t p = begin + k * EntryTile::threads + thread_index();
    if (p < end) load(k, p);
  }
#pragma unroll
  for (unsigned k = 0; k < items_of_thread; ++k) {
    const uint64_t p = begin + k * EntryTile::threads + thread_index();
    if (p < end) store(k, p);
  }
}

}  // namespace cugrb
