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

/// The groups of a block's items, which follow each other: each has a number, and begins with an item of its
/// own. A bit for each item that begins one; the last of these at an item or before it is found in a few
/// steps, however many groups there are. A block of 256, at most 4096 items.
template <unsigned capacity>
struct group_marks {
  static constexpr unsigned words = (capacity + 31) / 32;
  struct memory {
    uint32_t begins[words];     ///< the bits
    uint32_t before[words];     ///< the last such item before each word's first one, or 0
    uint16_t groups[capacity];  ///< the group of an item that begins one
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
  CUGRB_DEVICE void mark(unsigned item, unsigned group) const {
    atomic_or(marks->begins + item / 32, 1u << item % 32);
    marks->groups[item] = uint16_t(group);
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
  CUGRB_DEVICE unsigned group_of(unsigned word, unsigned bit) const {
    return marks->groups[begin_of(word, bit)];
  }
};

/// The segments of the block's tile of entries that are moved (EntryTile::moved_entries), each of which is
/// looked up.
template <class Offset>
struct moved_segments {
  /// Of a tile with more segments, almost all without items, they are searched for in the array.
  static constexpr uint64_t most = uint64_t(1) << 16;
  struct place {
    uint64_t segment, start;  ///< and where the segment starts
  };
  group_marks<EntryTile::moved_entries> marks;
  const Offset* starts;
  uint64_t first, count;  ///< segments
  uint64_t begin;         ///< of the tile
  uint64_t first_start;   ///< of the first segment

  CUGRB_DEVICE place of_item(uint64_t item) const {
    if (count > most) {
      const uint64_t s = last_start_at_most(starts, first, first + count, item);
      return {s, uint64_t(starts[s])};
    }
    const unsigned n = unsigned(item - begin), from = marks.begin_of(n / 32, n % 32);
    return {first + marks.marks->groups[from], from == 0 ? first_start : begin + from};
  }
};

/// Called by all threads of the block, whose tile has entries. `starts` holds `segments` starts.
template <class Offset>
CUGRB_DEVICE moved_segments<Offset> segments_of_moved(const Offset* starts, uint64_t segments,
                                                      uint64_t entries) {
  moved_segments<Offset> tile;
  tile.marks = group_marks<EntryTile::moved_entries>::shared();
  tile.starts = starts;
  tile.begin = move_begin();
  tile.marks.clear();
  const segment_range range = range_of_tile(starts, segments, tile.begin, move_end(entries));
  tile.first = range.first;
  tile.count = range.last - range.first + 1;
  tile.first_start = uint64_t(starts[range.first]);
  if (tile.count <= moved_segments<Offset>::most) {
    if (thread_index() == 0) tile.marks.mark(0, 0);
    for (uint64_t s = 1 + thread_index(); s < tile.count; s += EntryTile::threads) {
      const uint64_t start = uint64_t(starts[range.first + s]);
      const bool empty = s + 1 < tile.count && uint64_t(starts[range.first + s + 1]) == start;
      if (!empty) tile.marks.mark(unsigned(start - tile.begin), unsigned(s));
    }
  }
  sync_block();
  if (thread_index() < warp_lanes) tile.marks.count();
  sync_block();
  return tile;
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
