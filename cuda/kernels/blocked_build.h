// Construction of the blocked format from CSR. src/formats/blocked.cpp calls these in order.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/views/blocked.h"

namespace cugrb {

/// A bin's entries.
struct blocked_bin {
  uint64_t first, last;
};
CUGRB_DEVICE blocked_bin bin_of_block(const BlockedBuildArguments& a) {
  blocked_bin bin;
  bin.first = uint64_t(block_index()) * a.bin_entries;
  bin.last = bin.first + a.bin_entries < a.matrix.entries ? bin.first + a.bin_entries : a.matrix.entries;
  return bin;
}

/// Chunks of every piece of a bin. Grid: a block a bin; dynamic shared memory: a counter a tile.
template <class Column>
CUGRB_KERNEL(256)
void blocked_count(BlockedBuildArguments a) {
  CUGRB_DYNAMIC_SHARED(uint32_t, counts);
  const Column* columns = static_cast<const Column*>(a.matrix.columns);
  const blocked_bin bin = bin_of_block(a);
  for (uint64_t t = thread_index(); t < a.tiles; t += 256) counts[t] = 0;
  sync_block();
  for (uint64_t p = bin.first + thread_index(); p < bin.last; p += 256) {
    atomic_add(&counts[read_streaming(columns + p) / a.tile_columns], uint32_t(1));
  }
  sync_block();
  for (uint64_t t = thread_index(); t < a.tiles; t += 256) {
    const uint32_t chunks = (counts[t] + blocked_chunk - 1) / blocked_chunk;
    a.chunks_by_tile[t * a.bins + block_index()] = chunks;
    a.chunks_by_bin[block_index() * a.tiles + t] = chunks;
  }
}

/// Where tiles and bins begin, from the sums. One thread for each of both, and one more.
template <int>
CUGRB_KERNEL(256)
void blocked_starts(BlockedBuildArguments a) {
  const uint64_t n = global_thread();
  if (n <= a.tiles) a.tile_chunks[n] = a.chunks_by_tile[n * a.bins];
  if (n <= a.bins) a.bin_chunks[n] = a.chunks_by_bin[n * a.tiles];
}

/// Entries to their places, in any order within a piece: the positions tell where each product is. Grid: a
/// block a bin; dynamic shared memory: three words a tile.
template <class Column, class Element>
CUGRB_KERNEL(256)
void blocked_fill(BlockedBuildArguments a) {
  CUGRB_DYNAMIC_SHARED(uint32_t, seen);
  uint32_t* const places = seen + a.tiles;      // first chunk of places
  uint32_t* const products = places + a.tiles;  // first chunk of products, in the bin
  const Column* columns = static_cast<const Column*>(a.matrix.columns);
  const blocked_bin bin = bin_of_block(a);
  const uint32_t first_product = a.bin_chunks[block_index()];
  for (uint64_t t = thread_index(); t < a.tiles; t += 256) {
    const uint32_t from = a.chunks_by_tile[t * a.bins + block_index()];
    const uint32_t until = a.chunks_by_tile[t * a.bins + block_index() + 1];
    const uint32_t to = a.chunks_by_bin[block_index() * a.tiles + t];
    for (uint32_t c = from; c < until; ++c) a.destinations[c] = to + (c - from);
    seen[t] = 0;
    places[t] = from;
    products[t] = to - first_product;
  }
  sync_block();
  for (uint64_t p = bin.first + thread_index(); p < bin.last; p += 256) {
    const uint64_t column = read_streaming(columns + p), t = column / a.tile_columns;
    const uint32_t rank = atomic_add(&seen[t], uint32_t(1));
    const uint64_t place = uint64_t(places[t]) * blocked_chunk + rank;
    a.columns[place] = uint16_t(column - t * a.tile_columns);
    move_element<Element>(a.values, place, a.matrix.values, p);
    a.positions[blocked_position_place(p)] = uint16_t(products[t] * blocked_chunk + rank);
  }
}

/// Marks the last entry of every row, and the rows that have one. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void blocked_row_ends(BlockedBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.matrix.rows) return;
  const Offset* offsets = static_cast<const Offset*>(a.matrix.offsets);
  const uint64_t begin = offsets[i], end = offsets[i + 1];
  a.flags[i] = begin < end ? 1 : 0;
  if (begin < end) atomic_or(a.row_ends + (end - 1) / blocked_run, 1u << ((end - 1) % blocked_run));
}

/// ordinals[r] = rows that end in run r. One thread a run.
template <int>
CUGRB_KERNEL(256)
void blocked_count_ends(BlockedBuildArguments a) {
  const uint64_t r = global_thread();
  if (r < a.runs) a.ordinals[r] = uint32_t(count_bits(a.row_ends[r]));
}

/// bin_rows[b] = rows that end before bin b. One thread a bin, and one more.
template <int>
CUGRB_KERNEL(256)
void blocked_bin_rows(BlockedBuildArguments a) {
  const uint64_t b = global_thread();
  if (b <= a.bins) a.bin_rows[b] = a.ordinals[b * (a.bin_entries / blocked_run)];
}

}  // namespace cugrb
