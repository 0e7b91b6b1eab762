// CSR to dynamic CSR and back (which is the defragmentation: segments put together, slack left out).
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/dcsr_position.h"
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/segments.h"

namespace cugrb {

/// Entries of a row of `length` in each of its first used - 1 segments; the last holds the rest.
CUGRB_DEVICE uint64_t dcsr_share(uint64_t length, uint64_t used) { return (length + used - 1) / used; }

/// begins[s * rows + i] = positions of segment s of row i: its share of the entries; the last also the slack,
/// and `width` at least.
/// One thread a segment.
template <class From, class Offset>
CUGRB_KERNEL(256)
void dcsr_capacities(DcsrBuildArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.used * a.csr.rows) return;
  const uint64_t s = n / a.csr.rows, i = n % a.csr.rows;
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const uint64_t length = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]), share = dcsr_share(length, a.used);
  const uint64_t before = s * share < length ? s * share : length;
  const uint64_t entries = length - before < share ? length - before : share;
  const uint64_t last = entries + a.slack > a.width ? entries + a.slack : a.width;
  static_cast<Offset*>(a.begins)[n] = Offset(s + 1 == a.used ? last : entries);
}

/// The table and the sizes, from the summed capacities; `single`: of one segment a row that has no least
/// width, whose place follows from the offsets. Slots beyond `used` are zeros. One thread a row.
template <class From, class Offset, bool single>
CUGRB_KERNEL(256)
void dcsr_segments(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.csr.rows) return;
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const Offset* begins = static_cast<const Offset*>(a.begins);
  static_cast<Offset*>(a.dcsr.sizes)[i] = Offset(offsets[i + 1] - offsets[i]);
  for (uint64_t s = 0; s < a.dcsr.slots; ++s) {
    Offset* segment = static_cast<Offset*>(a.dcsr.segments) + 2 * i + s * a.dcsr.pitch;
    Offset begin = 0, end = 0;
    if (single && s == 0) {
      begin = Offset(uint64_t(offsets[i]) + i * a.slack);
      end = Offset(uint64_t(offsets[i + 1]) + (i + 1) * a.slack);
    } else if (!single && s < a.used) {
      begin = begins[s * a.csr.rows + i];
      end = begins[s * a.csr.rows + i + 1];
    }
    segment[0] = begin;
    segment[1] = end;
  }
}

/// Where each row's first segment begins. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void dcsr_begins(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i < a.dcsr.rows) static_cast<Offset*>(a.begins)[i] = static_cast<const Offset*>(a.dcsr.segments)[2 * i];
}

/// Lists the rows with more entries than `longest_short`, in no order. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void dcsr_long_rows(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.dcsr.rows || uint64_t(static_cast<const Offset*>(a.dcsr.sizes)[i]) <= a.longest_short) return;
  a.long_rows[1 + atomic_add(a.long_rows, uint64_t(1))] = i;
}

/// offsets[k] = entries of row list[k]: a sum makes offsets of them. One thread a listed row.
template <class Offset, class Out>
CUGRB_KERNEL(256)
void dcsr_listed_lengths(DcsrListArguments a) {
  const uint64_t k = global_thread();
  if (k < a.listed)
    static_cast<Out*>(a.offsets)[k] = Out(static_cast<const Offset*>(a.dcsr.sizes)[a.list[k]]);
}

/// The entries of the listed rows, one row after another, by column. Grid: one block for each tile of entries
/// of the result.
template <class Offset, class Column, class Out, class Element, bool merges>
CUGRB_KERNEL(EntryTile::threads)
void dcsr_listed_entries(DcsrListArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.entries);
  const Out* const offsets = static_cast<const Out*>(a.offsets);
  const tile_segments<Out> rows = segments_of_tile(offsets, a.listed, begin, end);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    const uint64_t k = rows.of_item(p), i = a.list[k], n = p - uint64_t(offsets[k]);
    const uint64_t q = dcsr_position<Offset>(a.dcsr, i, n);
    const uint64_t place = uint64_t(offsets[k]) + (merges ? dcsr_rank<Offset, Column>(a.dcsr, i, n, q) : n);
    static_cast<Column*>(a.columns)[place] = static_cast<const Column*>(a.dcsr.columns)[q];
    move_element<Element>(a.values, place, a.dcsr.values, q);
  }
}

