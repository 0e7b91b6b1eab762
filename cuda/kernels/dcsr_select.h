// The entries of a dynamic CSR that an operator selects, as a CSR: read from the segments. And a column.
//
// To select, a first launch goes over all entries, a tile each block, and keeps a bit for each. With the sums
// of the tiles before, the bits tell how many kept entries come before any place. A row is two runs of
// ascending columns: so an entry's place in the result is the number of kept ones before it in its own run,
// and of those in the other run that have lower columns, which one binary search finds.
#pragma once
#include "cuda/kernels/dcsr_build.h"
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_elementwise.h"
#include "cuda/views/dcsr_select.h"

namespace cugrb {

constexpr unsigned kept_words = EntryTile::entries / 32;  ///< of a tile

/// Of the entries before the p-th, those that are kept.
CUGRB_DEVICE uint64_t kept_before(const DcsrSelectArguments& a, uint64_t p) {
  const uint64_t tile = p / EntryTile::entries;
  const uint64_t before = read_only(a.before + tile);
  if (p % EntryTile::entries == 0) return before;
  const KeptWord word = a.kept[p / 32];
  return before + word.before + unsigned(count_bits(word.bits & ((1u << p % 32) - 1)));
}

/// Which entries op(A(i,j), i, j, thunk) keeps. Rows: csr_rows with the offsets, columns and the values that
/// Op reads; `flipped`: its rows are A's columns; `looks_at_columns`: Op does. Grid: a block for each tile.
template <class Op, class Rows, bool flipped, bool looks_at_columns>
CUGRB_KERNEL(EntryTile::threads)
void dcsr_keep(DcsrSelectArguments a) {
  using Offset = typename Rows::Offset;
  CUGRB_SHARED(uint32_t, words, kept_words);
  const uint64_t tile = take_tile(a.tiles), begin = tile * EntryTile::entries;
  const uint64_t end = begin + EntryTile::entries < a.entries ? begin + EntryTile::entries : a.entries;
  const tile_segments<Offset> rows =
      staged_segments(static_cast<const Offset*>(a.offsets), a.tile_rows[tile], a.tile_rows[tile + 1]);
  CsrView view;
  view.values = a.dcsr.values;
#pragma unroll
  for (unsigned k = 0; k < EntryTile::entries / EntryTile::threads; ++k) {
    const unsigned place = k * EntryTile::threads + thread_index();
    const uint64_t p = begin + place;
    bool keeps = false;
    if (p < end) {
      const uint64_t s = rows.segment_of_item(p), i = rows.first + s;
      const uint64_t q = dcsr_places<Offset>(a.dcsr, i)(p - uint64_t(rows.starts[s]));
      const uint64_t j = looks_at_columns ? static_cast<const typename Rows::Column*>(a.dcsr.columns)[q] : 0;
      keeps = cast<bool>(entry_function<Op, Rows, flipped, false>::at(view, a.thunk, q, i, j));
    }
    const unsigned bits = ballot(full_warp, keeps);
    if (lane_index() == 0) words[place / 32] = bits;
  }
  sync_block();
  if (thread_index() >= warp_lanes) return;
  static_assert(kept_words == warp_lanes, "a lane has a word");
  const unsigned lane = lane_index();
  KeptWord word;
  word.bits = words[lane];
  uint32_t sum = uint32_t(count_bits(word.bits));
  const uint32_t own = sum;
  for (unsigned delta = 1; delta < warp_lanes; delta *= 2) {
    const uint32_t other = shuffle_up(full_warp, sum, delta);
    if (lane >= delta) sum += other;
  }
  word.before = sum - own;
  a.kept[tile * kept_words + lane] = word;
  const uint32_t of_tile = shuffle(full_warp, sum, 31);
  const uint64_t before = sum_before_tile(a.tiles + 1, tile, of_tile);
  if (lane != 0) return;
  a.before[tile] = before;
  if (end == a.entries) a.before[tile + 1] = before + of_tile;
}

/// The result's offsets. One thread a row, and one more.
template <class Offset, class Out>
CUGRB_KERNEL(256)
void dcsr_kept_offsets(DcsrSelectArguments a) {
  const uint64_t i = global_thread();
  if (i > a.dcsr.rows) return;
  static_cast<Out*>(a.new_offsets)[i] =
      Out(i < a.dcsr.rows ? kept_before(a, uint64_t(static_cast<const Offset*>(a.offsets)[i]))
                          : a.before[(a.entries + EntryTile::entries - 1) / EntryTile::entries]);
}

/// The result's columns and values. `merges`: rows lie in two runs. Grid: one block for each tile of entries.
template <class Offset, class Column, class Element, bool merges>
CUGRB_KERNEL(EntryTile::threads)
void dcsr_move_kept(DcsrSelectArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.entries);
  const uint64_t* const tile = a.tile_rows + block_index();
  const tile_segments<Offset> rows = staged_segments(static_cast<const Offset*>(a.offsets), tile[0], tile[1]);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    if ((a.kept[p / 32].bits >> p % 32 & 1) == 0) continue;
    const uint64_t s = rows.segment_of_item(p), i = rows.first + s, start = uint64_t(rows.starts[s]);
    const dcsr_places<Offset> places(a.dcsr, i);
    const uint64_t q = places(p - start);
    const Column column = static_cast<const Column*>(a.dcsr.columns)[q];
    uint64_t to = kept_before(a, p);
    if constexpr (merges) {
      const uint64_t size = static_cast<const Offset*>(a.dcsr.sizes)[i];
      const uint64_t main = static_cast<const Offset*>(a.dcsr.mains)[i];
      if (main < size) {
        const bool first = p - start < main;
        const uint64_t other =
            places.template lower_bound<Column>(first ? main : 0, first ? size : main, column);
        to = to + kept_before(a, start + other) - kept_before(a, start + main);
      }
    }
    static_cast<Column*>(a.columns)[to] = column;
    move_element<Element>(a.values, to, a.dcsr.values, q);
  }
}

/// The entries of a column as a bitmap: two searches in each row. One thread a row.
template <class Offset, class Column, class Element>
CUGRB_KERNEL(256)
void dcsr_search_column(DcsrLineArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.dcsr.rows) return;
  const uint64_t size = static_cast<const Offset*>(a.dcsr.sizes)[i];
  const uint64_t main = a.dcsr.mains != nullptr ? static_cast<const Offset*>(a.dcsr.mains)[i] : size;
  const dcsr_places<Offset> places(a.dcsr, i);
  uint64_t n = places.template lower_bound<Column>(0, main, a.column), end = main;
  if (n == end || places.template column<Column>(n) != a.column)
    n = places.template lower_bound<Column>(main, size, a.column), end = size;
  const bool there = n < end && places.template column<Column>(n) == a.column;
  a.present[i] = there ? 1 : 0;
  if (there) move_element<Element>(a.values, i, a.dcsr.values, places(n));
}

}  // namespace cugrb
