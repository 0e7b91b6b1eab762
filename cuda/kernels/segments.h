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

/// The first and the last segment with items of a tile.
struct segment_range {
  uint64_t first, last;
};

/// Of a non-empty tile [begin, end). `starts` holds `segments` starts. Passes a barrier.
template <class Offset>
CUGRB_DEVICE segment_range range_of_tile(const Offset* starts, uint64_t segments, uint64_t begin,
                                         uint64_t end) {
  CUGRB_SHARED(uint64_t, ends_of_range, 2);
  const unsigned warp = thread_index() / 32;
  if (warp < 2) {
    const uint64_t item = warp == 0 ? begin : end - 1;
    const uint64_t found = last_by_warp(0, segments, [&](uint64_t s) { return uint64_t(starts[s]) <= item; });
    if (lane_index() == 0) ends_of_range[warp] = found;
  }
  sync_block();
  return {ends_of_range[0], ends_of_range[1]};
}

/// Called by all threads of a block of EntryTile::threads: the segments of a non-empty tile [begin, end).
/// Before the next call, and before the block reuses its shared memory, it must pass a barrier.
template <class Offset>
CUGRB_DEVICE tile_segments<Offset> segments_of_tile(const Offset* starts, uint64_t segments, uint64_t begin,
                                                    uint64_t end) {
  const segment_range range = range_of_tile(starts, segments, begin, end);
  return staged_segments<Offset>(starts, range.first, range.last);
}

/// The groups of a block's items, which follow each other: each has a number or something else that tells it,
/// and begins with an item of its own. A bit for each item that begins one; the last of these at an item or
/// before it is found in a few steps, however many groups there are. A block of 256, at most 4096 items.
template <unsigned capacity, class Group = uint16_t>
struct group_marks {
  static constexpr unsigned words = (capacity + 31) / 32;
  struct memory {
    uint32_t begins[words];  ///< the bits
    uint32_t before[words];  ///< the last such item before each word's first one, or 0
    Group groups[capacity];  ///< the group of an item that begins one
  };
  memory* marks;

  /// In shared memory, once a kernel.
  static CUGRB_DEVICE group_marks shared() {
    CUGRB_SHARED(memory, shared_marks, 1);
    return {shared_marks};
  }
  /// No marks. Called by all threads, which pass a barrier before the first mark().
  CUGRB_DEVICE void clear() const {
    if (thread_index() < words) marks->begins[thread_index()] = 0;
  }
  /// No two groups begin with the same item, and one begins with item 0. All threads pass a barrier before
  /// count().
  CUGRB_DEVICE void mark(unsigned item, Group group) const {
    atomic_or(marks->begins + item / 32, 1u << item % 32);
    marks->groups[item] = group;
  }
  /// Called by a whole warp; all threads pass a barrier before the first question.
  CUGRB_DEVICE void count() const {
    constexpr unsigned of_lane = 4;
    static_assert(words <= of_lane * warp_lanes, "a warp looks at all words");
    uint32_t last[of_lane], seen = 0;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      const uint32_t word = w < words ? marks->begins[w] : 0;
      last[k] = word != 0 ? w * 32 + unsigned(highest_bit(word)) : 0;
      seen = last[k] > seen ? last[k] : seen;
    }
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const uint32_t other = shuffle_up(full_warp, seen, delta);
      if (lane_index() >= delta && other > seen) seen = other;
    }
    uint32_t here = shuffle_up(full_warp, seen, 1);
    if (lane_index() == 0) here = 0;
#pragma unroll
    for (unsigned k = 0; k < of_lane; ++k) {
      const unsigned w = of_lane * lane_index() + k;
      if (w < words) marks->before[w] = here;
      here = last[k] > here ? last[k] : here;
    }
  }
  /// The item that the group of an item begins with, whose bit is that one of the word.
  CUGRB_DEVICE unsigned begin_of(unsigned word, unsigned bit) const {
    const uint32_t bits = marks->begins[word] & (0xffffffffu >> (31 - bit)), earlier = marks->before[word];
    return bits != 0 ? word * 32 + unsigned(highest_bit(bits)) : earlier;
  }
  CUGRB_DEVICE Group group_of(unsigned word, unsigned bit) const {
    return marks->groups[begin_of(word, bit)];
  }
};

/// A tile of entries that are moved (EntryTile::moved_entries). OfSegment says what is to be known of a
/// segment with entries, once a segment: of_segment(segment, start, first), where `first` is the tile's first
/// segment.
template <class Offset, class OfSegment>
struct moved_tile {
  using Known = decltype(OfSegment()(uint64_t(0), uint64_t(0), uint64_t(0)));
  using Marks = group_marks<EntryTile::moved_entries, Known>;
  /// Of a tile with more segments, almost all without items, they are searched for in the array.
  static constexpr uint64_t most = uint64_t(1) << 16;
  struct place {
    Known known;     ///< of the item's segment
    uint64_t start;  ///< of the segment
  };