/// Of a tile's rows, in shared memory: where the first segment begins, and whether it holds all of the row as
/// one run. Most rows are so, and their entries ask for nothing else.
template <class Offset>
struct dcsr_tile_rows {
  Offset* begins;
  uint8_t* whole;

  /// By all threads of a block; `count` rows from `first` on.
  CUGRB_DEVICE void load(const DcsrView& dcsr, uint64_t first, unsigned count) const {
    const Offset* segments = static_cast<const Offset*>(dcsr.segments) + 2 * first;
    const Offset* sizes = static_cast<const Offset*>(dcsr.sizes) + first;
    const Offset* mains = static_cast<const Offset*>(dcsr.mains == nullptr ? dcsr.sizes : dcsr.mains) + first;
    for (unsigned s = thread_index(); s < count; s += EntryTile::threads) {
      begins[s] = segments[2 * s];
      whole[s] = sizes[s] == mains[s] && sizes[s] <= segments[2 * s + 1] - begins[s] ? 1 : 0;
    }
    sync_block();
  }
};

/// tile_rows[t]: the row that has the first entry of tile t; behind those of all tiles, the last row with
/// entries. In place of a search by each tile, whose loads would wait for each other. One thread a row.
template <class From>
CUGRB_KERNEL(256)
void dcsr_tile_starts(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.csr.rows) return;
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const uint64_t begin = uint64_t(offsets[i]), end = uint64_t(offsets[i + 1]);
  if (begin == end) return;
  const uint64_t tiles = (a.csr.entries + EntryTile::entries - 1) / EntryTile::entries;
  uint64_t t = (begin + EntryTile::entries - 1) / EntryTile::entries;
  for (; t * EntryTile::entries < end; ++t) a.tile_rows[t] = i;
  if (end == a.csr.entries) a.tile_rows[tiles] = i;
}

/// Moves every entry between CSR and the segments. Out of them they go to where `begins` has their row;
/// without it to the CSR's place, and `slack` positions further for each row before. `merges`: rows lie in
/// two runs, which become one. Grid: one block for each tile of entries.
template <class From, class Offset, class Column, class Element, bool to_segments, bool merges>
CUGRB_KERNEL(EntryTile::threads)
void dcsr_entries(DcsrBuildArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.csr.entries);
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const uint64_t* const tile = a.tile_rows + block_index();
  const tile_segments<From> rows = staged_segments(offsets, tile[0], tile[1]);
  constexpr unsigned capacity = tile_segments<From>::capacity;
  CUGRB_SHARED(Offset, row_begins, capacity);
  CUGRB_SHARED(uint8_t, row_whole, capacity);
  const bool loaded = rows.count <= capacity;
  if (loaded) dcsr_tile_rows<Offset>{row_begins, row_whole}.load(a.dcsr, rows.first, unsigned(rows.count));
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    const uint64_t s = last_start_at_most(rows.starts, 0, rows.count, p), i = rows.first + s;
    const uint64_t n = p - uint64_t(rows.starts[s]);
    const bool whole = loaded && row_whole[s] != 0;
    const uint64_t q = whole ? uint64_t(row_begins[s]) + n : dcsr_position<Offset>(a.dcsr, i, n);
    uint64_t place = p;
    if constexpr (!to_segments) {
      const uint64_t rank = !merges || whole ? n : dcsr_rank<Offset, Column>(a.dcsr, i, n, q);
      const Offset* const begins = static_cast<const Offset*>(a.begins);
      place = rank + (begins == nullptr ? p - n + i * a.slack : uint64_t(begins[i]));
    }
    Column* compact = static_cast<Column*>(const_cast<void*>(a.csr.columns)) + place;
    Column* spread = static_cast<Column*>(a.dcsr.columns) + q;
    *(to_segments ? spread : compact) = *(to_segments ? compact : spread);
    if constexpr (!is_same<Element, void>) {
      Element* from = static_cast<Element*>(const_cast<void*>(a.csr.values)) + place;
      Element* to = static_cast<Element*>(a.dcsr.values) + q;
      *(to_segments ? to : from) = *(to_segments ? from : to);
    }
  }
}

}  // namespace cugrb