  Marks marks;
  const Offset* starts;
  uint64_t segments, entries;
  OfSegment of_segment;
  uint64_t first = 0;           ///< segment with items
  uint64_t begin = 0, end = 0;  ///< entries
  bool searches = false;        ///< there are more segments

  CUGRB_DEVICE unsigned count() const { return unsigned(end - begin); }
  /// The tile's item n.
  CUGRB_DEVICE place of_item(unsigned n) const {
    if (searches) {
      const uint64_t s = last_start_at_most(starts, first, segments, begin + n), start = uint64_t(starts[s]);
      return {of_segment(s, start, first), start};
    }
    const unsigned from = marks.begin_of(n / 32, n % 32);
    return {marks.marks->groups[from], from == 0 ? uint64_t(starts[first]) : begin + from};
  }
  /// Marks the tile's segments by the first of their items, and finds the first one of the next tile, or that
  /// there are too many. All threads pass barriers before and after.
  CUGRB_DEVICE void mark(uint64_t* next, uint32_t* too_many) const {
    for (uint64_t s = first + thread_index(); s < segments; s += EntryTile::threads) {
      const uint64_t start = uint64_t(starts[s]),
                     next_start = s + 1 < segments ? uint64_t(starts[s + 1]) : entries;
      if (start > end) return;
      if (s - first > most) return relaxed_store(too_many, uint32_t(1));
      if (next_start > end) *next = s;
      if (start < end && next_start > start)
        marks.mark(start > begin ? unsigned(start - begin) : 0, of_segment(s, start, first));
    }
  }
};

/// Calls on_tile(tile) for each tile of entries that falls to the block, one after another: the block
/// searches for the first segment of the first one alone. `starts` holds `segments` starts. Passes barriers.
template <class Offset, class OfSegment, class OnTile>
CUGRB_DEVICE void for_moved_tiles(const Offset* starts, uint64_t segments, uint64_t entries,
                                  OfSegment of_segment, OnTile on_tile) {
  using Tile = moved_tile<Offset, OfSegment>;
  constexpr uint64_t of_tile = EntryTile::moved_entries;
  CUGRB_SHARED(uint64_t, firsts, 2);  // segments of this tile and of the next one, by turns
  CUGRB_SHARED(uint32_t, too_many, 1);
  const uint64_t tiles = (entries + of_tile - 1) / of_tile,
                 each = (tiles + grid_blocks() - 1) / grid_blocks();
  const uint64_t from = uint64_t(block_index()) * each, to = from + each < tiles ? from + each : tiles;
  if (from >= to) return;
  Tile tile = {Tile::Marks::shared(), starts, segments, entries, of_segment};
  const auto search = [&](uint64_t low, uint64_t item, uint64_t* found) {
    const uint64_t s = last_by_warp(low, segments, [&](uint64_t n) { return uint64_t(starts[n]) <= item; });
    if (lane_index() == 0) *found = s;
  };
  if (thread_index() < warp_lanes) search(0, from * of_tile, firsts + from % 2);
  for (uint64_t n = from; n < to; ++n) {
    tile.begin = n * of_tile;
    tile.end = tile.begin + of_tile < entries ? tile.begin + of_tile : entries;
    tile.marks.clear();
    if (thread_index() == 0) too_many[0] = 0;
    sync_block();
    tile.first = firsts[n % 2];
    uint64_t* const next = firsts + (n + 1) % 2;
    tile.mark(next, too_many);
    sync_block();
    tile.searches = too_many[0] != 0;
    if (thread_index() < warp_lanes) {
      if (tile.searches) search(tile.first, tile.end, next);
      tile.marks.count();
    }
    sync_block();
    on_tile(tile);
    sync_block();
  }
}

/// Of a segment its number, counted from the tile's first one.
struct segment_of_tile {
  CUGRB_DEVICE uint32_t operator()(uint64_t segment, uint64_t, uint64_t first) const {
    return uint32_t(segment - first);
  }
};

/// Entries that a thread has under way at once.
constexpr unsigned moved_at_once = 4;

/// Calls load(k, n) for some entries n of a tile that fall to the calling thread, counted by k <
/// moved_at_once, then store(k, n) for each of them, and so on. Their loads come before the first store, so
/// that they are under way together.
template <class Tile, class Load, class Store>
CUGRB_DEVICE void move_entries(const Tile& tile, Load load, Store store) {
  constexpr unsigned apart = EntryTile::threads;
  const unsigned count = tile.count();
  for (unsigned first = thread_index(); first < count; first += moved_at_once * apart) {
#pragma unroll
    for (unsigned k = 0; k < moved_at_once; ++k) {
      if (first + k * apart < count) load(k, first + k * apart);
    }
#pragma unroll
    for (unsigned k = 0; k < moved_at_once; ++k) {
      if (first + k * apart < count) store(k, first + k * apart);
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
